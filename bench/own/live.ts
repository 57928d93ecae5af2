/** A call in a session of an older revision that asks while it waits: the question goes out on the call's own stream. */
import { McpServer } from "@needful/mcp";
import { server, services } from "../contestants/needful.ts";
import { alone, type Table } from "../figures.ts";
import { inTurns } from "../measure.ts";
import { asking, type Fetch, open, request } from "./legacy.ts";

/** Calls, answers the one question, and gives what the call says in the end. */
const call = async (fetch: Fetch, session: string): Promise<string> => {
  const message = asking("tools/call", { name: "greet", arguments: { order: "A-1" } });
  const response = await fetch(request(message, session));
  let said = "";
  for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
    for (const line of text.split("\n")) {
      if (!line.startsWith("data: {")) continue;
      const message = JSON.parse(line.slice("data: ".length));
      if (message.method === "elicitation/create") {
        const result = { action: "accept", content: { name: "Ada" } };
        await (await fetch(request({ id: message.id, result }, session))).text();
      } else if (message.result !== undefined) said = message.result.content[0].text;
    }
  }
  return said;
};

/** Microseconds of a call with one live question. */
export const measureLive = async (repeats: number): Promise<Table> => {
  const { dispose, fetch } = McpServer.toWebHandler(server, services, { framed: true });
  const session = await open(fetch);
  if (await call(fetch, session) !== "Ada has order A-1") throw new Error("The call said something else");
  const works = [{ name: "needful, one question and its answer", run: () => call(fetch, session) }];
  for (let i = 0; i < 2_000; i++) await call(fetch, session);
  const times = await inTurns(works, repeats, async ({ run }) => {
    const start = performance.now();
    for (let i = 0; i < 100; i++) await run();
    return (performance.now() - start) * 10;
  });
  await dispose();
  return alone("i", "call that asks live, in a session of 2025-11-25", "µs", times);
};
