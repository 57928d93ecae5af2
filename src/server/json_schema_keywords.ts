/** The keywords of JSON Schema 2020-12 that apply schemas to a value and its parts, and what they ask of it. */
import { isRecord, type JsonRecord } from "../model/json.ts";
import { assertions } from "./json_schema_assert.ts";
import type { Node, Seen, Step } from "./json_schema_run.ts";

/** Gives the node of a schema. */
type Ready = (schema: unknown) => Node;

/** Makes the step of a keyword that stands in `schema` with the value `is`. */
type Keyword = (is: unknown, ready: Ready, schema: JsonRecord) => Step;

const listed = (is: unknown, ready: Ready): ReadonlyArray<Node> => (is as ReadonlyArray<unknown>).map(ready);

const named = (is: unknown, ready: Ready): ReadonlyArray<readonly [string, Node]> =>
  Object.entries(is as JsonRecord).map(([name, schema]) => [name, ready(schema)]);

const optional = (is: unknown, ready: Ready): Node | undefined => is === undefined ? undefined : ready(is);

const close = (seen: Seen | undefined): void => {
  if (seen !== undefined) seen.all = true;
};

const follow = (node: Node): Step => (run, value, seen) => run.apply(node, value, seen);

/** In the order in which they are asked. */
const keywords: { readonly [keyword: string]: Keyword } = {
  allOf: (is, ready) => {
    const steps = listed(is, ready).map(follow);
    return (run, value, seen) => run.take(steps, value, seen);
  },

  anyOf: (is, ready) => {
    const nodes = listed(is, ready);
    return (run, value, seen) => {
      const mark = run.mark();
      let valid = false;
      for (const node of nodes) {
        if (run.attempt(node, value, seen)) valid = true;
        // Those that are left could only see more.
        if (valid && seen === undefined) break;
      }
      if (!valid) return run.fault("Instance does not match any subschemas", mark);
      run.forget(mark);
      return true;
    };
  },

  oneOf: (is, ready) => {
    const nodes = listed(is, ready);
    return (run, value, seen) => {
      const mark = run.mark();
      const matches = nodes.filter((node) => run.attempt(node, value, seen)).length;
      if (matches > 0) run.forget(mark);
      return matches === 1 ||
        run.fault(`Instance does not match exactly one subschema (${matches} matches)`, mark);
    };
  },

  not: (is, ready) => {
    const node = ready(is);
    return (run, value) => {
      const mark = run.mark();
      if (run.attempt(node, value, undefined)) return run.fault('Instance matched "not" schema');
      run.forget(mark);
      return true;
    };
  },

  if: (is, ready, schema) => {
    const node = ready(is);
    const yes = optional(schema["then"], ready);
    const no = optional(schema["else"], ready);
    return (run, value, seen) => {
      const mark = run.mark();
      const next = run.attempt(node, value, seen) ? yes : no;
      run.forget(mark);
      return next === undefined || run.apply(next, value, seen);
    };
  },

  dependentSchemas: (is, ready) => {
    const steps = named(is, ready).map(([name, node]): Step => (run, value, seen) =>
      !isRecord(value) || !Object.hasOwn(value, name) || run.apply(node, value, seen)
    );
    return (run, value, seen) => run.take(steps, value, seen);
  },

  propertyNames: (is, ready) => {
    const node = ready(is);
    return (run, value) =>
      !isRecord(value) || run.members(Object.fromEntries(Object.keys(value).map((name) => [name, name])), () => node);
  },

  // In the order of the schema: what is tried, and how long it takes, is not for the client to choose.
  properties: (is, ready) => {
    const steps = named(is, ready).map(([name, node]): Step => (run, value, seen) => {
      if (!isRecord(value) || !Object.hasOwn(value, name)) return true;
      seen?.add(name);
      return run.part(node, value[name], name);
    });
    return (run, value, seen) => run.take(steps, value, seen);
  },

  patternProperties: (is, ready) => {
    const steps = named(is, ready).map(([text, node]): Step => {
      const pattern = new RegExp(text, "u");
      return (run, value, seen) =>
        !isRecord(value) || run.members(value, (name) => {
          if (!pattern.test(name)) return undefined;
          seen?.add(name);
          return node;
        });
    });
    return (run, value, seen) => run.take(steps, value, seen);
  },

  additionalProperties: (is, ready, { properties = {}, patternProperties = {} }) => {
    const node = ready(is);
    const patterns = Object.keys(patternProperties as JsonRecord).map((text) => new RegExp(text, "u"));
    const known = (name: string): boolean =>
      Object.hasOwn(properties as JsonRecord, name) || patterns.some((pattern) => pattern.test(name));
    return (run, value, seen) => {
      if (!isRecord(value)) return true;
      close(seen);
      return run.members(value, (name) => known(name) ? undefined : node);
    };
  },

  prefixItems: (is, ready) => {
    const nodes = listed(is, ready);
    return (run, value, seen) =>
      !Array.isArray(value) || run.elements(value.slice(0, nodes.length), (index) => {
        seen?.add(index);
        return nodes[index];
      });
  },

  items: (is, ready, { prefixItems = [] }) => {
    const node = ready(is);
    const start = (prefixItems as ReadonlyArray<unknown>).length;
    return (run, value, seen) => {
      if (!Array.isArray(value)) return true;
      close(seen);
      return run.elements(value, (index) => index < start ? undefined : node);
    };
  },

  contains: (is, ready, { minContains = 1, maxContains = Infinity }) => {
    const node = ready(is);
    const least = minContains as number;
    const most = maxContains as number;
    return (run, value, seen) => {
      if (!Array.isArray(value)) return true;
      const mark = run.mark();
      const matches = value.filter((element, index) => {
        const valid = run.part(node, element, index);
        if (valid) seen?.add(index);
        return valid;
      }).length;
      run.forget(mark);
      if (matches < least) {
        return run.fault(`Array contains ${matches} items matching schema, at least ${least} expected`);
      }
      return matches <= most || run.fault(`Array contains ${matches} items matching schema, at most ${most} expected`);
    };
  },

  uniqueItems: (is) => (run, value) => {
    const pair = is === true && Array.isArray(value) ? run.doubles(value) : undefined;
    return pair === undefined || run.fault(`Duplicate items at indexes ${pair[0]} and ${pair[1]}`);
  },
};

