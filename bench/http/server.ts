/** A contestant as a process of its own that serves HTTP: `deno run -A bench/http/server.ts sdk`. Prints its port. */
/** Whose servers there are. */
export type Contestant = "needful" | "sdk" | "effect" | "bare";

const handlers = {
  sdk: async () => (await import("../contestants/sdk.ts")).make,
  effect: async () => (await import("../contestants/effect_ai.ts")).make,
  bare: async () => (await import("../contestants/bare.ts")).make,
};

/** By the layer that the project has for this. Nothing of the others is loaded. */
const serveOwn = async (): Promise<void> => {
  const [Effect, Layer, DenoServer, { server, services }] = await Promise.all([
    import("effect/Effect"),
    import("effect/Layer"),
    import("@needful/mcp/deno"),
    import("../contestants/needful.ts"),
  ]);
  const program = Effect.gen(function* () {
    const { port } = yield* DenoServer.Listening;
    console.log(`port ${port}`);
    return yield* Effect.never;
  });
  const layer = Layer.provide(DenoServer.layer(server, { port: 0 }), services);
  await Effect.runPromise(Effect.provide(program, layer));
};

const name = Deno.args[0] as Contestant;
if (name === "needful") await serveOwn();
else {
  const { fetch } = await (await handlers[name]())();
  Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: ({ port }) => console.log(`port ${port}`) }, fetch);
}
