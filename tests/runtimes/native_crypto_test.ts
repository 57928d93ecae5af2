/** The platform's own cryptography, on the runtime that runs this. */
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import * as ConfigProvider from "effect/ConfigProvider";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import fc from "fast-check";
import { box, type CryptoServices, derive, randomBytes, signer } from "../../src/model/crypto.ts";
import { Hash } from "../../src/model/hash.ts";
import { sha256 } from "../../src/model/sha256.ts";
import { McpServer, Need, Tool } from "@needful/mcp";
import { layerCrypto } from "@needful/mcp/node";
import * as Native from "../../src/runtime/native_crypto.ts";

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
};

const run = <A>(program: Effect.Effect<A, never, CryptoServices>): A =>
  Effect.runSync(Effect.provide(program, Native.layer));

test("layer: none of the services suspends", () => {
  const key = new Uint8Array(32);
  const text = Uint8Array.of(1, 2, 3);
  const program = Effect.gen(function* () {
    const { encrypt, decrypt } = yield* box(yield* derive(key, text, 32));
    const { sign, verify } = yield* signer(yield* randomBytes(32));
    return [yield* decrypt(yield* encrypt(text, text), text), yield* verify(yield* sign(text), text)] as const;
  });
  // `runSync` throws if anything waits.
  assertEquals(run(program), [text, true]);
});

test("layer: all arrays that it gives stand on their own, as plain Uint8Array", () => {
  const [encrypted, decrypted, tag, derived, random] = run(Effect.gen(function* () {
    const { encrypt, decrypt } = yield* box(new Uint8Array(32));
    const { sign } = yield* signer(new Uint8Array(32));
    const text = Uint8Array.of(1);
    const encrypted = yield* encrypt(text, text);
    const tag = yield* sign(text);
    return [encrypted, (yield* decrypt(encrypted, text))!, tag, yield* derive(text, text, 8), yield* randomBytes(8)];
  })) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  for (const bytes of [encrypted, decrypted, tag, derived, random]) {
    assertEquals(Object.getPrototypeOf(bytes), Uint8Array.prototype);
    assertEquals(bytes.byteLength, bytes.buffer.byteLength);
  }
});

test("layer: gives no random bytes twice, across refills of its pool and around it", () => {
  const seen = new Set<string>();
  const sizes = [8, 9, 12, 16, 32, 511, 512, 513, 4_096, 8];
  const draws = Array.from({ length: 3_000 }, (_, i) => sizes[i % sizes.length]!);
  for (const bytes of run(Effect.forEach(draws, randomBytes))) {
    // The first 8 bytes suffice: alike by chance once in 4 trillion runs.
    const head = String(bytes.subarray(0, 8));
    assert(bytes.some((byte) => byte !== 0) && !seen.has(head));
    seen.add(head);
  }
  assertEquals(seen.size, 3_000);
});

test("layer: what is done to bytes it gave does not reach the ones it gives next", () => {
  const [first, second] = run(Effect.gen(function* () {
    const first = yield* randomBytes(12);
    first.fill(0);
    return [first, yield* randomBytes(12)] as const;
  }));
  assertEquals(first, new Uint8Array(12));
  assert(second.some((byte) => byte !== 0));
});

test("layer: its hash is that of the plain one, for any text (FIPS 180-4)", () => {
  const hash = run(Effect.service(Hash));
  assertEquals(hash.sha256("abc"), "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0");
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
    assertEquals(hash.sha256(text), sha256(text));
  }));
  assertEquals(hash.sha256("\ud800"), sha256("\ud800"));
});

test("layerCrypto: a server that is served by something else seals with it, and opens what WebCrypto sealed (DESIGN 7)", async () => {
  const server = McpServer.make({
    name: "crypto",
    version: "1",
    tools: [Tool.make("sure", {
      description: "Asks",
      handler: () => Effect.map(Need.confirm("sure", "Sure?"), (sure) => `Sure: ${sure}`),
    })],
  });
  const keys = ConfigProvider.layer(
    ConfigProvider.fromUnknown({ MCP_STATE_SECRET: "a key for tests that is long enough" }),
  );
  const native = McpServer.toWebHandler(server, Layer.merge(layerCrypto, keys));
  const web = McpServer.toWebHandler(server, keys);
  const ask = async ({ fetch }: McpServer.WebHandler, more: object) => {
    const params = { name: "sure", arguments: {}, _meta: meta, ...more };
    const response = await fetch(
      new Request("http://localhost/mcp", {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "accept": "application/json, text/event-stream",
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": "tools/call",
          "mcp-name": "sure",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
      }),
    );
    return (await response.json()).result;
  };
  let sealed = 0;
  const { encrypt } = Native.primitives.aes256Gcm;
  const aes256Gcm = Native.primitives.aes256Gcm as { encrypt: typeof encrypt };
  aes256Gcm.encrypt = (...all) => {
    sealed++;
    return encrypt(...all);
  };
  const inputResponses = { sure: { action: "accept", content: { ok: true } } };
  for (const [first, second] of [[native, web], [web, native], [native, native]] as const) {
    const { requestState } = await ask(first, {});
    const { content } = await ask(second, { requestState, inputResponses });
    assertEquals(content, [{ type: "text", text: "Sure: true" }]);
  }
  aes256Gcm.encrypt = encrypt;
  assertEquals(sealed, 2);
  await Promise.all([native.dispose(), web.dispose()]);
});
