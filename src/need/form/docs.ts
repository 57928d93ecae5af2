/** The texts of a field: title, description, format and default, from the annotations of an Effect schema. */
import * as Exit from "effect/Exit";
import * as Schema from "effect/Schema";
import type * as AST from "effect/SchemaAST";
import * as SchemaParser from "effect/SchemaParser";
import type { JsonRecord } from "../../model/json.ts";
import { type Format, isFormat } from "./format.ts";

/** What annotations say of a field. */
export interface Docs {
  readonly title?: string;
  readonly description?: string;
  readonly format?: Format;
  readonly default?: unknown;
}

/** What stands on one node: its own annotations, then those of its checks, the last of which counts most. */
const onNode = (ast: AST.AST): JsonRecord =>
  Object.assign({}, ast.annotations, ...(ast.checks ?? []).map((check) => check.annotations));

/** The nodes from the decoded side of a schema to its encoded end. */
const chain = (ast: AST.AST): ReadonlyArray<AST.AST> => [
  ast,
  ...(ast.encoding ?? []).flatMap((link) => chain(link.to)),
];

/** A default in wire form; or why there is none. */
const encoded = (ast: AST.AST, value: unknown): { readonly default: unknown } | string => {
  const exit = SchemaParser.encodeUnknownExit(Schema.make<Schema.Codec<unknown>>(ast))(value);
  return Exit.isSuccess(exit) ? { default: exit.value } : "has a default that its schema cannot encode";
};

const textsOf = (annotations: JsonRecord): Docs => {
  const { description, format, title } = annotations;
  return {
    ...(typeof title === "string" ? { title } : {}),
    ...(typeof description === "string" ? { description } : {}),
    ...(isFormat(format) ? { format } : {}),
  };
};

/**
 * The texts of a property with the schema `ast`, which is `inner` without undefined and null; or what is wrong with its
 * default. The key's own annotations come first, then the decoded side, then the encoded one.
 */
export const docsOf = (ast: AST.AST, inner: AST.AST): Docs | string => {
  const nodes = [...new Set([...chain(ast), ...chain(inner)])];
  const texts: Docs = Object.assign({}, ...nodes.map((node) => textsOf(onNode(node))).reverse());
  const keyed: JsonRecord = ast.context?.annotations ?? {};
  const all: Docs = { ...texts, ...textsOf(keyed) };
  for (const annotations of [keyed, onNode(ast), onNode(inner)]) {
    if (annotations["default"] === undefined) continue;
    const wire = encoded(inner, annotations["default"]);
    return typeof wire === "string" ? wire : { ...all, ...wire };
  }
  const end = nodes.at(-1);
  const wire = end === undefined ? undefined : onNode(end)["default"];
  return wire === undefined ? all : { ...all, default: wire };
};
