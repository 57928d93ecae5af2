/** Lists as an older revision has them. */
import { isRecord, type JsonRecord } from "../../model/json.ts";
import type { ListReply } from "../../model/reply.ts";
import type { ListKind } from "../../model/request.ts";
import type { Revision } from "./revisions.ts";
import { pick } from "./shape.ts";

const members: { readonly [K in ListKind]: string } = {
  tools: "tools",
  resources: "resources",
  templates: "resourceTemplates",
  prompts: "prompts",
};

const asObject = (schema: unknown): unknown => typeof schema === "boolean" ? schema ? {} : { not: {} } : schema;

/** The schema with an object for every property: `true` and `false` are schemas only from 2026-07-28 on. */
const withObjects = (schema: unknown): unknown => {
  if (!isRecord(schema) || !isRecord(schema["properties"])) return schema;
  const properties = Object.entries(schema["properties"]);
  if (!properties.some(([, property]) => typeof property === "boolean")) return schema;
  return {
    ...schema,
    properties: Object.fromEntries(properties.map(([name, property]) => [name, asObject(property)])),
  };
};

/** A tool: an output schema is listed only where it is one of objects. */
const tool = ({ listed }: Revision, descriptor: JsonRecord): JsonRecord => {
  const { inputSchema, outputSchema, ...others } = pick(listed.tools, descriptor);
  return {
    ...others,
    inputSchema: withObjects(inputSchema),
    ...(isRecord(outputSchema) && outputSchema["type"] === "object" ? { outputSchema: withObjects(outputSchema) } : {}),
  };
};

/** The entry of a list for a feature that the newest revision lists as `descriptor`. */
const entry = (revision: Revision, kind: ListKind, descriptor: JsonRecord): JsonRecord =>
  kind === "tools" ? tool(revision, descriptor) : pick(revision.listed[kind], descriptor);

const pages = new WeakMap<ListReply["page"], Map<Revision, string>>();

/** The members of a list's result. Pages are the same objects until something changes, so each is written once. */
export const pageMembers = (revision: Revision, { kind, page }: ListReply): string => {
  const texts = pages.get(page) ?? new Map<Revision, string>();
  const known = texts.get(revision);
  if (known !== undefined) return known;
  const items = page.items.map((descriptor) => entry(revision, kind, descriptor));
  const next = page.nextCursor === undefined ? "" : `,"nextCursor":${JSON.stringify(page.nextCursor)}`;
  const text = `"${members[kind]}":${JSON.stringify(items)}${next}`;
  pages.set(page, texts.set(revision, text));
  return text;
};
