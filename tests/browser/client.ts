/** Puts the official client within reach of a page's scripts. Bundled for the browser by the test. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

Object.assign(globalThis, { Client, StreamableHTTPClientTransport });
