/** Sessions of an older revision, as a client opens, uses and ends them. */

/** Serves a request in process. */
export type Fetch = (request: Request) => Promise<Response>;

const url = "http://localhost/mcp";
const revision = "2025-11-25";

const headers = (session: string | undefined): Record<string, string> => ({
  "accept": "application/json, text/event-stream",
  "host": "localhost",
  ...session === undefined ? {} : { "mcp-session-id": session, "mcp-protocol-version": revision },
});

let id = 0;

/** A request of a session, or the one that opens it. */
export const request = (message: object, session: string | undefined): Request => {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  const framed = { "content-type": "application/json", "content-length": String(body.length) };
  return new Request(url, { method: "POST", headers: { ...headers(session), ...framed }, body });
};

/** A message that wants a reply. */
export const asking = (method: string, params: object): object => ({ id: ++id, method, params });

/** Opens a session and gives its id. */
export const open = async (fetch: Fetch): Promise<string> => {
  const params = {
    protocolVersion: revision,
    capabilities: { elicitation: {} },
    clientInfo: { name: "bench", version: "1.0.0" },
  };
  const response = await fetch(request(asking("initialize", params), undefined));
  await response.text();
  const session = response.headers.get("mcp-session-id");
  if (session === null) throw new Error("The server opened no session");
  await (await fetch(request({ method: "notifications/initialized" }, session))).text();
  return session;
};

/** Ends a session. */
export const end = async (fetch: Fetch, session: string): Promise<void> => {
  const response = await fetch(new Request(url, { method: "DELETE", headers: headers(session) }));
  await response.text();
  if (!response.ok) throw new Error(`The server did not end a session: ${response.status}`);
};
