/** Case B21: what tracers and logs are told of a call whose handler asks. */
import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import * as Layer from "effect/Layer";
import * as Tracer from "effect/Tracer";
import { McpServer } from "@needful/mcp";
import { askName, counter } from "./fixtures.ts";
import { inProcess, log } from "./serve.ts";
import { accept, again, asks, call, completes, decline, FORM, META, send } from "./wire.ts";

/** A tracer that keeps its spans, as a layer. */
const tracer = () => {
  const spans: Array<Tracer.NativeSpan> = [];
  const keep = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options);
      spans.push(span);
      return span;
    },
  });
  return { spans, layer: Layer.succeed(Tracer.Tracer, keep) as Layer.Layer<never> };
};

const attributes = (span: Tracer.NativeSpan, ...names: ReadonlyArray<string>): ReadonlyArray<unknown> =>
  names.map((name) => span.attributes.get(name));

/** Everything that a span says, as text, but for the value that the program itself goes on with. */
const dump = (span: Tracer.NativeSpan): string =>
  JSON.stringify(
    [span.name, [...span.attributes], span.events],
    (_, value) => typeof value === "bigint" ? `${value}` : value instanceof Map ? [...value] : value,
  );

describe("B21: telemetry", () => {
  test("B21: an ask is told from a finished call, and both rounds have the id of their flow", () => {
    const { layer, spans } = tracer();
    const kept = log();
    return inProcess(McpServer.make({ name: "traced", version: "1", tools: [askName(counter())] }), async (target) => {
      const secret = "Ada Lovelace of 12 St James's Square";
      const first = call("ask_name", { token: "an argument of the client" }, FORM);
      const { state } = asks(await send(target, first), "who");
      completes(
        await send(target, again(first, { inputResponses: { who: accept({ name: secret }) }, requestState: state })),
        `Hello ${secret}`,
      );
      const calls = spans.filter(({ attributes }) => attributes.has("needful.outcome"));
      assertEquals(calls.map((span) => attributes(span, "needful.outcome", "needful.round")), [["input_required", 1], [
        "complete",
        2,
      ]]);
      const [one, two] = calls.map((span) => span.attributes.get("needful.flow"));
      assert(typeof one === "string" && one === two && one.length >= 16, `${one} ${two}`);
      // An interim result is no failure of the span (B21), and no fault either
      assertEquals(calls.map(({ status }) => status._tag === "Ended" && status.exit._tag), ["Success", "Success"]);
      const told = [...spans.map(dump), ...kept.lines.map(({ text }) => text)].join("\n");
      for (const hidden of [secret, state, state.slice(40, 80), "an argument of the client"]) {
        assert(!told.includes(hidden), `${hidden} in ${told}`);
      }
      assert(!state.includes(one), "the flow's id is no part of what the client sees");
    }, { layer: Layer.merge(layer, kept.layer) });
  });

  test("B21: declined calls, faults and other flows are told apart", () => {
    const { layer, spans } = tracer();
    return inProcess(McpServer.make({ name: "traced", version: "1", tools: [askName(counter())] }), async (target) => {
      const first = call("ask_name", {}, FORM);
      const { state } = asks(await send(target, first), "who");
      await send(target, again(first, { inputResponses: { who: decline }, requestState: state }));
      await send(target, call("ask_name"));
      await send(target, again(first, { requestState: `${state}A` }));
      const calls = spans.filter(({ attributes }) => attributes.has("needful.outcome"));
      assertEquals(calls.map((span) => attributes(span, "needful.outcome")[0]), [
        "input_required",
        "error",
        "fault",
        "fault",
      ]);
      const flows = calls.map((span) => span.attributes.get("needful.flow"));
      assertEquals([flows[0] === flows[1], flows[2] === flows[0]], [true, false]);
    }, { layer });
  });

  test("B21: the client's trace goes on in the server's spans (basic, OpenTelemetry trace context)", () => {
    const { layer, spans } = tracer();
    return inProcess(McpServer.make({ name: "traced", version: "1", tools: [askName(counter())] }), async (target) => {
      const traceparent = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";
      const params = { ...call("ask_name", {}, FORM).params, ...META(FORM, { traceparent }) };
      asks(await send(target, { ...call("ask_name", {}, FORM), params }), "who");
      asks(
        await send(target, { ...call("ask_name", {}, FORM), params: { ...params, ...META(FORM, { traceparent: 7 }) } }),
        "who",
      );
      const [traced, other] = spans.filter(({ attributes }) => attributes.has("needful.outcome"));
      assertEquals(traced?.traceId, "0af7651916cd43dd8448eb211c80319c");
      assert(other !== undefined && other.traceId !== traced?.traceId);
    }, { layer });
  });
});
