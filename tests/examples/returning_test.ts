/** `examples/returning.md`: what it names is there. */
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { Manual, RequestState, Sealer } from "@needful/mcp";

const page = new URL("../../examples/returning.md", import.meta.url);

test("returning.md: names only files that there are, and tests that they hold", async () => {
  const links = [...(await readFile(page, "utf8")).matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)];
  let tests = 0;
  for (const [, text, path] of links) {
    if (path!.startsWith("https:")) continue;
    const file = await readFile(new URL(path!, page), "utf8");
    if (!path!.endsWith("_test.ts")) continue;
    tests++;
    assert(file.includes(`"${text}"`), `${path} has no test "${text}"`);
  }
  assert(tests > 40, `${tests} tests`);
});

test("returning.md: names what Manual and RequestState export, and leaves nothing out", async () => {
  const text = await readFile(page, "utf8");
  const named = new Set([...text.matchAll(/\bManual\.(\w+)/g)].map(([, name]) => name));
  const left = Object.keys(Manual).filter((name) => !named.has(name) && !text.includes(name));
  assertEquals(left, []);
  assertEquals([...named].filter((name) => !(name! in Manual)), []);
  assertEquals([typeof RequestState.make, Sealer.limit], ["function", 65_536]);
});

/** What the chapters of others on multi round-trip requests have. */
const theirs = [
  ...["mcpElicit", "mcpElicitUrl", "createMessage", "listRoots", "inputRequired(event, spec)", "getInputResponses"],
  ...["getElicitedContent(event, requests, key)", "getElicitedContent<T>(event, key)", "getMissingInputs"],
  ...["getSupportedInputs", "canRequestInput", "requireClientCapability", "defineRequestState", "`seal`", "`open`"],
  ...["`key`", "`ttlMs`", "`bind`", "MAX_REQUEST_STATE_LENGTH", "event.context.mcp.inputResponses"],
  ...["event.context.mcp.requestState", "inputRequired.elicit", ".elicitUrl", "inputRequired.createMessage"],
  ...[".listRoots", "acceptedContent(responses, key, schema)", "acceptedContent<T>(responses, key)"],
  ...["inputResponse(responses, key)", "isInputRequiredResult", "ctx.inputResponses", "ctx.mintRequestState"],
  ...["ctx.requestState<T>()", "requestState: { key, ttlSeconds, bind }", "state-only flows", "maxRounds"],
  ...["roundTimeoutMs", "legacyShim: false", "250 ms of pacing", "createRequestStateCodec"],
];

test("returning.md: has a row for whatever the others have, with a test that shows what it is here", async () => {
  const rows = (await readFile(page, "utf8")).split("\n").filter((line) => line.startsWith("|"));
  for (const name of theirs) {
    const found = rows.filter((row) => row.split("|")[1]!.includes(name));
    assert(found.length > 0, `There is no row for ${name}`);
    for (const row of found) assert(/_test\.ts\) +\|$/.test(row), row);
  }
});
