/** What the returning style puts on the modern wire, to the letter: odd keys, and the author's state up to its limit. */
import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import { Auth, Manual, McpServer, RequestState, Sealer, Tool } from "@needful/mcp";
import { inProcess } from "../cases/serve.ts";
import { accept, again, asks, call, cancel, completes, decline, fails, FORM, send } from "../cases/wire.ts";

const form = Manual.elicit({ message: "V?", schema: Schema.Struct({ v: Schema.String }) });

/** An object with these members, whatever their names are. */
const record = (members: ReadonlyArray<readonly [string, unknown]>): { readonly [key: string]: unknown } =>
  JSON.parse(`{${members.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(",")}}`);

test("keys of any name are only keys, in requests, answers and states", () => {
  const keys = ["__proto__", "constructor", "toString", "hasOwnProperty", "1"];
  const requests: Record<string, typeof form> = Object.fromEntries(keys.map((key) => [key, form]));
  const odd = Tool.make("odd", {
    handler: Effect.fnUntraced(function* () {
      const missing = yield* Manual.missing(requests);
      if (Object.keys(missing).length > 0) return Manual.inputRequired({ inputRequests: missing });
      return JSON.stringify(Object.entries(yield* Manual.responses(requests)));
    }),
  });
  return inProcess(McpServer.make({ name: "odd", version: "1", tools: [odd] }), async (target) => {
    const body = call("odd", {}, FORM);
    const first = asks(await send(target, body), ...keys).state;
    const some = record([["__proto__", accept({ v: "p" })], ["constructor", decline], ["1", accept({ v: "1" })]]);
    const reply = await send(target, again(body, { inputResponses: some, requestState: first }));
    const second = asks(reply, "toString", "hasOwnProperty").state;
    const rest = record([["toString", cancel], ["hasOwnProperty", accept({ v: "h" })]]);
    const end = await send(target, again(body, { inputResponses: rest, requestState: second }));
    assertEquals(
      new Map(JSON.parse(end.result?.content?.[0]?.text ?? "")),
      new Map<string, unknown>([
        ["1", { action: "accept", content: { v: "1" } }],
        ["__proto__", { action: "accept", content: { v: "p" } }],
        ["constructor", { action: "decline" }],
        ["toString", { action: "cancel" }],
        ["hasOwnProperty", { action: "accept", content: { v: "h" } }],
      ]),
    );
  });
});

describe("the author's state", () => {
  /** Returns `text` as its state, and says whether it came back so. */
  const keeping = (text: string) => {
    const keep = Tool.make("keep", {
      handler: () =>
        Effect.map(
          Manual.rawState,
          Option.match({
            onNone: () => Manual.inputRequired({ requestState: text }),
            onSome: (state) => `${state === text}`,
          }),
        ),
    });
    return McpServer.make({ name: "keep", version: "1", tools: [keep] });
  };
  const body = call("keep", {}, FORM);

  test("comes back to the letter, and cannot be read on its way", async () => {
    for (const text of ["", "plain", '{"a":[1]}', "\u0000\n\ud800 é日本語 \udfff", "%2e%2e/=+_-"]) {
      await inProcess(keeping(text), async (target) => {
        const { state } = asks(await send(target, body));
        // Strict base64url, of which nothing is the author's own text
        assert(/^[\w-]+$/.test(state), state);
        const bytes = atob(state.replaceAll("-", "+").replaceAll("_", "/"));
        if (text.length > 4) assert(!bytes.includes(text.slice(0, 5)) && !state.includes(text.slice(0, 5)));
        completes(await send(target, again(body, { requestState: state })), "true");
      });
    }
  });

  test("bound to the principal is good for that one alone, and is not made for nobody", async () => {
    const Visit = RequestState.make({
      schema: Schema.Int,
      key: "the key of the visits, 32 bytes long",
      bind: ["principal"],
    });
    const visit = Tool.make("visit", {
      handler: Effect.fnUntraced(function* () {
        const seen = yield* Visit.open;
        if (Option.isSome(seen)) return `visit ${seen.value}`;
        return Manual.inputRequired({ requestState: yield* Visit.seal(7) });
      }),
    });
    const authenticate = ({ header }: Auth.AuthRequest) =>
      Effect.succeed(header("authorization") === undefined ? Auth.anonymous : Auth.principal(header("authorization")!));
    await inProcess(McpServer.make({ name: "visits", version: "1", tools: [visit] }), async (target) => {
      const body = call("visit", {}, FORM);
      const { state } = asks(await send(target, body, { authorization: "ada" }));
      const back = again(body, { requestState: state });
      completes(await send(target, back, { authorization: "ada" }), "visit 7");
      for (const changes of [{ authorization: "bea" }, {}]) {
        assertEquals(fails(await send(target, back, changes), 200, -32602).message, "Invalid request state");
      }
      assertEquals(
        fails(await send(target, body), 200, -32603).message,
        "Cannot seal the request state: it is bound to the principal, and the caller is not authenticated",
      );
    }, { authenticate });
  });

  test("fits up to the limit of 65,536 characters on the wire, both ways, and not one character more", async () => {
    /** The length of the state on the wire; or the error. */
    const sent = async (length: number): Promise<number | string> => {
      let found: number | string = 0;
      await inProcess(keeping("x".repeat(length)), async (target) => {
        const { error, result } = await send(target, body);
        found = error === undefined ? result!.requestState!.length : `${error.code} ${error.message}`;
      });
      return found;
    };
    let most = 40_000;
    for (let step = 16_384; step >= 1; step /= 2) if (typeof await sent(most + step) === "number") most += step;
    assertEquals(await sent(most), Sealer.limit);
    assertEquals(Sealer.limit, 65_536);
    // Of base64url, no text has 65,537 characters
    assertEquals(
      await sent(most + 1),
      "-32603 The request state has 65538 characters, more than the limit of 65536",
    );
    await inProcess(keeping("x".repeat(most)), async (target) => {
      const { state } = asks(await send(target, body));
      completes(await send(target, again(body, { requestState: state })), "true");
      for (const requestState of [`${state}A`, "A".repeat(65_536), "A".repeat(65_537)]) {
        const error = fails(await send(target, again(body, { requestState })), 200, -32602);
        assertEquals(error, { code: -32602, message: "Invalid request state" });
      }
    });
  });
});
