/** The members that each revision has, as its schema lists them: our own list, which `fields_test.ts` holds to the schemas. */

/** The older revisions, newest first. */
export const revisions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;

/** The name of an older revision. */
export type Name = typeof revisions[number];

type Fields = { readonly [R in Name]: ReadonlyArray<string> };

const growing = (
  november24: string,
  march25: string,
  june25: string,
  november25: string,
): Fields => {
  const words = (text: string): ReadonlyArray<string> => text.split(" ").filter((word) => word !== "");
  const all = [november24, march25, june25, november25].map(words);
  const until = (count: number): ReadonlyArray<string> => all.slice(0, count).flat().sort();
  return { "2024-11-05": until(1), "2025-03-26": until(2), "2025-06-18": until(3), "2025-11-25": until(4) };
};

/** What each revision added to the members of a definition. */
export const fields: { readonly [definition: string]: Fields } = {
  Tool: growing("name description inputSchema", "annotations", "title outputSchema _meta", "icons execution"),
  Resource: growing("uri name description mimeType annotations size", "", "title _meta", "icons"),
  ResourceTemplate: growing("uriTemplate name description mimeType annotations", "", "title _meta", "icons"),
  Prompt: growing("name description arguments", "", "title _meta", "icons"),
  PromptArgument: growing("name description required", "", "title", ""),
  Implementation: growing("name version", "", "title", "description icons websiteUrl"),
  TextContent: growing("type text annotations", "", "_meta", ""),
  ImageContent: growing("type data mimeType annotations", "", "_meta", ""),
  EmbeddedResource: growing("type resource annotations", "", "_meta", ""),
  TextResourceContents: growing("uri mimeType text", "", "_meta", ""),
  BlobResourceContents: growing("uri mimeType blob", "", "_meta", ""),
  CallToolResult: growing("_meta content isError", "", "structuredContent", ""),
  ReadResourceResult: growing("_meta contents", "", "", ""),
  GetPromptResult: growing("_meta description messages", "", "", ""),
  CompleteResult: growing("_meta completion", "", "", ""),
  ListToolsResult: growing("_meta nextCursor tools", "", "", ""),
  ListResourcesResult: growing("_meta nextCursor resources", "", "", ""),
  ListResourceTemplatesResult: growing("_meta nextCursor resourceTemplates", "", "", ""),
  ListPromptsResult: growing("_meta nextCursor prompts", "", "", ""),
  InitializeResult: growing("_meta capabilities instructions protocolVersion serverInfo", "", "", ""),
  ServerCapabilities: growing("experimental logging prompts resources tools", "completions", "", "tasks"),
  SamplingMessage: growing("role content", "", "", "_meta"),
};

/** Members of 2026-07-28 that no message of an older revision has, wherever they stand. */
export const modern: ReadonlyArray<string> = [
  "resultType",
  "ttlMs",
  "cacheScope",
  "inputRequests",
  "inputResponses",
  "requestState",
  "supportedVersions",
  "extensions",
  "io.modelcontextprotocol/serverInfo",
  "io.modelcontextprotocol/subscriptionId",
  "io.modelcontextprotocol/protocolVersion",
  "io.modelcontextprotocol/clientInfo",
  "io.modelcontextprotocol/clientCapabilities",
  "io.modelcontextprotocol/logLevel",
];

/** The names of all members in `value`, at any depth. */
export const namesIn = (value: unknown): ReadonlySet<string> => {
  const names = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (typeof value !== "object" || value === null) return;
    for (const [name, member] of Object.entries(value)) {
      names.add(name);
      visit(member);
    }
  };
  visit(value);
  return names;
};
