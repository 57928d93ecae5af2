import { describe, test } from "node:test";
import { assertEquals } from "@std/assert";
import { isRequestId, read } from "../../src/era/message.ts";

/** 2026-07-28, basic, "Messages"; B50. */
describe("read", () => {
  const tagOf = (json: unknown): string => read(json)._tag;
  const refused = (json: unknown) => {
    const message = read(json);
    return message._tag === "Malformed"
      ? { id: message.id, code: message.fault.code, status: message.fault.status }
      : message;
  };

  test("read: tells requests, notifications, responses and batches apart", () => {
    assertEquals(read({ jsonrpc: "2.0", id: 1, method: "m" }), { _tag: "Request", id: 1, method: "m", params: {} });
    assertEquals(read({ jsonrpc: "2.0", method: "m", params: { a: 1 } }), {
      _tag: "Notification",
      method: "m",
      params: { a: 1 },
    });
    assertEquals(tagOf({ jsonrpc: "2.0", id: 1, result: {} }), "Response");
    assertEquals(tagOf({ jsonrpc: "2.0", error: { code: 1, message: "" } }), "Response");
    assertEquals(tagOf([]), "Batch");
  });

  test("read: keeps the type of an id", () => {
    for (const id of [0, -1, 7, "7", "", Number.MAX_SAFE_INTEGER]) {
      const message = read({ jsonrpc: "2.0", id, method: "m" });
      assertEquals(message._tag === "Request" && message.id, id);
    }
  });

  test("read: refuses ids that are no string and no integer, and does not repeat them", () => {
    for (const id of [1.5, null, true, {}, [], 2 ** 53]) {
      assertEquals(refused({ jsonrpc: "2.0", id, method: "m" }), { id: undefined, code: -32600, status: 400 });
    }
  });

  test("read: refuses what is no message, with the id where it can be read", () => {
    const malformed: ReadonlyArray<readonly [json: unknown, id: string | number | undefined]> = [
      ["x", undefined],
      [1, undefined],
      [null, undefined],
      [{}, undefined],
      [{ jsonrpc: "2.0", id: 1 }, 1],
      [{ jsonrpc: "2.0", id: 1, method: 1 }, 1],
      [{ jsonrpc: "1.0", id: 2, method: "m" }, 2],
      [{ id: "3", method: "m" }, "3"],
      [{ jsonrpc: "2.0", id: 4, method: "m", params: [] }, 4],
      [{ jsonrpc: "2.0", id: 5, method: "m", params: "x" }, 5],
      [{ jsonrpc: "2.0", id: 6, method: "m", params: null }, 6],
    ];
    for (const [json, id] of malformed) assertEquals(refused(json), { id, code: -32600, status: 400 });
  });
});

test("isRequestId: takes integers that a double holds exactly, since the reply has to repeat them", () => {
  assertEquals([2 ** 53 - 1, 2 ** 53, 0.5, Number.NaN].map(isRequestId), [true, false, false, false]);
});
