/** The answers to forms of Effect schemas: decoded, so that what the wire cannot say is enforced too. */
import * as Exit from "effect/Exit";
import * as Option from "effect/Option";
import * as Result from "effect/Result";
import type * as Schema from "effect/Schema";
import * as SchemaIssue from "effect/SchemaIssue";
import * as SchemaParser from "effect/SchemaParser";
import type { JsonRecord } from "../../model/json.ts";
import type { FormField, FormSchema } from "../../model/question.ts";
import type { Reading } from "../need.ts";
import { fieldsOf, problemsOf } from "./plain.ts";
import { invalid } from "./reason.ts";

const format = SchemaIssue.makeFormatterStandardSchemaV1();

/** What the parser says where the author says nothing. The value is never in it. */
const defaultWords = /^(?:Expected |Missing key$|Forbidden operation$)/;

/** A problem as a sentence, in the words of the schema. */
const worded = (message: string, field: string | undefined): string => {
  const subject = field === undefined ? "the answer" : `"${field}"`;
  if (!defaultWords.test(message)) return field === undefined ? message : `${subject}: ${message}`;
  return message.startsWith("Expected ") && !message.includes("<filter>")
    ? `${subject} must be ${message.slice("Expected ".length)}`
    : `${subject} is not valid`;
};

/** The problems of an issue, one a field: the author's words first, then the form's, then the parser's. */
const problemsIn = (issue: SchemaIssue.Issue, wire: ReadonlyMap<string, string>): Iterable<string> => {
  const problems = new Map<string | undefined, string>(wire);
  const said = new Set<string | undefined>();
  for (const { message, path } of format(issue).issues) {
    const field = path?.[0] === undefined ? undefined : String(path[0]);
    if (said.has(field)) continue;
    said.add(field);
    if (!problems.has(field) || !defaultWords.test(message)) problems.set(field, worded(message, field));
  }
  return problems.values();
};

/** The rules that Effect schemas announce and do not check: formats, and that numbers are finite. */
const formatProblemsOf = (wire: FormSchema): (content: JsonRecord) => ReadonlyMap<string, string> => {
  const fields = Object.entries(wire.properties).flatMap(([name, { format, type }]): Array<[string, FormField]> =>
    format === undefined && type !== "number" && type !== "integer"
      ? []
      : [[name, format === undefined ? { type } : { type, format }]]
  );
  const none: ReadonlyMap<string, string> = new Map();
  return fields.length === 0 ? () => none : problemsOf({ type: "object", properties: Object.fromEntries(fields) });
};

/** Whether looking for every issue costs little. A list may be as long as a request, and each item have an issue. */
const small = (content: JsonRecord): boolean =>
  Object.values(content).every((value) => !Array.isArray(value) || value.length <= 100);

/**
 * Reads the content of a form with the schema `source`. A decoding that breaks, or that cannot be done at once, makes
 * the answer invalid: what it would say of the server is not for the client.
 */
export const decoder = <A>(
  source: Schema.ConstraintDecoder<A>,
  wire: FormSchema,
): (content: JsonRecord) => Reading<A, never> => {
  const decode = SchemaParser.decodeUnknownExit(source);
  const run = (input: object, errors?: "all"): Option.Option<Exit.Exit<A, SchemaIssue.Issue>> =>
    Result.getSuccess(Result.try(() => decode(input, errors === undefined ? undefined : { errors })));
  const wireProblems = problemsOf(wire);
  const formatProblems = formatProblemsOf(wire);
  const empty = Object.keys(wire.properties).length === 0;
  return (content) => {
    // Without a prototype, because the parser finds inherited members; but an empty struct gives back what it gets.
    const input: JsonRecord = empty ? {} : fieldsOf(wire, content, Object.create(null));
    const first = run(input);
    if (Option.isSome(first) && Exit.isSuccess(first.value)) {
      const problems = formatProblems(content);
      return problems.size > 0 ? invalid(...problems.values()) : { _tag: "Answer", value: first.value.value };
    }
    const problems = wireProblems(content);
    const issue = Option.flatMap(small(input) ? run(input, "all") : first, Exit.findErrorOption);
    if (Option.isSome(issue)) return invalid(...problemsIn(issue.value, problems));
    return problems.size > 0 ? invalid(...problems.values()) : invalid("it cannot be read");
  };
};
