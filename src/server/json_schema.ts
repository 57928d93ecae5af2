/**
 * JSON Schema 2020-12 from Effect Schemas: what a schema decodes from, published so that what is valid by the one is
 * valid by the other, as far as JSON Schema has words for it.
 *
 * The encoded side of the schema's AST is walked, with the author's annotations from both sides. Nothing is left open
 * silently: what has no JSON form is refused by the name of its field.
 */
import * as Schema from "effect/Schema";
import * as SchemaAST from "effect/SchemaAST";
import { isRecord, type JsonRecord } from "../model/json.ts";
import { addChecks, type AnyCheck, type Draft, keyNotes, notes } from "./json_schema_checks.ts";

type AST = SchemaAST.AST;

const maxDepth = 64;
const maxSize = 10_000;
const maxDefinitions = 100;

/** The last `to` of a chain of encodings: where the wire's own annotations stand. */
const wireEnd = (ast: AST): AST =>
  ast.encoding === undefined ? ast : wireEnd((ast.encoding.at(-1) as SchemaAST.Link).to);

const named = (ast: AST): string | undefined => {
  const identifier = SchemaAST.resolveIdentifier(ast);
  return typeof identifier === "string" && /^[A-Za-z0-9_.-]+$/.test(identifier) ? identifier : undefined;
};

const jsonId = (ast: AST): boolean => {
  const representation = ast.annotations?.["representation"];
  return isRecord(representation) &&
    (representation["id"] === "effect/schema/Json" || representation["id"] === "effect/schema/MutableJson");
};

const typeOf = (values: ReadonlyArray<unknown>): JsonRecord => {
  const types = new Set(values.map((value) => typeof value));
  return types.size === 1 ? { type: [...types][0] } : {};
};

class Walk {
  readonly #names = new Map<AST, string>();
  readonly definitions: Draft = {};
  #size = 0;
  /** Whether all so far is said exactly. */
  #exact = true;

  visit(wire: AST, doc: AST | undefined, path: string, depth: number): Draft {
    if (depth > maxDepth) throw this.refuse(path, `nested over ${maxDepth} levels`);
    if (++this.#size > maxSize) throw this.refuse(path, `more than the ${maxSize}th part of its schema`);
    const draft = this.#shape(wire, doc, path, depth);
    if (wire.checks !== undefined) {
      const nested = (ast: AST) => this.visit(SchemaAST.toEncoded(ast), ast, path, depth + 1);
      if (!addChecks(draft, wire.checks as ReadonlyArray<AnyCheck>, nested)) this.#exact = false;
    }
    const written: Draft = { ...notes(wire) };
    if (doc !== undefined && doc.encoding !== undefined) Object.assign(written, this.#outer(doc));
    return Object.assign(draft, written, doc === undefined ? {} : keyNotes(doc));
  }

  refuse(path: string, what: string): TypeError {
    return new TypeError(`${path === "" ? "it" : `field "${path}"`} is ${what}`);
  }

  /** What is written on the decoded side; a default there is published in its encoded form. */
  #outer(doc: AST): JsonRecord {
    const { default: _, examples: __, format: ___, ...rest } = notes(doc);
    const { default: value } = { ...doc.annotations, ...SchemaAST.resolve(doc) };
    if (value === undefined) return rest;
    const encoded = Schema.encodeUnknownOption(Schema.make<Schema.Codec<unknown>>(doc))(value);
    return encoded._tag === "None" || JSON.stringify(encoded.value) === undefined
      ? rest
      : { ...rest, default: encoded.value };
  }

  #shape(wire: AST, doc: AST | undefined, path: string, depth: number): Draft {
    switch (wire._tag) {
      case "String":
        return { type: "string" };
      case "Number":
        return { type: "number" };
      case "Boolean":
        return { type: "boolean" };
      case "Null":
        return { type: "null" };
      case "Any":
      case "Unknown":
        return {};
      case "Never":
        return { not: {} };
      case "ObjectKeyword":
        return { type: ["object", "array"] };
      case "Literal":
        if (typeof wire.literal === "bigint") throw this.refuse(path, "a bigint, which JSON does not have");
        return { ...typeOf([wire.literal]), const: wire.literal };
      case "Enum": {
        const values = wire.enums.map(([, value]) => value);
        return values.length === 0 ? { not: {} } : { ...typeOf(values), enum: values };
      }
      case "TemplateLiteral":
        return { type: "string", pattern: pattern(wire) };
      case "Arrays":
        return this.#array(wire, doc, path, depth);
      case "Objects":
        return this.#object(wire, doc, path, depth);
      case "Union":
        return this.#union(wire, doc, path, depth);
      case "Suspend":
        return this.#reference(wire, doc, path);
      case "Declaration":
        if (jsonId(wire) && (doc?._tag !== "Declaration" || codec(doc))) return {};
        throw this.refuse(path, "of a type that has no JSON form");
      default:
        throw this.refuse(path, `of the type ${wire._tag.toLowerCase()}, which JSON does not have`);
    }
  }

