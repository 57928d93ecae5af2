/**
 * CORS as a browser enforces it: pages of an allowed origin use the server through the official client, pages of any
 * other origin cannot, and their requests run nothing (2026-07-28, basic/transports, "Security").
 */
import { assertEquals, assertStringIncludes } from "@std/assert";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Layer from "effect/Layer";
import * as Schema from "effect/Schema";
import * as Scope from "effect/Scope";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, describe, test } from "node:test";
import { type Browser, chromium, type Page } from "playwright-core";
import { Auth, Call, McpServer, Need, Tool } from "@needful/mcp";
import * as DenoServer from "@needful/mcp/deno";
import { run } from "../process.ts";
import { type Origin, serve } from "./pages.ts";

const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
const skip = existsSync(executablePath)
  ? false
  : `No browser at ${executablePath}: install chromium, or name one in CHROMIUM`;
if (skip !== false) console.warn(`Skipped: ${skip}`);
const args = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The official client under the names by which `client.ts` puts it within reach. */
interface Window {
  // deno-lint-ignore no-explicit-any -- types do not reach into the page
  readonly Client: any;
  // deno-lint-ignore no-explicit-any -- as above
  readonly StreamableHTTPClientTransport: any;
}

let greeted = 0;

const greet = Tool.make("greet", {
  description: "Asks for a name, tells how far it is",
  input: Schema.Struct({ region: Schema.String.pipe(Tool.header("Region")) }),
  handler: Effect.fn(function* ({ region }) {
    greeted++;
    yield* Call.progress({ progress: 1, total: 2 });
    const { name } = yield* Need.elicit("who", {
      message: "Who is it?",
      schema: Schema.Struct({ name: Schema.String }),
    });
    return `Hello, ${name} in ${region}!`;
  }),
});

const server = McpServer.make({ name: "browser", version: "1.0.0", tools: [greet] });

const authenticate: Auth.Authenticate = ({ header }) =>
  header("authorization") === "Bearer secret"
    ? Effect.succeed(Auth.principal("somebody"))
    : Effect.fail(new Auth.Unauthorized({ challenge: "Bearer" }));

test(
  "chromium: is there where its absence is a failure",
  { skip: process.env["REQUIRE_CHROMIUM"] === undefined },
  () => {
    assertEquals(skip, false);
  },
);

describe("CORS in a browser", { skip }, () => {
  let folder: string;
  let browser: Browser;
  let friend: Origin;
  let stranger: Origin;
  let scope: Scope.Closeable;
  let open: string;
  let guarded: string;

  /** Serves at a free port until the end of the tests. */
  const listen = (options: DenoServer.Options): Promise<string> =>
    Effect.runPromise(
      Layer.buildWithScope(DenoServer.layer(server, { ...options, port: 0 }), scope).pipe(
        Effect.map((context) => Context.get(context, DenoServer.Listening).url),
      ),
    );

  const page = async (origin: Origin): Promise<Page> => {
    const page = await browser.newPage();
    await page.goto(origin.origin);
    return page;
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "browser-"));
    const bundle = join(folder, "client.js");
    const { code, output } = await run(["bundle", "--platform", "browser", "tests/browser/client.ts", "-o", bundle]);
    assertEquals(code, 0, output);
    const script = await readFile(bundle, "utf8");
    friend = await serve(script);
    stranger = await serve(script);
    scope = await Effect.runPromise(Scope.make());
    const allowedOrigins = [friend.origin];
    open = await listen({ allowedOrigins });
    guarded = await listen({ allowedOrigins, authenticate });
    browser = await chromium.launch({ executablePath, args });
  });

  after(async () => {
    await browser?.close();
    if (scope !== undefined) await Effect.runPromise(Scope.close(scope, Exit.void));
    await friend?.stop();
    await stranger?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  /** Connects the official client in the page, calls the tool, answers its form. */
  const call = (page: Page, url: string): Promise<unknown> =>
    page.evaluate(async (url) => {
      const { Client, StreamableHTTPClientTransport } = globalThis as unknown as Window;
      const client = new Client({ name: "page", version: "1.0.0" }, {
        capabilities: { elicitation: { form: {} } },
        versionNegotiation: { mode: { pin: "2026-07-28" } },
      });
      client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { name: "Ada" } }));
      try {
        await client.connect(new StreamableHTTPClientTransport(new URL(url)));
        await client.listTools();
        const progress: Array<number> = [];
        const { content } = await client.callTool({ name: "greet", arguments: { region: "north" } }, {
          // In a browser the client leaves these out by itself, for fear of servers whose CORS does not allow them.
          headers: { "Mcp-Param-Region": "north" },
          // The client reports its own rounds too, without a total.
          onprogress: (notice: { readonly progress: number; readonly total?: number }) => {
            if (notice.total !== undefined) progress.push(notice.progress);
          },
        });
        return { content, progress };
      } catch (error) {
        return String(error);
      } finally {
        await client.close();
      }
    }, url);

  test("allowed origin: the official client completes a flow, its own headers and a stream included", async () => {
    const outcome = await call(await page(friend), open);
    assertEquals(outcome, { content: [{ type: "text", text: "Hello, Ada in north!" }], progress: [1, 1] });
  });

  test("other origin: the browser refuses, and no handler runs", async () => {
    const ran = greeted;
    const there = await page(stranger);
    assertStringIncludes(String(await call(there, open)), "Version negotiation failed");
    const reason = await there.evaluate((url) => {
      const headers = { "content-type": "application/json", "mcp-method": "server/discover" };
      return fetch(url, { method: "POST", headers, body: "{}" }).then(() => "served", String);
    }, open);
    assertEquals(reason, "TypeError: Failed to fetch");
    assertEquals(greeted, ran);
  });

  test("other origin: a request that needs no preflight runs no handler either", async () => {
    const ran = greeted;
    const there = await page(stranger);
    const type = await there.evaluate(async (url) => {
      const body = JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: {
          name: "greet",
          arguments: { region: "north" },
          _meta: {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
          },
        },
      });
      const response = await fetch(url, { method: "POST", mode: "no-cors", body });
      return response.type;
    }, open);
    assertEquals(type, "opaque");
    assertEquals(greeted, ran);
  });

  test("allowed origin: the page may read the challenge of a 401, and its preflight needs no credentials", async () => {
    const there = await page(friend);
    const seen = await there.evaluate(async (url) => {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: "{}",
      });
      return [response.status, response.headers.get("www-authenticate")];
    }, guarded);
    assertEquals(seen, [401, "Bearer"]);
  });
});
