/**
 * Parameters that clients mirror into HTTP headers (2026-07-28, server/tools, "x-mcp-header"; basic/transports/
 * streamable-http, "Custom Headers from Tool Parameters").
 */
import { isRecord, type JsonRecord } from "../model/json.ts";
import type { HeaderParameter } from "./feature.ts";
import { parts } from "./json_schema_parts.ts";

/** The keyword that marks a parameter. */
export const headerKeyword = "x-mcp-header";

const types: ReadonlyArray<unknown> = ["string", "integer", "boolean"];

/** A name that can stand behind `Mcp-Param-`: a token of RFC 9110. */
const isToken = (name: unknown): name is string =>
  typeof name === "string" && /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name);

/**
 * The parameters that `schema`, an input schema, marks. Throws where a mark breaks the rules: clients would drop the
 * whole tool.
 */
export const headerParameters = (schema: JsonRecord): ReadonlyArray<HeaderParameter> => {
  const found: Array<HeaderParameter> = [];
  const visit = (schema: unknown, path: ReadonlyArray<string> | undefined, at: string): void => {
    if (!isRecord(schema)) return;
    if (Object.hasOwn(schema, headerKeyword)) {
      const { type, [headerKeyword]: name } = schema;
      if (!isToken(name)) throw new TypeError(`${at} has the header name ${JSON.stringify(name)}, which is no token`);
      if (path === undefined || path.length === 0) {
        throw new TypeError(`${at} has the header name "${name}", but only named properties of objects may have one`);
      }
      if (!types.includes(type)) {
        throw new TypeError(`${at} has the header name "${name}", but is no string, integer or boolean`);
      }
      if (found.some((other) => other.name.toLowerCase() === name.toLowerCase())) {
        throw new TypeError(`the header name "${name}" stands twice`);
      }
      found.push({ path, name, type: type as HeaderParameter["type"] });
    }
    for (const part of parts(schema)) {
      const reachable = part.keyword === "properties" && path !== undefined && part.name !== undefined;
      const next = part.name === undefined ? part.keyword : `${part.keyword}/${part.name}`;
      visit(
        part.schema,
        reachable ? [...path, part.name] : undefined,
        reachable ? `field "${[...path, part.name].join(".")}"` : next,
      );
    }
  };
  visit(schema, [], "the input");
  return found;
};
