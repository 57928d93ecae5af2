/** A client of HTTP/1.1 that does next to nothing, so that the server has the machine. */
import type { Post } from "../contestant.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A request as it travels. */
export const bytesOf = ({ body, headers }: Post, port: number): Uint8Array => {
  const fields = Object.entries({ host: `127.0.0.1:${port}`, ...headers }).map(([name, value]) => `${name}: ${value}`);
  return encoder.encode(`POST /mcp HTTP/1.1\r\n${fields.join("\r\n")}\r\n\r\n${body}`);
};

/** The body of a response if all of it is there. */
const bodyOf = (text: string): string | undefined => {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const rest = text.slice(end + 4);
  const length = /^content-length: *([0-9]+)/im.exec(text.slice(0, end))?.[1];
  if (length !== undefined) return rest.length < Number(length) ? undefined : rest;
  if (!rest.endsWith("0\r\n\r\n")) return undefined;
  return rest.split("\r\n").filter((_, line) => line % 2 === 1).join("");
};

/** One connection, kept open. One exchange at a time; texts are ASCII. */
export class Connection {
  readonly #socket: Deno.TcpConn;
  readonly #buffer: Uint8Array = new Uint8Array(65_536);

  private constructor(socket: Deno.TcpConn) {
    this.#socket = socket;
  }

  /** Connects to a server on this machine. */
  static async open(port: number): Promise<Connection> {
    const socket = await Deno.connect({ hostname: "127.0.0.1", port });
    socket.setNoDelay(true);
    return new Connection(socket);
  }

  /** Sends a request and gives the body of the response. */
  async exchange(request: Uint8Array): Promise<string> {
    for (let sent = 0; sent < request.length;) sent += await this.#socket.write(request.subarray(sent));
    let text = "";
    let body: string | undefined;
    while (body === undefined) {
      const read = await this.#socket.read(this.#buffer);
      if (read === null) throw new Error(`The connection was closed after: ${text}`);
      text += decoder.decode(this.#buffer.subarray(0, read));
      body = bodyOf(text);
    }
    if (!text.startsWith("HTTP/1.1 200")) throw new Error(text);
    return body;
  }

  /** Hangs up. */
  close(): void {
    this.#socket.close();
  }
}
