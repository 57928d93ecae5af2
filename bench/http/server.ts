/**
 * A contestant as a process of its own that serves HTTP, on any of the runtimes: `deno run -A bench/http/server.ts sdk`.
 * Prints its port. Nothing of the others is loaded.
 *
 * Ours is served by the layer that the project has for the runtime. On Deno and Bun the others are served by the runtime
 * itself, as functions from `Request` to `Response`; on Node the SDK by its own adapter, `effect/ai` by
 * `@effect/platform-node`, and the bare handler by `node:http`, without `Request` and `Response`.
 */
import process from "node:process";
import { runtime } from "../runtime.ts";
import type { Name } from "./names.ts";
import { announce, serveFetch, serveNode } from "./hosts.ts";

const needful = async (): Promise<void> => {
  const [Effect, { Listening, layer }, { server }] = await Promise.all([
    import("effect/Effect"),
    import(`@needful/mcp/${runtime}`) as Promise<typeof import("@needful/mcp/deno")>,
    import("../contestants/needful.ts"),
  ]);
  const program = Effect.gen(function* () {
    const { port } = yield* Listening;
    announce(port);
    return yield* Effect.never;
  });
  await Effect.runPromise(Effect.provide(program, layer(server, { port: 0 })));
};

const sdk = async (): Promise<void> => {
  const { handlerOf, make } = await import("../contestants/sdk.ts");
  if (runtime !== "node") return serveFetch((await make()).fetch);
  const { guarded } = await import("./sdk_node.ts");
  await serveNode(guarded(handlerOf(0)));
};

const effect = async (): Promise<void> => {
  const { app, make } = await import("../contestants/effect_ai.ts");
  if (runtime !== "node") return serveFetch((await make()).fetch);
  const { serveRoutes } = await import("./effect_node.ts");
  await serveRoutes(app(0));
};

const bareBy = (reads: boolean) => async (): Promise<void> => {
  const { make, makeReading, readHeaders, reply } = await import("../contestants/bare.ts");
  if (runtime !== "node") return serveFetch((await (reads ? makeReading : make)()).fetch);
  const headers = { "content-type": "application/json", ...reads ? { "cache-control": "no-store" } : {} };
  await serveNode((request, response) => {
    if (reads) readHeaders((name) => request.headers[name]);
    const chunks: Array<Uint8Array> = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const text = reply(JSON.parse(Buffer.concat(chunks).toString()));
      response.writeHead(200, { ...headers, "content-length": Buffer.byteLength(text) });
      response.end(text);
    });
  });
};

const contestants: { readonly [K in Name]: () => Promise<void> } = {
  needful,
  sdk,
  effect,
  bare: bareBy(false),
  reading: bareBy(true),
};
await contestants[process.argv[2] as Name]();
