import { describe, test } from "node:test";
import { assertEquals } from "@std/assert";
import { isFault } from "../../src/model/fault.ts";
import { FramedVisit } from "../../src/transport/web_visit.ts";

const limit = 100;

const request = (body: BodyInit, headers: Record<string, string>): Request =>
  new Request("http://localhost/mcp", { method: "POST", body, headers, ...{ duplex: "half" } });

const readAll = (request: Request): Promise<string | number> =>
  new Promise((resolve) =>
    new FramedVisit(request, () => {}).read(limit, (body) => resolve(isFault(body) ? body.status : body))
  );

/** A body that never ends. */
const endless = (): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(10)) }, { highWaterMark: 0 });

/** Keeps count of the streams that are asked for. */
const watched = (body: string, headers: Record<string, string>): { readonly request: Request; streams: number } => {
  const seen = { request: request(body, headers), streams: 0 };
  const stream = Object.getOwnPropertyDescriptor(Request.prototype, "body")!.get!;
  Object.defineProperty(seen.request, "body", {
    get() {
      seen.streams++;
      return stream.call(this);
    },
  });
  return seen;
};

describe("FramedVisit", () => {
  test("FramedVisit: makes no stream of a body whose length is stated", async () => {
    const seen = watched("é日本", { "content-length": "8" });
    assertEquals([await readAll(seen.request), seen.streams], ["é日本", 0]);
  });

  test("FramedVisit: reads up to the limit where no length is stated, or another framing goes before it (B73)", async () => {
    const chunked: ReadonlyArray<Record<string, string>> = [
      {},
      { "transfer-encoding": "chunked" },
      { "transfer-encoding": "chunked", "content-length": "5" },
    ];
    for (const headers of chunked) {
      const seen = watched("x", headers);
      assertEquals([await readAll(seen.request), seen.streams], ["x", 1]);
      assertEquals(await readAll(request(endless(), headers)), 413);
    }
  });

  test("FramedVisit: refuses what is too long, not UTF-8, or broken off, as streams are", async () => {
    const stated = { "content-length": "5" };
    assertEquals(await readAll(request("x".repeat(limit), stated)), "x".repeat(limit));
    assertEquals(await readAll(request("x".repeat(limit + 1), stated)), 413);
    assertEquals(await readAll(request(new Uint8Array([0x22, 0x97, 0x22]), stated)), 400);
    const broken = new ReadableStream({ start: (controller) => controller.error(new Error("gone")) });
    assertEquals(await readAll(request(broken, stated)), 400);
  });

  test("FramedVisit: gives up when it is told to", async () => {
    const body = Promise.withResolvers<ArrayBuffer>();
    const given = request("x", { "content-length": "1" });
    Object.defineProperty(given, "arrayBuffer", { value: () => body.promise });
    let read = false;
    new FramedVisit(given, () => {}).read(limit, () => {
      read = true;
    })();
    body.resolve(new ArrayBuffer(1));
    await body.promise;
    assertEquals(read, false);
  });
});
