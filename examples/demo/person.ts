/** Who answers in the demo: the person at the terminal, lines from standard input, or a script. */

/** Shows a prompt and gives a line; undefined when there are no more. */
export type Ask = (prompt: string) => Promise<string | undefined>;

/** Somebody who answers one question at a time, although a round may ask several. */
export interface Person {
  readonly question: <A>(message: string, answer: (ask: Ask) => Promise<A>) => Promise<A>;
}

/** The lines of standard input. Reads no further than it is asked to, so that the demo can end at a terminal. */
async function* lines(): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(1024);
  let rest = "";
  for (let size; (size = await Deno.stdin.read(buffer)) !== null;) {
    const parts = (rest + decoder.decode(buffer.subarray(0, size), { stream: true })).split(/\r?\n/);
    rest = parts.pop() ?? "";
    yield* parts;
  }
  if (rest !== "") yield rest;
}

/** Lines that are typed at the prompt. */
const typed = (input: AsyncGenerator<string>): Ask => async (prompt) => {
  await Deno.stdout.write(new TextEncoder().encode(prompt));
  const { done, value } = await input.next();
  if (done === true) console.log();
  return done === true ? undefined : value;
};

/** Lines that nobody types: shown after their prompts, so that the output reads like a conversation. */
const shown = (next: () => Promise<string | undefined>): Ask => async (prompt) => {
  const line = await next();
  console.log(prompt + (line ?? "(no more answers)"));
  return line;
};

/** The person at the terminal if there is one; else the lines of standard input; else, if it is empty, `script`. */
const source = async (script: ReadonlyArray<string>): Promise<Ask> => {
  const input = lines();
  if (Deno.stdin.isTerminal()) return typed(input);
  const first = await input.next();
  const known = first.done === true ? [...script] : [first.value];
  return shown(async () => {
    const line = known.shift();
    if (line !== undefined || first.done === true) return line;
    const { done, value } = await input.next();
    return done === true ? undefined : value;
  });
};

/** Whoever there is to answer. */
export const person = async (script: ReadonlyArray<string>): Promise<Person> => {
  const ask = await source(script);
  let last: Promise<unknown> = Promise.resolve();
  return {
    question: (message, answer) => {
      const answered = last.then(() => {
        console.log(`    ${message.replace(/\n+/g, "\n    ")}`);
        return answer(ask);
      });
      last = answered;
      return answered;
    },
  };
};
