/** The answers to forms of Effect schemas: decoded, so that what the wire cannot say is enforced too. */
import * as Exit from "effect/Exit";
import * as Option from "effect/Option";
import * as Result from "effect/Result";
import type * as Schema from "effect/Schema";
import type * as AST from "effect/SchemaAST";
import * as SchemaIssue from "effect/SchemaIssue";
import * as SchemaParser from "effect/SchemaParser";
import type { JsonRecord } from "../../model/json.ts";
import type { FormField, FormSchema } from "../../model/question.ts";
import type { Reading } from "../need.ts";
import { fieldsOf, problemsOf } from "./plain.ts";
import { invalid } from "./reason.ts";

const format = SchemaIssue.makeFormatterStandardSchemaV1();

/** A problem in the words of the schema, which never repeat the value. */
const worded = (message: string, path: ReadonlyArray<PropertyKey>): string => {
  const field = path[0];
  const subject = field === undefined ? "the answer" : `"${String(field)}"`;
  if (message.includes("<filter>")) return `${subject} is not valid`;
  return message.startsWith("Expected ")
    ? `${subject} must be ${message.slice("Expected ".length)}`
    : field === undefined
    ? message
    : `${subject}: ${message}`;
};

const problemsIn = (issue: SchemaIssue.Issue): ReadonlyArray<string> =>
  format(issue).issues.map(({ message, path }) => worded(message, (path ?? []) as ReadonlyArray<PropertyKey>));

/** The rules of the fields that have a format, which Effect schemas announce and do not check. */
const formatProblemsOf = (wire: FormSchema): (content: JsonRecord) => ReadonlyArray<string> => {
  const fields = Object.entries(wire.properties).flatMap(([name, { format, type }]): Array<[string, FormField]> =>
    format === undefined ? [] : [[name, { type, format }]]
  );
  return fields.length === 0 ? () => [] : problemsOf({ type: "object", properties: Object.fromEntries(fields) });
};

/**
 * Reads the content of a form with the schema `source`. A decoding that breaks, or that cannot be done at once, makes
 * the answer invalid: what it would say of the server is not for the client.
 */
export const decoder = <A>(
  source: Schema.ConstraintDecoder<A>,
  wire: FormSchema,
): (content: JsonRecord) => Reading<A, never> => {
  const decode = SchemaParser.decodeUnknownExit(source);
  const run = (input: object, options?: AST.ParseOptions): Result.Result<Exit.Exit<A, SchemaIssue.Issue>, unknown> =>
    Result.try(() => decode(input, options));
  const wireProblems = problemsOf(wire);
  const formatProblems = formatProblemsOf(wire);
  const empty = Object.keys(wire.properties).length === 0;
  return (content) => {
    // Without a prototype, because the parser finds inherited members; but an empty struct gives back what it gets.
    const input: object = empty ? {} : fieldsOf(wire, content, Object.create(null));
    const first = run(input);
    if (Result.isSuccess(first) && Exit.isSuccess(first.success)) {
      const problems = formatProblems(content);
      return problems.length > 0 ? invalid(...problems) : { _tag: "Answer", value: first.success.value };
    }
    const problems = wireProblems(content);
    if (problems.length > 0) return invalid(...problems);
    const all = run(input, { errors: "all" });
    const issue = Result.isSuccess(all) ? Exit.findErrorOption(all.success) : Option.none();
    return invalid(...Option.match(issue, { onNone: () => ["it cannot be read"], onSome: problemsIn }));
  };
};
