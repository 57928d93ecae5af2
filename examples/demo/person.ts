/** Who answers in the demo: the person at the terminal, lines from standard input, or a script. */

/** Gives one line for a prompt; undefined when there are no more. */
export interface Person {
  readonly answer: (prompt: string) => Promise<string | undefined>;
}

/** Shows a prompt and gives the next line. */
type Source = (prompt: string) => Promise<string | undefined>;

async function* lines(): AsyncGenerator<string> {
  let rest = "";
  for await (const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + text).split(/\r?\n/);
    rest = parts.pop() ?? "";
    yield* parts;
  }
  if (rest !== "") yield rest;
}

const terminal = (input: AsyncGenerator<string>): Source => async (prompt) => {
  await Deno.stdout.write(new TextEncoder().encode(prompt));
  const { done, value } = await input.next();
  if (done === true) console.log();
  return done === true ? undefined : value;
};

/** Lines that nobody typed: shown after their prompts, so that the output reads like a conversation. */
const shown = (next: () => Promise<string | undefined>): Source => async (prompt) => {
  const line = await next();
  console.log(prompt + (line ?? "(no more answers)"));
  return line;
};

/** One question at a time, although a round may ask several. */
const oneByOne = (source: Source): Person => {
  let last: Promise<unknown> = Promise.resolve();
  return {
    answer: (prompt) => {
      const answer = last.then(() => source(prompt));
      last = answer;
      return answer;
    },
  };
};

/** The person at the terminal if there is one; else the lines of standard input; else, if it is empty, `script`. */
export const person = async (script: ReadonlyArray<string>): Promise<Person> => {
  const input = lines();
  if (Deno.stdin.isTerminal()) return oneByOne(terminal(input));
  const first = await input.next();
  const scripted = [...first.done === true ? script : [first.value]];
  return oneByOne(shown(async () => {
    const line = scripted.shift();
    if (line !== undefined || first.done === true) return line;
    const { done, value } = await input.next();
    return done === true ? undefined : value;
  }));
};
