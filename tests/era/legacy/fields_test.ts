import { describe, test } from "node:test";
import { assertEquals } from "@std/assert";
import * as Legacy from "../../../src/era/legacy.ts";
import * as Revisions from "../../../src/era/legacy/revisions.ts";
import { legacy } from "../../../src/era/revision.ts";
import { fields, type Name, revisions } from "./fields.ts";
import { members } from "./schema.ts";

const revision = (name: Name): Legacy.Revision => Legacy.findRevision(name)!;
const names = (shape: object): ReadonlyArray<string> => Object.keys(shape).sort();

/** The definitions that messages are made of, and the shapes that stand for them. */
const shapes: { readonly [definition: string]: (revision: Legacy.Revision) => object } = {
  Resource: ({ listed }) => listed.resources,
  ResourceTemplate: ({ listed }) => listed.templates,
  Prompt: ({ listed }) => listed.prompts,
  PromptArgument: ({ listed }) => listed.prompts["arguments"] as object,
  Implementation: ({ implementation }) => implementation,
  TextContent: ({ blocks }) => blocks.text!,
  ImageContent: ({ blocks }) => blocks.image!,
  EmbeddedResource: ({ blocks }) => blocks.resource!,
  SamplingMessage: ({ sampling }) => sampling.message,
};

describe("fields", () => {
  test("fields: are those of the official schemas, where they lie beside the clone", () => {
    for (const [definition, byRevision] of Object.entries(fields)) {
      for (const name of revisions) {
        const official = members(name, definition);
        if (official !== undefined) assertEquals(byRevision[name], official, `${definition} ${name}`);
      }
    }
  });

  test("revisions: list the members that each revision has, and no others", () => {
    for (const [definition, shapeOf] of Object.entries(shapes)) {
      for (const name of revisions) {
        assertEquals(names(shapeOf(revision(name))), fields[definition]![name], `${definition} ${name}`);
      }
    }
  });

  test("revisions: list the members of a tool but for its execution, as there are no tasks here", () => {
    for (const name of revisions) {
      const expected = fields["Tool"]![name].filter((field) => field !== "execution");
      assertEquals(names(revision(name).listed.tools), expected, name);
    }
  });

  test("revisions: have the types of blocks that their schemas have", () => {
    const types = Object.fromEntries(revisions.map((name) => [name, names(revision(name).blocks)]));
    assertEquals(types, {
      "2025-11-25": ["audio", "image", "resource", "resource_link", "text"],
      "2025-06-18": ["audio", "image", "resource", "resource_link", "text"],
      "2025-03-26": ["audio", "image", "resource", "text"],
      "2024-11-05": ["image", "resource", "text"],
    });
  });

  test("revisions: are those that the era of a message is told by, newest first", () => {
    assertEquals(Revisions.revisions.map(({ name }) => name), legacy);
    assertEquals(Revisions.newest.name, legacy[0]);
    assertEquals(Legacy.findRevision("2026-07-28"), undefined);
  });

  test("revisions: differ in what the change logs say", () => {
    const which = (has: (revision: Legacy.Revision) => boolean): ReadonlyArray<string> =>
      Revisions.revisions.filter(has).map(({ name }) => name);
    // Batches came with 2025-03-26 and went with 2025-06-18
    assertEquals(which(({ batches }) => batches), ["2025-03-26"]);
    assertEquals(which(({ structured }) => structured), ["2025-11-25", "2025-06-18"]);
    assertEquals(which(({ elicitation }) => elicitation !== undefined), ["2025-11-25", "2025-06-18"]);
    assertEquals(which(({ elicitation }) => elicitation?.url === true), ["2025-11-25"]);
    assertEquals(which(({ sampling }) => sampling.tools), ["2025-11-25"]);
    assertEquals(which(({ completionContext }) => completionContext), ["2025-11-25", "2025-06-18"]);
    assertEquals(which(({ completions, progressMessage }) => completions && progressMessage), legacy.slice(0, 3));
    // Design, section 9: "error id when unreadable", "disconnect", and 2024-11-05 on stdio only
    assertEquals(which(({ nullId }) => nullId), legacy.slice(1));
    assertEquals(which(({ resumable }) => resumable), ["2025-11-25"]);
    assertEquals(which(({ http }) => http), legacy.slice(0, 3));
  });
});
