/** The options of a choice, as an Effect schema has them. */
import * as AST from "effect/SchemaAST";

/** One option of a choice. */
export interface Option {
  readonly value: string;
  readonly title?: string;
}

/** The schema without what the wire says in other ways: undefined, and null where the key may be absent. */
export const without = (ast: AST.AST, optional: boolean): AST.AST => {
  if (ast._tag !== "Union" || ast.encoding !== undefined) return ast;
  const rest = ast.types.filter((type) => type._tag !== "Undefined" && !(optional && type._tag === "Null"));
  if (rest.length === ast.types.length) return ast;
  return rest.length === 1 ? without(rest[0]!, optional) : new AST.Union(rest);
};

const titled = (value: string, ...from: ReadonlyArray<AST.AST>): Option => {
  const title = from.map(AST.resolveTitle).find((found) => typeof found === "string");
  return title === undefined ? { value } : { value, title };
};

/** The options of `ast`; undefined if it is no choice between fixed texts. */
export const choiceOf = (ast: AST.AST): ReadonlyArray<Option> | undefined => {
  const wire = AST.toEncoded(ast);
  switch (wire._tag) {
    case "Literal":
      return typeof wire.literal === "string" ? [titled(wire.literal, ast, wire)] : undefined;
    case "Enum": {
      const members = wire.enums as ReadonlyArray<readonly [string, string | number]>;
      if (!members.every(([, value]) => typeof value === "string")) return undefined;
      const same = members.every(([name, value]) => name === value);
      return members.map(([name, value]) => same ? { value: String(value) } : { value: String(value), title: name });
    }
    case "Union": {
      const members = ast._tag === "Union" && ast.encoding === undefined ? ast.types : wire.types;
      const options = members.map(choiceOf);
      return options.every((option) => option !== undefined) ? options.flat() : undefined;
    }
  }
  return undefined;
};
