/** Case B72: what ends by an interruption that the server did not ask for is answered like any failure. */
import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Layer from "effect/Layer";
import * as Schema from "effect/Schema";
import { McpServer, Prompt, Sealer } from "@needful/mcp";
import { Client, post, read, request } from "../transport/legacy_kit.ts";
import { withLine } from "../transport/stdio_kit.ts";
import { askNameBare, counter } from "./fixtures.ts";
import { inProcess, log } from "./serve.ts";
import { call, FORM, type Json, META, rpc, send } from "./wire.ts";

/** As where a service has lost a background fiber: who joins that one is interrupted as well. */
const lost: Effect.Effect<never> = Effect.gen(function* () {
  const fiber = yield* Effect.forkDetach(Effect.never);
  yield* Fiber.interrupt(fiber);
  return yield* Fiber.join(fiber);
});

const begun = Deferred.makeUnsafe<void>();

const server: McpServer.McpServer = McpServer.make({
  name: "interrupted",
  version: "1",
  tools: [askNameBare(counter())],
  prompts: [
    Prompt.make("p", {
      args: Schema.Struct({ sync: Schema.String, late: Schema.String, never: Schema.String }),
      complete: {
        sync: () => Effect.interrupt,
        late: () => Effect.andThen(Effect.promise(() => Promise.resolve()), lost),
        never: () => Effect.andThen(Deferred.succeed(begun, undefined), Effect.never),
      },
      handler: () => Effect.succeed("x"),
    }),
  ],
});

const interrupted = ["sync", "late"];

const complete = (argument: string): Json => ({
  ref: { type: "ref/prompt", name: "p" },
  argument: { name: argument, value: "" },
});

const asked = (argument: string) => request("completion/complete", complete(argument));

const internal = { code: -32603, message: "Internal error" };

describe("B72: a completion that is interrupted", () => {
  test("B72: is an internal error with its id in the modern era, and is in the log", () => {
    const kept = log();
    return inProcess(server, async (target) => {
      for (const argument of interrupted) {
        const before = kept.lines.length;
        const { error, id, status } = await send(
          target,
          rpc("completion/complete", { ...META(), ...complete(argument) }, argument),
        );
        assertEquals([status, id, error], [200, argument, internal]);
        assert(kept.lines.length > before, "Nothing in the log");
      }
    }, { layer: kept.layer });
  });

  test("B72: is one in a session, in a batch, and without a session", async () => {
    await inProcess(server, async ({ fetch }) => {
      for (const revision of ["2025-11-25", "2025-03-26"]) {
        const client = await Client.open(fetch, { revision });
        for (const argument of interrupted) {
          const message = asked(argument);
          const { last, status, streamed } = await client.send(message);
          assertEquals([status, streamed, last?.id, last?.error], [200, false, message.id, internal]);
        }
        if (revision !== "2025-03-26") continue;
        const batch = [...interrupted.map(asked), request("ping")];
        const { last } = await client.send(batch);
        const replies = new Map(last.map(({ error, id }: Json) => [id, error]));
        assertEquals(batch.map(({ id }) => replies.get(id)), [internal, internal, undefined]);
        assertEquals(replies.size, 3);
      }
    });
    await inProcess(server, async ({ fetch }) => {
      for (const argument of interrupted) {
        const message = asked(argument);
        const { last, status } = await read(await fetch(post(message)));
        assertEquals([status, last?.id, last?.error], [200, message.id, internal]);
      }
    }, { legacy: { mode: "stateless" } });
  });

  test("B72: is one over stdio, in both eras", () =>
    withLine(server, async ({ next, send }) => {
      for (const argument of interrupted) {
        send(rpc("completion/complete", { ...META(), ...complete(argument) }, argument));
        assertEquals(await next(), { jsonrpc: "2.0", id: argument, error: internal });
      }
      const clientInfo = { name: "t", version: "1" };
      send(request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo }, 0));
      await next();
      for (const argument of interrupted) {
        const message = asked(argument);
        send(message);
        assertEquals(await next(), { jsonrpc: "2.0", id: message.id, error: internal });
      }
    }));

  test("B72: has no reply where it is the client who cancels it (2025-11-25, cancellation)", () =>
    inProcess(server, async ({ fetch }) => {
      const client = await Client.open(fetch);
      const message = asked("never");
      const replying = client.send(message);
      await Effect.runPromise(Deferred.await(begun));
      assertEquals(await client.cancel(message.id), 202);
      assertEquals((await replying).messages, []);
    }));
});

test("B72: a sealer that is interrupted is an internal error with the id of the call, whether it seals or opens", () =>
  inProcess(server, async (target) => {
    for (const more of [{}, { requestState: "state", inputResponses: {} }]) {
      const body = call("ask_bare", {}, FORM, more);
      const { error, id, status } = await send(target, body);
      assertEquals([status, id, error], [200, body.id, internal]);
    }
  }, { layer: Layer.succeed(Sealer.Sealer, { seal: () => lost, open: () => lost }) as Layer.Layer<never> }));
