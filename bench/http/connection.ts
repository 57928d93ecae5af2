/** A client of HTTP/1.1 that does next to nothing, so that the server has the machine. The same on all runtimes. */
import { connect, type Socket } from "node:net";
import type { Post } from "../contestant.ts";

/** A request as it travels. */
export const wire = ({ body, headers }: Post, port: number): string => {
  const fields = Object.entries({ host: `127.0.0.1:${port}`, ...headers }).map(([name, value]) => `${name}: ${value}`);
  return `POST /mcp HTTP/1.1\r\n${fields.join("\r\n")}\r\n\r\n${body}`;
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

interface Waiting {
  readonly resolve: (body: string) => void;
  readonly reject: (error: Error) => void;
}

/** One connection, kept open. One exchange at a time; texts are ASCII. */
export class Connection {
  readonly #socket: Socket;
  #text = "";
  #waiting: Waiting | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.setEncoding("latin1");
    socket.on("data", (text: string) => this.#take(text));
    socket.on("error", (error) => this.#waiting?.reject(error));
    socket.on("close", () => this.#waiting?.reject(new Error(`The connection was closed after: ${this.#text}`)));
  }

  /** Connects to a server on this machine. */
  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1", () => resolve(new Connection(socket)));
      socket.once("error", reject);
    });
  }

  /** Sends a request and gives the body of the response. */
  exchange(request: string): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#text = "";
      this.#socket.write(request, "latin1");
    });
  }

  #take(text: string): void {
    this.#text += text;
    const body = bodyOf(this.#text);
    if (body === undefined) return;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (this.#text.startsWith("HTTP/1.1 200")) waiting?.resolve(body);
    else waiting?.reject(new Error(this.#text));
  }

  /** Hangs up. */
  close(): void {
    this.#socket.destroy();
  }
}
