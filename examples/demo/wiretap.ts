/** Shows the rounds of a call, as they pass over the wire. */

interface Message {
  readonly method?: string;
  readonly params?: {
    readonly requestState?: string;
    readonly inputResponses?: { readonly [key: string]: unknown };
  };
  readonly result?: {
    readonly requestState?: string;
    readonly inputRequests?: {
      readonly [key: string]: { readonly method: string };
    };
  };
}

/** The JSON-RPC message in a body: JSON itself, or the last event of a stream. */
const message = (body: string): Message => {
  const data = body.split("\n").findLast((line) => line.startsWith("data:"));
  return JSON.parse(data === undefined ? body : data.slice(5));
};

/** A `fetch` that prints what a `tools/call` sends and gets: questions, answers, and how large the state is. */
export const wiretap = (): typeof fetch => {
  let round = 0;
  return async (input, init) => {
    const sent: Message = typeof init?.body === "string" ? JSON.parse(init.body) : {};
    if (sent.method !== "tools/call") return await fetch(input, init);

    round = sent.params?.requestState === undefined ? 1 : round + 1;
    console.log(`  round ${round}`);
    for (const [key, answer] of Object.entries(sent.params?.inputResponses ?? {})) {
      console.log(`    answered ${key}: ${JSON.stringify(answer)}`);
    }
    const response = await fetch(input, init);
    const { result } = message(await response.clone().text());
    for (const [key, { method }] of Object.entries(result?.inputRequests ?? {})) {
      console.log(`    asked ${key}: ${method}`);
    }
    if (result?.requestState !== undefined) console.log(`    state: ${result.requestState.length} characters`);
    return response;
  };
};
