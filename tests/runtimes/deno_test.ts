/** The layer for Deno in this process, and the permissions that it needs. What it does over sockets is in the suite. */
import { describe, test } from "node:test";
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import type { Catalog } from "@needful/mcp";
import * as DenoServer from "@needful/mcp/deno";
import { call, fixture, outcome, quiet } from "../transport/fixture.ts";

describe("layer", () => {
  test("layer: types say what is provided and what is needed", () => {
    const layer: Layer.Layer<DenoServer.Listening | Catalog.Catalog, DenoServer.ServeError> = DenoServer.layer(
      fixture().server,
    );
    assertEquals(Layer.isLayer(layer), true);
  });

  test("layer: lives as long as its scope, and can be built again", async () => {
    const layer = DenoServer.layer(fixture().server, { port: 0 }).pipe(Layer.provide(quiet));
    const served = Effect.gen(function* () {
      const { url } = Context.get(yield* Layer.build(layer), DenoServer.Listening);
      const { body, headers, method } = call("echo", { text: "é" });
      const request = new Request(url, { method, headers: new Headers(headers), body, ...{ duplex: "half" } });
      assertEquals(yield* Effect.promise(async () => await outcome(await fetch(request))), "200/complete");
      return url;
    });
    for (let times = 0; times < 2; times++) {
      const url = await Effect.runPromise(Effect.scoped(served));
      assertEquals(await fetch(url).then(() => "served", () => "refused"), "refused");
    }
  });

  test("layer: a port that is taken is a ServeError that names it", async () => {
    const taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = taken.addr;
    const layer = DenoServer.layer(fixture().server, { port }).pipe(Layer.provide(quiet));
    const error = await Effect.runPromise(Effect.flip(Effect.scoped(Effect.asVoid(Layer.build(layer)))));
    taken.close();
    assertEquals((error as DenoServer.ServeError)._tag, "ServeError");
    assertStringIncludes((error as DenoServer.ServeError).message, `Cannot listen on 127.0.0.1:${port}: `);
  });
});

describe("run", () => {
  test("run: needs no more than the network, and warns where it may not read its secret", async () => {
    for (const permissions of [[], ["--allow-env=MCP_STATE_SECRET"]]) {
      // Not `node:child_process`: on Deno it reports the signal that was sent, whatever the process made of it
      const child = new Deno.Command(Deno.execPath(), {
        args: [
          "run",
          "--no-prompt",
          "--allow-net=127.0.0.1",
          ...permissions,
          "--no-check",
          new URL("deno_run.ts", import.meta.url).href,
        ],
        env: { MCP_STATE_SECRET: "a key for tests that is long enough", NO_COLOR: "1" },
        stdout: "piped",
        stderr: "piped",
      }).spawn();
      const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
      assertMatch((await lines.read()).value!, /^http:/);
      child.kill("SIGTERM");
      const errors = await new Response(child.stderr).text();
      assertEquals([errors.includes("MCP_STATE_SECRET is not set"), (await child.status).code], [
        permissions.length === 0,
        0,
      ]);
      await lines.cancel();
    }
  });
});