/** Those that ask about what all others in the schema have not seen. */
const unevaluated: { readonly [keyword: string]: Keyword } = {
  unevaluatedProperties: (is, ready) => {
    const node = ready(is);
    return (run, value, seen) => {
      if (!isRecord(value)) return true;
      const valid = run.members(value, (name) => seen?.has(name) ? undefined : node);
      close(seen);
      return valid;
    };
  },

  unevaluatedItems: (is, ready) => {
    const node = ready(is);
    return (run, value, seen) => {
      if (!Array.isArray(value)) return true;
      const valid = run.elements(value, (index) => seen?.has(index) ? undefined : node);
      close(seen);
      return valid;
    };
  },
};

const stepsOf = (table: typeof keywords, schema: JsonRecord, ready: Ready): ReadonlyArray<Step> =>
  Object.entries(table).flatMap(([keyword, make]) =>
    Object.hasOwn(schema, keyword) ? [make(schema[keyword], ready, schema)] : []
  );

/** A schema made ready, and how many there are in it. */
export interface Compiled {
  readonly node: Node;
  readonly schemas: number;
}

/** Makes ready a schema that is sound. `target` gives the schemas that references lead to. */
export const compile = (root: JsonRecord, target: (reference: string) => unknown): Compiled => {
  const anything: Node = { steps: [], last: [] };
  const nothing: Node = { steps: [(run) => run.fault("is not allowed")], last: [] };
  const nodes = new Map<JsonRecord, { steps: ReadonlyArray<Step>; last: ReadonlyArray<Step> }>();
  let booleans = 0;
  const ready: Ready = (schema) => {
    if (!isRecord(schema)) {
      booleans++;
      return schema === false ? nothing : anything;
    }
    const known = nodes.get(schema) ?? { steps: [], last: [] };
    nodes.set(schema, known);
    return known;
  };
  const node = ready(root);
  // Nodes are found on the way, and references may lead back: each is filled when its turn comes.
  for (const [schema, node] of nodes) {
    const reference = schema["$ref"];
    node.steps = [
      ...assertions(schema),
      ...typeof reference === "string" ? [follow(ready(target(reference)))] : [],
      ...stepsOf(keywords, schema, ready),
    ];
    node.last = stepsOf(unevaluated, schema, ready);
  }
  return { node, schemas: nodes.size + booleans };
};
