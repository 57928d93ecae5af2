/** `Need.choose`: one or several of a list of options. */
import { canonical } from "../model/json.ts";
import type { FormField, FormQuestion, FormSchema } from "../model/question.ts";
import { cannotBuild, checkMessage, named } from "./build.ts";
import type { Cancelled, Declined } from "./errors.ts";
import { readForm } from "./form/envelope.ts";
import { fieldProblem, optionsProblem } from "./form/literal.ts";
import { plain } from "./form/plain.ts";
import { invalid } from "./form/reason.ts";
import { Elicitation, make, type Need, type Reading } from "./need.ts";

/** An option with the title that the user sees instead of its value. */
export interface TitledOption<T extends string> {
  /** What the handler gets. */
  readonly value: T;
  /** What the user sees. */
  readonly title: string;
}

/** One value, or with `multiple` a list of them. */
export type Chosen<T extends string, M extends boolean> = M extends true ? ReadonlyArray<T> : T;

/** What is chosen from, and how. */
export interface ChooseOptions<T extends string, M extends boolean> {
  /** Says to the user what is to be chosen. */
  readonly message: string;
  /** At least one, each value once; may be computed at run time. If any has a title, the others show their value. */
  readonly options: ReadonlyArray<T | TitledOption<T>>;
  /** Whether several may be chosen. */
  readonly multiple?: M;
  /** What the form begins with: an option, or with `multiple` a list of options. */
  readonly default?: NoInfer<Chosen<T, M>>;
  /** Fewest options to choose; with `multiple` only. */
  readonly min?: number;
  /** Most options to choose; with `multiple` only. */
  readonly max?: number;
  /** Title of the field. */
  readonly title?: string;
  /** Description of the field. */
  readonly description?: string;
  /** Whether only an answer to this very question counts, and none that the client volunteers. */
  readonly mustAsk?: boolean;
}

type AnyOptions = ChooseOptions<string, boolean>;

/** The protocol's shape of the options: a plain list, or constants with titles. */
const shape = (options: AnyOptions["options"], multiple: boolean): FormField => {
  const titled = options.some((option) => typeof option !== "string");
  const constants = options.map((option) =>
    typeof option === "string" ? { const: option, title: option } : { const: option.value, title: option.title }
  );
  const values = constants.map((option) => option.const);
  if (multiple) return { type: "array", items: titled ? { anyOf: constants } : { type: "string", enum: values } };
  return titled ? { type: "string", oneOf: constants } : { type: "string", enum: values };
};

const given = (members: { readonly [keyword: string]: unknown }): { readonly [keyword: string]: unknown } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

/** A choice is a set: what comes twice is neither one option nor two. */
const repeats = (chosen: unknown): boolean => Array.isArray(chosen) && new Set(chosen).size < chosen.length;

const fieldOf = (chosen: AnyOptions, what: string): FormField => {
  const { description, max, min, multiple = false, options, title } = chosen;
  if (!multiple && (min !== undefined || max !== undefined)) {
    throw cannotBuild(what, `field "choice" has min or max without multiple`);
  }
  const values = options.map((option) => typeof option === "string" ? option : option.value);
  const wrong = optionsProblem(values);
  if (wrong !== undefined) throw cannotBuild(what, `field "choice" ${wrong}`);
  const field: FormField = {
    ...shape(options, multiple),
    ...given({ title, description, minItems: min, maxItems: max, default: chosen.default }),
  };
  const problem = fieldProblem(field) ??
    (repeats(chosen.default) ? "has a default with the same option twice" : undefined);
  if (problem !== undefined) throw cannotBuild(what, `field "choice" ${problem}`);
  return field;
};

const readChoice = (form: FormSchema): (content: { readonly [name: string]: unknown }) => Reading<unknown, never> => {
  const read = plain(form);
  return (content) => {
    const reading = read(content);
    if (reading._tag !== "Answer") return reading;
    const { choice } = reading.value as { readonly choice: unknown };
    return repeats(choice) ? invalid(`"choice" has the same option twice`) : { _tag: "Answer", value: choice };
  };
};

/**
 * Asks the user to choose one option, or with `multiple` several, and gives the value or values.
 *
 * The client gets a form with the one field `choice`. A value that is no option is asked again. Fails with `Declined`
 * or `Cancelled`. Throws when there are no options, when one comes twice, or when default, min and max do not fit them.
 * Spec: 2026-07-28, client/elicitation, "Enum Schema".
 */
export const choose = <const T extends string, const M extends boolean = false>(
  key: string,
  options: ChooseOptions<T, M>,
): Need<Chosen<T, M>, Declined | Cancelled, Elicitation> => {
  const { message, mustAsk = false } = options;
  const what = named("choice", key);
  checkMessage(what, message);
  const form: FormSchema = {
    type: "object",
    properties: { choice: fieldOf(options as unknown as AnyOptions, what) },
    required: ["choice"],
  };
  const question: FormQuestion = { method: "elicitation/create", params: { message, requestedSchema: form } };
  return make({
    key,
    kind: "form",
    port: Elicitation,
    request: () => question,
    identity: () => `${mustAsk ? "choose!" : "choose"} ${JSON.stringify(message)} ${canonical(form)}`,
    read: readForm(key, (content) => readChoice(form)(content) as Reading<Chosen<T, M>, never>),
    volunteer: !mustAsk,
  });
};
