/** `Need.elicitUrl`: where the user is sent (2026-07-28, client/elicitation, "URL Mode", "Safe URL Handling"). */
import { describe, test } from "node:test";
import { assert, assertEquals, assertThrows } from "@std/assert";
import * as Context from "effect/Context";
import * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Need from "../../src/need/mod.ts";
import { specOf } from "../../src/need/need.ts";
import { failure, malformed, message } from "./help.ts";

const done = Effect.succeedSome(1);

describe("elicitUrl", () => {
  test("asks in URL mode, with the interaction's id where the author put it", () => {
    const need = Need.elicitUrl("pay", { message, url: (id) => `https://shop.example/pay?i=${id}`, done });
    assertEquals(specOf(need).request("42"), {
      method: "elicitation/create",
      params: { mode: "url", message, url: "https://shop.example/pay?i=42" },
      interaction: "42",
    });
    assertEquals(need.kind, "url");
    // As data, before there is a flow.
    assertEquals((need.request.params as { url: string }).url, "https://shop.example/pay?i={interaction}");
  });

  test("takes a text as it is, and a URL", () => {
    for (
      const url of ["https://shop.example", new URL("https://shop.example/"), () => new URL("http://localhost:1/x")]
    ) {
      const sent = (specOf(Need.elicitUrl("pay", { message, url, done })).request("1").params as { url: string }).url;
      assertEquals(sent, typeof url === "function" ? "http://localhost:1/x" : String(url));
    }
  });

  test("refuses what is no absolute http(s) URL, naming the key: when built, or when asked", () => {
    const bad = [
      "",
      "/pay",
      "shop.example/pay",
      "javascript:alert(1)",
      "file:///etc/passwd",
      "data:text/html,x",
      "https://",
    ];
    for (const url of bad) {
      const why = `Cannot build URL elicitation "pay": its URL is not an absolute http or https URL`;
      assertThrows(() => Need.elicitUrl("pay", { message, url, done }), why);
      const late = Need.elicitUrl("pay", { message, url: () => url, done });
      assertThrows(() => specOf(late).request("1"), why);
    }
    assertThrows(
      () => Need.elicitUrl("pay", { message, url: "https://ada:secret@shop.example", done }),
      "its URL carries credentials",
    );
  });

  test("the question is the same wherever the user is sent", () => {
    const [a, b] = ["https://a.example", "https://b.example"].map((url) =>
      specOf(Need.elicitUrl("pay", { message, url, done })).identity()
    );
    assertEquals(a, b);
  });

  test("accept is consent; decline and cancel are told apart; nothing is volunteered", () => {
    const { read, volunteer } = specOf(Need.elicitUrl("pay", { message, url: "https://shop.example", done }));
    assertEquals(read({ action: "accept" })._tag, "Answer");
    assertEquals(read({ action: "accept", content: "whatever", x: 1 })._tag, "Answer");
    assertEquals(failure(read({ action: "decline" }))._tag, "Declined");
    assertEquals(failure(read({ action: "cancel" }))._tag, "Cancelled");
    for (const raw of malformed) assertEquals(read(raw)._tag, "Invalid");
    assertEquals(volunteer, false);
  });

  test("done is an effect, a service, or a function of the interaction's id; wait is 20 seconds", () => {
    const url = "https://shop.example";
    const completion = (options: Partial<Need.ElicitUrlOptions<unknown, never>>) => {
      const found = specOf(Need.elicitUrl("pay", { message, url, done, ...options })).completion;
      assert(found !== undefined);
      return { wait: found.wait, done: (id: string) => found.done(id) as Effect.Effect<Option.Option<unknown>> };
    };
    assertEquals(Effect.runSync(completion({}).done("7")), Option.some(1));
    assertEquals(
      Effect.runSync(completion({ done: (id: string) => Effect.succeedSome(id) }).done("7")),
      Option.some("7"),
    );
    class Paid extends Context.Service<Paid, Option.Option<number>>()("test/Paid") {}
    const service = specOf(Need.elicitUrl("pay", { message, url, done: Paid })).completion?.done("7");
    assertEquals(
      Effect.runSync(Effect.provideService(service as Effect.Effect<unknown, never, Paid>, Paid, Option.some(3))),
      Option.some(3),
    );
    assertEquals(Duration.toMillis(completion({}).wait), 20_000);
    assertEquals(Duration.toMillis(completion({ wait: "2 seconds" }).wait), 2_000);
  });
});
