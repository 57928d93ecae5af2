/** The least that a handler can do: parse, dispatch, stringify. What the protocol's checks cost is measured against it. */
import type { Make } from "../contestant.ts";

/** A handler without any check. */
export const make: Make = () =>
  Promise.resolve({
    name: "bare handler",
    fetch: async (request) => {
      const { id, params } = await request.json();
      const content = [{ type: "text", text: params.arguments.text }];
      return new Response(JSON.stringify({ jsonrpc: "2.0", id, result: { resultType: "complete", content } }), {
        headers: { "content-type": "application/json" },
      });
    },
    close: () => Promise.resolve(),
  });