  #array(wire: SchemaAST.Arrays, doc: AST | undefined, path: string, depth: number): Draft {
    const end = doc === undefined ? undefined : wireEnd(doc);
    const source = end?._tag === "Arrays" ? end : undefined;
    if (wire.rest.length > 1) throw this.refuse(path, "a tuple with elements behind a list");
    const [rest] = wire.rest;
    const items = rest === undefined ? false : this.visit(rest, source?.rest[0], `${path}[]`, depth + 1);
    const open: Draft = items !== false && Object.keys(items).length === 0 ? {} : { items };
    if (wire.elements.length === 0) {
      return rest === undefined ? { type: "array", maxItems: 0 } : { type: "array", ...open };
    }
    if (wire.elements.length === 1 && wire.elements[0] === rest) return { type: "array", ...open, minItems: 1 };
    const required = wire.elements.filter((element) => !SchemaAST.isOptional(element)).length;
    return {
      type: "array",
      prefixItems: wire.elements.map((element, index) =>
        this.visit(element, source?.elements[index], `${path}[${index}]`, depth + 1)
      ),
      ...open,
      ...(required === 0 ? {} : { minItems: required }),
    };
  }

  #object(wire: SchemaAST.Objects, doc: AST | undefined, path: string, depth: number): Draft {
    const end = doc === undefined ? undefined : wireEnd(doc);
    const source = end?._tag === "Objects" ? end : undefined;
    // An empty struct takes all but null and undefined; at the root nothing but objects comes in.
    if (wire.propertySignatures.length === 0 && wire.indexSignatures.length === 0) {
      return path === "" ? { type: "object", properties: {} } : { not: { type: "null" } };
    }
    const properties: Array<readonly [string, Draft]> = [];
    const required: Array<string> = [];
    for (const { name, type } of wire.propertySignatures) {
      if (typeof name !== "string") throw this.refuse(path, "an object with a key that is no string");
      const at = path === "" ? name : `${path}.${name}`;
      const optional = SchemaAST.isOptional(type);
      if (!optional) required.push(name);
      const known = source?.propertySignatures.find((property) => property.name === name)?.type;
      const absent = optional && (type._tag === "Undefined" || type._tag === "Void");
      properties.push([name, absent ? { not: {} } : this.visit(type, known, at, depth + 1)]);
    }
    const draft: Draft = { type: "object" };
    if (properties.length > 0) draft["properties"] = Object.fromEntries(properties);
    if (required.length > 0) draft["required"] = required;
    const patterns: Array<readonly [string, Draft]> = [];
    wire.indexSignatures.forEach((signature, index) => {
      const values = this.visit(signature.type, source?.indexSignatures[index]?.type, `${path}{}`, depth + 1);
      const keys = keyPattern(signature.parameter);
      if (keys === undefined) throw this.refuse(path, "a record with keys that JSON Schema cannot describe");
      if (keys !== "") patterns.push([keys, values]);
      // The values of named properties have to fit the signature too, which `additionalProperties` beside them would not say.
      else if (properties.length === 0 && draft["additionalProperties"] === undefined) {
        draft["additionalProperties"] = values;
      } else draft["allOf"] = [...(draft["allOf"] as ReadonlyArray<Draft> ?? []), { additionalProperties: values }];
    });
    if (patterns.length > 0) {
      if (draft["additionalProperties"] !== undefined || new Set(patterns.map(([key]) => key)).size < patterns.length) {
        throw this.refuse(path, "a record with several kinds of keys");
      }
      draft["patternProperties"] = Object.fromEntries(patterns);
    }
    return draft;
  }

  #union(wire: SchemaAST.Union, doc: AST | undefined, path: string, depth: number): Draft {
    const end = doc === undefined ? undefined : wireEnd(doc);
    const source = end?._tag === "Union" && end.types.length === wire.types.length ? end : undefined;
    // A value that is undefined does not travel: its key is absent.
    const members = wire.types.map((type, index) => ({ type, doc: source?.types[index] }))
      .filter(({ type }) => type._tag !== "Undefined" && type._tag !== "Void");
    const [first] = members;
    if (first === undefined) throw this.refuse(path, "undefined, which JSON does not have");
    const one = wire.options?.mode === "oneOf";
    const before = this.#exact;
    this.#exact = true;
    const types = members.map((member) => this.visit(member.type, member.doc, path, depth + 1));
    const exact = this.#exact;
    this.#exact &&= before;
    if (members.length === 1) return types[0] as Draft;
    const values = [...new Set(types.map((type) => type["const"]))];
    const single = types.every((type) => "const" in type) && (values.length === types.length || !one);
    if (single && types.every((type) => Object.keys(type).every((key) => key === "const" || key === "type"))) {
      return { ...typeOf(values), enum: values };
    }
    if (single && values.length === types.length) {
      return { ...typeOf(values), oneOf: types.map(({ type: _, ...rest }) => rest) };
    }
    return one && exact ? { oneOf: types } : { anyOf: types };
  }

  #reference(wire: SchemaAST.Suspend, doc: AST | undefined, path: string): Draft {
    const target = wire.thunk();
    const end = doc === undefined ? undefined : wireEnd(doc);
    const source = end?._tag === "Suspend" ? end.thunk() : undefined;
    const known = this.#names.get(target);
    if (known !== undefined) return { $ref: `#/$defs/${known}` };
    const wish = (source === undefined ? undefined : named(source)) ?? named(target) ?? "Node";
    if (this.#names.size >= maxDefinitions) throw this.refuse(path, `more than the ${maxDefinitions}th recursive type`);
    let name = wish;
    for (let count = 2; Object.hasOwn(this.definitions, name); count++) name = `${wish}${count}`;
    this.#names.set(target, name);
    this.definitions[name] = {};
    // A path of its own, so that an empty struct in here is not taken for the root.
    this.definitions[name] = this.visit(target, source, path === "" ? name : path, 0);
    return { $ref: `#/$defs/${name}` };
  }
}

