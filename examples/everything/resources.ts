/** Resources with a fixed URI, and those of a template. */
import * as Effect from "effect/Effect";
import { Resource } from "@needful/mcp";
import { png } from "./media.ts";

const staticText = Resource.make("test://static-text", {
  name: "static-text",
  description: "Text that never changes",
  mimeType: "text/plain",
  handler: () => Effect.succeed("This is the content of the static text resource."),
});

const staticBinary = Resource.make("test://static-binary", {
  name: "static-binary",
  description: "A picture that never changes",
  mimeType: "image/png",
  handler: () => Effect.succeed(Uint8Array.from(atob(png), (byte) => byte.charCodeAt(0))),
});

const watched = Resource.make("test://watched-resource", {
  name: "watched-resource",
  description: "Text that a client can be told of",
  mimeType: "text/plain",
  handler: () => Effect.succeed("Watched resource content"),
});

const template = Resource.template("test://template/{id}/data", {
  name: "template",
  description: "Data by its id",
  mimeType: "application/json",
  handler: ({ id }) => Effect.succeed(JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })),
});

/** The resources; the suite reads the first one. */
export const resources: ReadonlyArray<Resource.Resource | Resource.Template> = [
  staticText,
  staticBinary,
  watched,
  template,
];
