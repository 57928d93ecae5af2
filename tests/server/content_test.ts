/** Content blocks as the schema of 2026-07-28 has them. */
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import * as Content from "../../src/server/content.ts";

const bytes = new Uint8Array([0, 255, 16]);

test("text: makes a block, with annotations and _meta when given", () => {
  assertEquals<unknown>(Content.text("a"), { type: "text", text: "a" });
  assertEquals<unknown>(Content.text("a", { annotations: { audience: ["user"], priority: 0 }, _meta: { "x/y": 1 } }), {
    type: "text",
    text: "a",
    annotations: { audience: ["user"], priority: 0 },
    _meta: { "x/y": 1 },
  });
});

test("image, audio: write bytes as base64 and leave base64 as it is", () => {
  assertEquals<unknown>(Content.image(bytes, { mimeType: "image/png" }), {
    type: "image",
    data: "AP8Q",
    mimeType: "image/png",
  });
  assertEquals<unknown>(Content.audio("AP8Q", { mimeType: "audio/wav" }), {
    type: "audio",
    data: "AP8Q",
    mimeType: "audio/wav",
  });
});

test("resource: embeds text as text and bytes as a blob, annotations outside and the type inside", () => {
  assertEquals<unknown>(Content.resource("a:b", "text", { mimeType: "text/plain", annotations: { priority: 1 } }), {
    type: "resource",
    resource: { uri: "a:b", mimeType: "text/plain", text: "text" },
    annotations: { priority: 1 },
  });
  assertEquals<unknown>(Content.resource("a:b", bytes), { type: "resource", resource: { uri: "a:b", blob: "AP8Q" } });
  assertEquals<unknown>(Content.blob("a:b", "AP8Q"), { type: "resource", resource: { uri: "a:b", blob: "AP8Q" } });
});

test("link: names a resource", () => {
  assertEquals<unknown>(Content.link("a:b", { name: "b", size: 3, _meta: {} }), {
    type: "resource_link",
    uri: "a:b",
    name: "b",
    size: 3,
    _meta: {},
  });
});
