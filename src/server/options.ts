/** What the options of all features share. */
import type { Icon } from "../model/content.ts";
import type { Capability } from "../model/capability.ts";
import type { JsonRecord } from "../model/json.ts";
import type { Principal } from "../model/principal.ts";

/** What any feature may say of itself. */
export interface CommonOptions {
  /** For people. */
  readonly title?: string;
  /** For models and people. */
  readonly description?: string;
  /** For display. */
  readonly icons?: ReadonlyArray<Icon>;
  /** Listed as it is. */
  readonly _meta?: JsonRecord;
  /** What the client has to be able to be asked for; otherwise the handler does not run (-32021). */
  readonly requires?: ReadonlyArray<Capability>;
  /** Who sees it; to others it does not exist. Lists with such a feature are private. Default: everybody. */
  readonly visible?: (principal: Principal) => boolean;
}

/** `record` without its members that are undefined. */
export const defined = (record: JsonRecord): JsonRecord =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));

/** What `make` says when it throws. */
export const cannot = (kind: string, name: string, error: unknown): TypeError =>
  new TypeError(`Cannot make ${kind} ${JSON.stringify(name)}: ${error instanceof Error ? error.message : error}`);