/** Whether a declaration says how it becomes JSON. */
const codec = (ast: AST): boolean =>
  jsonId(ast) || typeof (ast.annotations?.["toCodecJson"] ?? ast.annotations?.["toCodec"]) === "function";

const pattern = (ast: AST): unknown =>
  Schema.toJsonSchemaDocument(Schema.make<Schema.Schema<unknown>>(ast)).schema["pattern"];

/** The pattern of a record's keys, `""` for any, undefined for those that have none. */
const keyPattern = (parameter: AST): string | undefined => {
  if (parameter._tag !== "String" && parameter._tag !== "TemplateLiteral") return undefined;
  const draft: Draft = { type: "string" };
  if (parameter._tag === "TemplateLiteral") draft["pattern"] = pattern(parameter);
  else if (parameter.checks === undefined) return "";
  if (!addChecks(draft, (parameter.checks ?? []) as ReadonlyArray<AnyCheck>, () => ({}))) return undefined;
  const { pattern: keys, type: _, ...more } = draft;
  return typeof keys === "string" && Object.keys(more).length === 0 ? keys : undefined;
};

/** The JSON Schema of what `schema` decodes from. Throws where it has no JSON form, naming the field. */
export const toJsonSchema = (schema: Schema.Top): JsonRecord => {
  const walk = new Walk();
  const draft = walk.visit(SchemaAST.toEncoded(schema.ast), schema.ast, "", 0);
  return Object.keys(walk.definitions).length === 0 ? draft : { ...draft, $defs: walk.definitions };
};
