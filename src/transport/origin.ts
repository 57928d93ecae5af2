/** Which hosts and web origins are served: the defence against DNS rebinding (2026-07-28, streamable-http, "Security"). */

/** A `Host` header, in parts. */
interface Host {
  readonly name: string;
  /** Empty where it is the scheme's default. */
  readonly port: string;
}

const hostPattern = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::([0-9]{1,5}))?$/;

const parseHost = (host: string): Host | undefined => {
  const match = hostPattern.exec(host.toLowerCase());
  return match === null ? undefined : { name: match[1]!, port: match[2] ?? "" };
};

/** Whether a host name, IPv6 in brackets or not, is one of this machine's for itself. */
export const isLoopback = (name: string): boolean =>
  name === "localhost" || name === "[::1]" || name === "::1" || /^127(?:\.[0-9]{1,3}){3}$/.test(name);

/** What is let in. */
export interface GuardOptions {
  readonly allowedHosts: ReadonlyArray<string> | undefined;
  readonly allowedOrigins: ReadonlyArray<string> | undefined;
  /** Whether only this machine can connect: its own names and pages are let in. */
  readonly loopback: boolean;
  /** The port that is listened on; undefined where only the host knows. */
  readonly port: (() => number) | undefined;
}

/** Looks at where a request comes from, and whom it is meant for. */
export interface Guard {
  /** Why the request is refused; undefined if it is not. */
  readonly refuse: (host: string, origin: string | undefined) => string | undefined;
}

/** The origin, if `text` is exactly one. */
const parseOrigin = (text: string): URL | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && url.origin === text.toLowerCase() ? url : undefined;
};

/** `origin` as browsers write it. Throws where it is not an origin. */
export const originOf = (origin: string): string => {
  const url = parseOrigin(origin.replace(/\/$/, ""));
  if (url === undefined) throw new TypeError(`Cannot allow the origin "${origin}": it is not like https://app.example`);
  return url.origin;
};

const allowedHost = (host: string): Host => {
  const parsed = parseHost(host);
  if (parsed === undefined) throw new TypeError(`Cannot allow the host "${host}": it is not like mcp.example:8443`);
  return parsed;
};

const portOf = ({ port, protocol }: URL): string => port !== "" ? port : protocol === "https:" ? "443" : "80";

/** Makes a guard. Throws where an allowed host or origin is not one. */
export const make = (options: GuardOptions): Guard => {
  const hosts = (options.allowedHosts ?? []).map(allowedHost);
  const origins = new Set((options.allowedOrigins ?? []).map(originOf));
  const serves = ({ name, port }: Host): boolean =>
    (options.loopback && isLoopback(name)) ||
    hosts.some((allowed) => allowed.name === name && (allowed.port === "" || allowed.port === port));
  /** A page of this machine may call a server of this machine only on its own port: there, it is the server's page. */
  const isOwn = (origin: URL, host: Host): boolean =>
    options.loopback && isLoopback(origin.hostname) &&
    portOf(origin) === (options.port?.().toString() ?? (host.port || (origin.protocol === "https:" ? "443" : "80")));
  // Requests of a connection name the same host again and again
  let last: { readonly text: string; readonly host: Host | undefined } | undefined;
  const hostOf = (text: string): Host | undefined => {
    if (last?.text === text) return last.host;
    const parsed = parseHost(text);
    last = { text, host: parsed !== undefined && serves(parsed) ? parsed : undefined };
    return last.host;
  };
  return {
    refuse: (text, origin) => {
      const host = hostOf(text);
      if (host === undefined) return "The host is not served here: allowedHosts has to name it";
      if (origin === undefined || origins.has(origin)) return undefined;
      const page = parseOrigin(origin);
      return page !== undefined && isOwn(page, host)
        ? undefined
        : "The origin is not allowed: allowedOrigins has to name it";
    },
  };
};
