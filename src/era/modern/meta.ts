/** The `_meta` that every modern request carries (2026-07-28, basic, "Per-request protocol fields"). */
import type { Implementation } from "../../model/call.ts";
import type { ClientCapabilities } from "../../model/capability.ts";
import { type Fault, invalidParams } from "../../model/fault.ts";
import { isRecord, type JsonRecord, own } from "../../model/json.ts";
import { isLogLevel, type LogLevel, logLevels } from "../../model/notice.ts";
import { isRequestId } from "../message.ts";
import { versionKey } from "../detect.ts";

const clientKey = "io.modelcontextprotocol/clientInfo";
const capabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
const levelKey = "io.modelcontextprotocol/logLevel";

/** What a request says of itself and of its client. */
export interface Meta {
  readonly _tag: "Meta";
  readonly record: JsonRecord;
  readonly revision: string;
  readonly client: Implementation | undefined;
  readonly capabilities: ClientCapabilities;
  readonly progressToken: string | number | undefined;
  readonly logLevel: LogLevel | undefined;
}

/** Capabilities that are known, with the parts of them that are; each value has to be an object. */
const known: ReadonlyArray<readonly [name: string, parts: ReadonlyArray<string>]> = [
  ["elicitation", ["form", "url"]],
  ["sampling", ["tools", "context"]],
  ["roots", []],
  ["experimental", []],
  ["extensions", []],
];

const refuse = (reason: string): Fault => invalidParams(reason, 400);

const checkCapabilities = (capabilities: JsonRecord): Fault | undefined => {
  for (const [name, parts] of known) {
    const value = own(capabilities, name);
    if (value === undefined) continue;
    if (!isRecord(value)) return refuse(`The client capability "${name}" must be an object`);
    for (const part of parts) {
      const inner = own(value, part);
      if (inner !== undefined && !isRecord(inner)) {
        return refuse(`The client capability "${name}.${part}" must be an object`);
      }
    }
  }
  return undefined;
};

const isImplementation = (value: unknown): value is Implementation =>
  isRecord(value) && typeof own(value, "name") === "string" && typeof own(value, "version") === "string";

/** Reads the `_meta` of a request; a fault names the first field that is missing or malformed. */
export const read = (params: JsonRecord): Meta | Fault => {
  const record = own(params, "_meta");
  if (!isRecord(record)) return refuse(`params._meta is missing: every request needs ${versionKey} in it`);
  const revision = own(record, versionKey);
  if (typeof revision !== "string") return refuse(`params._meta needs ${versionKey}, a string`);
  const capabilities = own(record, capabilitiesKey);
  if (!isRecord(capabilities)) return refuse(`params._meta needs ${capabilitiesKey}, an object`);
  const malformed = checkCapabilities(capabilities);
  if (malformed !== undefined) return malformed;
  const client = own(record, clientKey);
  if (client !== undefined && !isImplementation(client)) {
    return refuse(`${clientKey} in params._meta needs a name and a version`);
  }
  const logLevel = own(record, levelKey);
  if (logLevel !== undefined && !isLogLevel(logLevel)) {
    return refuse(`${levelKey} in params._meta must be one of ${logLevels.join(", ")}`);
  }
  const progressToken = own(record, "progressToken");
  if (progressToken !== undefined && !isRequestId(progressToken)) {
    return refuse("progressToken in params._meta must be a string or an integer");
  }
  return { _tag: "Meta", record, revision, client, capabilities, progressToken, logLevel };
};
