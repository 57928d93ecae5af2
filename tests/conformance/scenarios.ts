/** The server scenarios of the official conformance suite 0.2.0-alpha.12 that revision 2026-07-28 has. */

/** What `--requirements 2026-07-28` demands of a server. */
export const required: ReadonlyArray<string> = [
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
];

/** What the suite runs beside them without scoring it, because its own reference server does not pass. */
export const pending: ReadonlyArray<string> = [
  "json-schema-2020-12",
  "http-header-validation",
  "http-custom-header-server-validation",
];

/** The extension that this project does not serve. */
export const excepted: RegExp = /^tasks-/;
