/** The answers to literal forms: checked here, against what was sent. */
import type { JsonRecord } from "../../model/json.ts";
import type { FormSchema } from "../../model/question.ts";
import type { Reading } from "../need.ts";
import { invalid } from "./reason.ts";
import { ruleOf } from "./rule.ts";

/** What is wrong with the fields of `content`: sentences, by the field's name. Only own members count. */
export const problemsOf = (schema: FormSchema): (content: JsonRecord) => ReadonlyMap<string, string> => {
  const required = new Set(schema.required);
  const rules = Object.keys(schema.properties).map((name) => [name, ruleOf(schema.properties[name]!)] as const);
  return (content) => {
    const problems = new Map<string, string>();
    for (const [name, rule] of rules) {
      const present = Object.hasOwn(content, name);
      const problem = present ? rule(content[name]) : required.has(name) ? "is missing" : undefined;
      if (problem !== undefined) problems.set(name, `"${name}" ${problem}`);
    }
    return problems;
  };
};

/** The own members of `content` that are fields, in the order of the form, put into `target`. */
export const fieldsOf = <T extends object>(schema: FormSchema, content: JsonRecord, target: T): T => {
  for (const name of Object.keys(schema.properties)) {
    if (!Object.hasOwn(content, name)) continue;
    Object.defineProperty(target, name, {
      value: content[name],
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return target;
};

/** Reads the content of a form with a literal schema. Members that are no fields are left out. */
export const plain = (schema: FormSchema): (content: JsonRecord) => Reading<unknown, never> => {
  const problemsIn = problemsOf(schema);
  return (content) => {
    const problems = problemsIn(content);
    return problems.size > 0 ? invalid(...problems.values()) : { _tag: "Answer", value: fieldsOf(schema, content, {}) };
  };
};
