/** The server scenarios of the official conformance suite 0.2.0-alpha.12, by revision. */

/** What there is for one revision. */
export interface Requirements {
  readonly revision: string;
  /** What `--requirements` demands of a server. */
  readonly required: ReadonlyArray<string>;
  /** What the suite runs beside them without scoring it: it came later, or its own reference server does not pass. */
  readonly unscored: ReadonlyArray<string>;
  /** Scenarios that send raw requests, and whose messages the suite does not hold to its schemas. */
  readonly raw: ReadonlyArray<string>;
}

const modern: Requirements = {
  revision: "2026-07-28",
  required: [
    "server-stateless",
    "completion-complete",
    "tools-list",
    "tools-call-simple-text",
    "tools-call-image",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-mixed-content",
    "tools-call-error",
    "tools-call-with-progress",
    "server-sse-multiple-streams",
    "resources-list",
    "resources-read-text",
    "resources-read-binary",
    "resources-templates-read",
    "sep-2164-resource-not-found",
    "prompts-list",
    "prompts-get-simple",
    "prompts-get-with-args",
    "prompts-get-embedded-resource",
    "prompts-get-with-image",
    "dns-rebinding-protection",
    "caching",
    "input-required-result-basic-elicitation",
    "input-required-result-basic-sampling",
    "input-required-result-basic-list-roots",
    "input-required-result-request-state",
    "input-required-result-multiple-input-requests",
    "input-required-result-multi-round",
    "input-required-result-missing-input-response",
    "input-required-result-non-tool-request",
    "input-required-result-result-type",
    "input-required-result-unsupported-methods",
    "input-required-result-tampered-state",
    "input-required-result-capability-check",
    "input-required-result-ignore-extra-params",
    "input-required-result-validate-input",
  ],
  unscored: ["json-schema-2020-12", "http-header-validation", "http-custom-header-server-validation"],
  raw: ["server-stateless", "server-sse-multiple-streams", "dns-rebinding-protection"],
};

const legacy: Requirements = {
  revision: "2025-11-25",
  required: [
    "server-initialize",
    "logging-set-level",
    "ping",
    "completion-complete",
    "tools-list",
    "tools-call-simple-text",
    "tools-call-image",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-mixed-content",
    "tools-call-with-logging",
    "tools-call-error",
    "tools-call-with-progress",
    "tools-call-sampling",
    "tools-call-elicitation",
    "elicitation-sep1034-defaults",
    "server-sse-multiple-streams",
    "elicitation-sep1330-enums",
    "resources-list",
    "resources-read-text",
    "resources-read-binary",
    "resources-templates-read",
    "resources-subscribe",
    "resources-unsubscribe",
    "prompts-list",
    "prompts-get-simple",
    "prompts-get-with-args",
    "prompts-get-embedded-resource",
    "prompts-get-with-image",
    "dns-rebinding-protection",
  ],
  unscored: ["server-session-lifecycle", "json-schema-2020-12", "server-sse-polling"],
  raw: ["server-sse-multiple-streams", "dns-rebinding-protection", "server-session-lifecycle", "server-sse-polling"],
};

/** The newest revision of each era: they are served by one process. */
export const requirements: ReadonlyArray<Requirements> = [modern, legacy];

/** Checks of scenarios that pass without them too: what is written of them must be there, and a success. */
export const demanded: { readonly [scenario: string]: ReadonlyArray<string> } = {
  "server-sse-polling": ["server-sse-priming-event", "server-sse-retry-field", "server-sse-disconnect-resume"],
  "server-session-lifecycle": [
    "server-session-initialized-accepted",
    "server-session-delete-accepted",
    "server-session-terminated-returns-404",
  ],
};

/** The extension that this project does not serve. */
export const excepted: RegExp = /^tasks-/;
