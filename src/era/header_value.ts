/** Header values that mirror a part of the body (2026-07-28, streamable-http, "Value Encoding"). */
import * as Result from "effect/Result";
import { type Fault, headerMismatch } from "../model/fault.ts";
import { isRecord, type JsonRecord, own } from "../model/json.ts";
import type { HeaderReader } from "../model/request.ts";

const prefix = "=?base64?";
const suffix = "?=";
const plain = /^[\t\x20-\x7e]*$/;
const alphabet = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of canonical base64 of valid UTF-8; undefined for anything else. */
const fromBase64 = (encoded: string): string | undefined => {
  if (!alphabet.test(encoded)) return undefined;
  const bytes = atob(encoded);
  // Bits beyond the last byte have to be zero: one text, one encoding
  if (btoa(bytes) !== encoded) return undefined;
  return Result.getOrUndefined(Result.try(() => utf8.decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)))));
};

/** The value that a header stands for; undefined if it contains what a header may not, or is badly encoded. */
export const decode = (raw: string): string | undefined => {
  if (!plain.test(raw)) return undefined;
  if (!raw.startsWith(prefix) || !raw.endsWith(suffix) || raw.length < prefix.length + suffix.length) return raw;
  return fromBase64(raw.slice(prefix.length, -suffix.length));
};

/** A parameter that the client mirrors into `Mcp-Param-<name>`. */
export interface MirroredParameter {
  readonly path: ReadonlyArray<string>;
  readonly name: string;
}

const at = (args: JsonRecord, path: ReadonlyArray<string>): unknown => {
  let value: unknown = args;
  for (const key of path) {
    if (!isRecord(value)) return undefined;
    value = own(value, key);
  }
  return value;
};

const decimal = /^-?[0-9]+(?:\.0+)?$/;

/** Whether the text of a header stands for `value`; integers are compared as numbers, and have to be safe ones. */
const stands = (text: string, value: unknown): boolean => {
  if (typeof value === "number") {
    return Number.isSafeInteger(value) && decimal.test(text) && Number(text) === value;
  }
  return typeof value === "boolean" ? text === String(value) : text === value;
};

/** The fault of the first parameter whose header and argument do not agree; undefined if all do. */
export const checkParameters = (
  parameters: ReadonlyArray<MirroredParameter>,
  args: JsonRecord,
  header: HeaderReader,
): Fault | undefined => {
  for (const { name, path } of parameters) {
    const raw = header(`mcp-param-${name.toLowerCase()}`);
    const value = at(args, path) ?? undefined;
    if (value === undefined && raw === undefined) continue;
    const field = `Mcp-Param-${name}`;
    const argument = `the argument "${path.join(".")}"`;
    if (value === undefined) return headerMismatch(`The header ${field} is present, but ${argument} is not`);
    if (raw === undefined) return headerMismatch(`The header ${field} is missing, but ${argument} is present`);
    const text = decode(raw);
    if (text === undefined) return headerMismatch(`The header ${field} is not correctly encoded`);
    if (!stands(text, value)) return headerMismatch(`The header ${field} does not match ${argument}`);
  }
  return undefined;
};
