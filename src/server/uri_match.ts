/** The matching of URIs against the steps of a template, in time proportional to their length. */
import * as Result from "effect/Result";

/** The values of a template's variables in a URI. */
export interface Values {
  readonly [name: string]: string | ReadonlyArray<string>;
}

/** URIs over this length match nothing. */
const maxLength = 8_192;

/** A variable of a template. */
export interface Variable {
  readonly name: string;
  readonly list: boolean;
}

/** One step of the matching, in the order of the text. */
export type Step =
  | { readonly _tag: "Text"; readonly text: string }
  /** One or more characters none of which is in `stop`. */
  | { readonly _tag: "Run"; readonly variable: Variable; readonly stop: string }
  /** The next `steps` steps may be left out. */
  | { readonly _tag: "Maybe"; readonly steps: number }
  /** The rest of the URI, as parameters behind `mark`. */
  | { readonly _tag: "Query"; readonly mark: "?" | "&"; readonly variables: ReadonlyArray<Variable> };

/** For each step, from the last to the first, and each position: where the step ends if all that follow match. */
export const match = (steps: ReadonlyArray<Step>, uri: string): Values | undefined => {
  const [head] = steps;
  if (uri.length > maxLength || (head?._tag === "Text" && !uri.startsWith(head.text))) return undefined;
  const size = uri.length + 1;
  const ends: Array<Int32Array> = [];
  const fits = (index: number, at: number): boolean =>
    index === steps.length ? at === uri.length : (ends[index]?.[at] ?? -1) >= 0;
  for (let index = steps.length - 1; index >= 0; index--) {
    const step = steps[index] as Step;
    const end = new Int32Array(size).fill(-1);
    ends[index] = end;
    for (let at = uri.length; at >= 0; at--) {
      switch (step._tag) {
        case "Text":
          if (uri.startsWith(step.text, at) && fits(index + 1, at + step.text.length)) end[at] = at + step.text.length;
          break;
        case "Run":
          if (at === uri.length || step.stop.includes(uri.charAt(at))) break;
          end[at] = (end[at + 1] ?? -1) >= 0 ? end[at + 1] as number : fits(index + 1, at + 1) ? at + 1 : -1;
          break;
        case "Maybe":
          if (fits(index + 1, at) || fits(index + 1 + step.steps, at)) end[at] = at;
          break;
        case "Query":
          if (at === uri.length || uri.charAt(at) === step.mark) end[at] = uri.length;
          break;
      }
    }
  }
  return fits(0, 0) ? read(steps, ends, uri) : undefined;
};

/** The values along the way that `match` found. */
const read = (
  steps: ReadonlyArray<Step>,
  ends: ReadonlyArray<Int32Array>,
  uri: string,
): Values | undefined => {
  const values: Array<readonly [string, string | ReadonlyArray<string>]> = [];
  let at = 0;
  for (let index = 0; index < steps.length;) {
    const step = steps[index] as Step;
    const end = ends[index]?.[at] ?? -1;
    if (step._tag === "Maybe") {
      if ((ends[index + 1]?.[at] ?? -1) >= 0) index += 1;
      else {
        for (const skipped of steps.slice(index + 1, index + 1 + step.steps)) {
          if (skipped._tag === "Run" && skipped.variable.list) values.push([skipped.variable.name, []]);
        }
        index += 1 + step.steps;
      }
      continue;
    }
    const text = uri.slice(at, end);
    if (step._tag === "Run") {
      const value = step.variable.list ? decodeAll(text.split("/")) : decode(text);
      if (value === undefined) return undefined;
      values.push([step.variable.name, value]);
    } else if (step._tag === "Query") {
      const found = parameters(step.variables, text.slice(1));
      if (found === undefined) return undefined;
      values.push(...found);
    }
    at = end;
    index += 1;
  }
  return Object.fromEntries(values);
};

/** The parameters in `text`; undefined if there is one of another name, or one twice that is no list. */
const parameters = (
  variables: ReadonlyArray<Variable>,
  text: string,
): ReadonlyArray<readonly [string, string | ReadonlyArray<string>]> | undefined => {
  const found = new Map<string, Array<string>>(variables.filter(({ list }) => list).map(({ name }) => [name, []]));
  for (const pair of text === "" ? [] : text.split("&")) {
    const cut = pair.indexOf("=");
    const name = decode(cut < 0 ? pair : pair.slice(0, cut));
    const value = decode(cut < 0 ? "" : pair.slice(cut + 1));
    const variable = variables.find((variable) => variable.name === name);
    if (variable === undefined || value === undefined || pair.includes("#")) return undefined;
    const values = found.get(variable.name);
    if (values === undefined) found.set(variable.name, [value]);
    else if (variable.list) values.push(value);
    else return undefined;
  }
  return variables.flatMap(({ list, name }) => {
    const values = found.get(name);
    return values === undefined ? [] : [[name, list ? values : values[0] ?? ""] as const];
  });
};

const decode = (text: string): string | undefined =>
  text.includes("%") ? Result.getOrUndefined(Result.try(() => decodeURIComponent(text))) : text;

/** All of them, none of which may be empty. */
const decodeAll = (texts: ReadonlyArray<string>): ReadonlyArray<string> | undefined => {
  const values = texts.map((text) => text === "" ? undefined : decode(text));
  return values.some((value) => value === undefined) ? undefined : values as ReadonlyArray<string>;
};
