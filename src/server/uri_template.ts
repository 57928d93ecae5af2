/**
 * URI templates (RFC 6570) as far as resources use them: `{a}`, `{+a}`, `{/a}`, `{/a*}`, `{?a,b}` and `{&a}`, matched
 * against URIs in time proportional to their length.
 *
 * A variable takes as much text as it can. `{a}` and `{/a}` do not reach over `/`, `?` and `#`; `{+a}` does, but not
 * into a query that the template names itself. The parameters of a query may come in any order. Escapes are decoded
 * strictly: what is no UTF-8 does not match.
 */
import { uriFault } from "./names.ts";
import { match, type Step, type Values, type Variable } from "./uri_match.ts";

/** A template, read. */
export interface UriTemplate {
  readonly variables: ReadonlyArray<string>;
  /** The variables in `uri`; undefined if it does not match. */
  readonly match: (uri: string) => Values | undefined;
}

/** Reads a template. Throws where it is malformed, or where it is not clear which variable a text belongs to. */
export const parse = (template: string): UriTemplate => {
  const steps = compile(template);
  const fault = uriFault(template.replace(/\{[^{}]*\}/g, "x"));
  if (fault !== undefined) throw new TypeError(fault);
  const variables = steps.flatMap((step) =>
    step._tag === "Run" ? [step.variable.name] : step._tag === "Query" ? step.variables.map(({ name }) => name) : []
  );
  if (variables.length === 0) throw new TypeError("it has no variables");
  const twice = variables.find((name, index) => variables.indexOf(name) !== index);
  if (twice !== undefined) throw new TypeError(`it has the variable "${twice}" twice`);
  return { variables, match: (uri) => match(steps, uri) };
};

const compile = (template: string): ReadonlyArray<Step> => {
  const steps: Array<Step> = [];
  const pieces = template.split(/(\{[^{}]*\})/);
  pieces.forEach((piece, index) => {
    if (index % 2 === 1) {
      const last = steps.at(-1);
      const added = expression(piece.slice(1, -1), pieces.slice(index + 1).join(""));
      const [first] = added;
      if (last?._tag === "Query" && first?._tag === "Query" && first.mark === "&") {
        steps[steps.length - 1] = { ...last, variables: [...last.variables, ...first.variables] };
      } else steps.push(...added);
    } else if (/[{}]/.test(piece)) throw new TypeError("a brace has no partner");
    else if (piece !== "") steps.push({ _tag: "Text", text: piece });
  });
  steps.forEach((step, index) => {
    const next = steps[index + 1];
    if (next === undefined) return;
    if (step._tag === "Query") throw new TypeError("something follows the parameters of the query");
    const first = next._tag === "Run"
      ? ""
      : next._tag === "Query"
      ? next.mark
      : next._tag === "Maybe"
      ? "/"
      : undefined;
    if (step._tag === "Run" && first !== undefined && (first === "" || !step.stop.includes(first))) {
      throw new TypeError(`it is not clear where the variable "${step.variable.name}" ends`);
    }
  });
  return steps;
};

/** The steps of the expression `{text}`, which `rest` of the template follows. */
const expression = (text: string, rest: string): ReadonlyArray<Step> => {
  const operator = /^[^A-Za-z0-9_%]/.exec(text)?.[0] ?? "";
  const variables = text.slice(operator.length).split(",").map((part): Variable => {
    const list = part.endsWith("*");
    const name = list ? part.slice(0, -1) : part;
    if (!/^[A-Za-z0-9_]+(\.[A-Za-z0-9_]+)*$/.test(name)) throw new TypeError(`"{${text}}" is no expression`);
    return { name, list };
  });
  const lists = variables.filter(({ list }) => list);
  switch (operator) {
    case "":
    case "+": {
      if (lists.length > 0) throw new TypeError(`"*" is not supported in "{${text}}"`);
      const ends = operator === "+"
        ? ["?", "#"].filter((end) => rest.includes(end)).join("")
        : rest.startsWith("{&")
        ? "/?#&"
        : "/?#";
      const stop = variables.length > 1 ? `${ends},` : ends;
      return variables.flatMap((variable, index): ReadonlyArray<Step> => {
        const run: Step = { _tag: "Run", variable, stop };
        return index === 0 ? [run] : [{ _tag: "Text", text: "," }, run];
      });
    }
    case "/": {
      if (lists.length > 0 && variables.length > 1) throw new TypeError(`"*" must stand alone in "{${text}}"`);
      return variables.flatMap((variable, index): ReadonlyArray<Step> => [
        { _tag: "Maybe", steps: 3 * (variables.length - index) - 1 },
        { _tag: "Text", text: "/" },
        { _tag: "Run", variable, stop: variable.list ? "?#" : "/?#" },
      ]);
    }
    case "?":
    case "&":
      return [{ _tag: "Query", mark: operator, variables }];
    default:
      throw new TypeError(`the operator "${operator}" is not supported`);
  }
};
