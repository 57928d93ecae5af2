/** HTTP/1.1 by hand, for what `fetch` will not send. */
import { once } from "node:events";
import { connect as connectTo } from "node:net";

/** What came back. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** An open connection. */
export interface Socket {
  readonly write: (data: string | Uint8Array) => Promise<void>;
  /** Everything until `marker` was seen, or until the other side closed. */
  readonly until: (marker: string) => Promise<string>;
  /** The next `length` characters. */
  readonly take: (length: number) => Promise<string>;
  /** Everything until the other side closed, or for `ms`. */
  readonly rest: (ms?: number) => Promise<string>;
  /** Closes without a word. */
  readonly close: () => void;
}

const encoder = new TextEncoder();

/** Characters that are taken from a connection before anybody reads them; the rest waits on its way. */
const ahead = 65_536;

/** Connects to a port of this machine. */
export const connect = async (port: number): Promise<Socket> => {
  const connection = connectTo({ host: "127.0.0.1", port, allowHalfOpen: true, noDelay: true });
  await once(connection, "connect");
  const decoder = new TextDecoder();
  let seen = "";
  let ended = false;
  let wake = (): void => {};
  const end = (): void => {
    ended = true;
    wake();
  };
  // What came before a reset would be lost, if it were read when it is asked for. A connection that was reset has ended as well
  connection.on("error", () => {}).on("end", end).on("close", end).on("data", (bytes: Uint8Array) => {
    seen += decoder.decode(bytes, { stream: true });
    if (seen.length > ahead) connection.pause();
    wake();
  });
  const more = async (): Promise<boolean> => {
    if (ended) return false;
    const before = seen.length;
    connection.resume();
    await new Promise<void>((resolve) => wake = resolve);
    return !ended || seen.length > before;
  };
  const take = (end: number): string => {
    const text = seen.slice(0, end);
    seen = seen.slice(end);
    return text;
  };
  const socket: Socket = {
    write: (data) =>
      new Promise((resolve, reject) => connection.write(data, (error) => error ? reject(error) : resolve())),
    until: async (marker) => {
      while (!seen.includes(marker)) if (!await more()) return take(seen.length);
      return take(seen.indexOf(marker) + marker.length);
    },
    take: async (length) => {
      while (seen.length < length && await more());
      return take(length);
    },
    rest: async (ms = 5000) => {
      const timer = setTimeout(() => socket.close(), ms);
      while (await more());
      clearTimeout(timer);
      return take(seen.length);
    },
    close: () => void connection.destroy(),
  };
  return socket;
};

const dechunk = (body: string): string => {
  const bytes = encoder.encode(body);
  const decoder = new TextDecoder();
  let text = "";
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(13, at);
    const size = parseInt(decoder.decode(bytes.subarray(at, end)), 16);
    if (!(size > 0)) break;
    text += decoder.decode(bytes.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
  return text;
};

/** Reads the text of a whole answer. */
export const parse = (text: string): Answer => {
  const split = text.indexOf("\r\n\r\n");
  const [line = "", ...fields] = text.slice(0, split).split("\r\n");
  const headers = new Headers();
  for (const field of fields) {
    headers.append(field.slice(0, field.indexOf(":")), field.slice(field.indexOf(":") + 1).trim());
  }
  const body = text.slice(split + 4);
  return {
    status: Number(line.split(" ")[1]),
    headers,
    body: headers.get("transfer-encoding") === "chunked" ? dechunk(body) : body,
  };
};

/** A request by hand. Headers may stand twice; `host` and `content-length` are added where they are missing. */
export interface Raw {
  readonly method?: string;
  readonly path?: string;
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>;
  readonly body?: string | Uint8Array;
}

/** The bytes of a request. */
export const bytesOf = (port: number, { body = "", headers, method = "POST", path = "/mcp" }: Raw): Uint8Array => {
  const content = typeof body === "string" ? encoder.encode(body) : body;
  const names = headers.map(([name]) => name.toLowerCase());
  const all = [
    ...(names.includes("host") ? [] : [["Host", `127.0.0.1:${port}`] as const]),
    ...headers,
    ...(names.includes("content-length") || names.includes("transfer-encoding")
      ? []
      : [["Content-Length", `${content.length}`] as const]),
  ];
  const head = encoder.encode(`${method} ${path} HTTP/1.1\r\n${all.map(([n, v]) => `${n}: ${v}\r\n`).join("")}\r\n`);
  const bytes = new Uint8Array(head.length + content.length);
  bytes.set(head);
  bytes.set(content, head.length);
  return bytes;
};

/** Sends a request on an open connection and reads the answer, which has a stated length and is plain ASCII. */
export const exchange = async (socket: Socket, port: number, request: Raw): Promise<Answer> => {
  await socket.write(bytesOf(port, request));
  const head = await socket.until("\r\n\r\n");
  return parse(head + await socket.take(Number(parse(head).headers.get("content-length"))));
};

/** Sends a request on a connection of its own and reads the answer to its end. */
export const raw = async (port: number, request: Raw): Promise<Answer> => {
  const socket = await connect(port);
  await socket.write(bytesOf(port, { ...request, headers: [...request.headers, ["Connection", "close"]] }));
  const answer = parse(await socket.rest());
  socket.close();
  return answer;
};
