/** Fills in forms: one line for each field, `/decline` or `/cancel` for a no. */
import type { Ask } from "./person.ts";

/** A field of a form, as far as the demo shows it. */
interface Field {
  readonly type: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: Value;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: string;
  readonly enum?: ReadonlyArray<string>;
  readonly oneOf?: ReadonlyArray<{ readonly const: string; readonly title: string }>;
}

/** The schema of a form. */
export interface Form {
  readonly properties: { readonly [name: string]: Field };
  readonly required?: ReadonlyArray<string>;
}

/** A value of a field. */
export type Value = string | number | boolean | Array<string>;

/** What the user does with a form. */
export interface Filled {
  [member: string]: unknown;
  action: "accept" | "decline" | "cancel";
  content?: { [name: string]: Value };
}

const options = (field: Field): ReadonlyArray<string> => field.enum ?? field.oneOf?.map((option) => option.const) ?? [];

const hint = (field: Field, optional: boolean): string => {
  const choices = options(field);
  const kind = choices.length > 0
    ? choices.join(" or ")
    : field.type === "boolean"
    ? "y or n"
    : field.minimum !== undefined && field.maximum !== undefined
    ? `${field.minimum} to ${field.maximum}`
    : field.format ?? field.type;
  return optional ? `${kind}, may be empty` : kind;
};

const value = (field: Field, line: string): Value => {
  switch (field.type) {
    case "boolean":
      return /^(y|yes|true)$/i.test(line);
    case "number":
    case "integer":
      return Number(line);
    case "array":
      return line.split(",").map((part) => part.trim());
    default:
      return line;
  }
};

/** Asks for the fields one after the other. */
export const fill = async (ask: Ask, form: Form): Promise<Filled> => {
  const content: { [name: string]: Value } = {};
  for (const [name, field] of Object.entries(form.properties)) {
    const optional = field.default !== undefined || !(form.required ?? []).includes(name);
    const line = (await ask(`      ${field.title ?? name} (${hint(field, optional)})? `))?.trim();
    if (line === undefined || line === "/cancel") return { action: "cancel" };
    if (line === "/decline") return { action: "decline" };
    if (line !== "" || !optional) content[name] = value(field, line);
    else if (field.default !== undefined) content[name] = field.default;
  }
  return { action: "accept", content };
};
