/** What the hosts of the suite serve, the same on every runtime. Names no runtime. */
import * as Console from "effect/Console";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import * as Schema from "effect/Schema";
import { Auth, Call, type Catalog, McpServer, Need, Tool } from "@needful/mcp";

/** What happened in the handlers. */
export const events: Array<string> = [];
const note = (event: string): Effect.Effect<void> => Effect.sync(() => void events.push(event));

const waiting = new Set<() => void>();

/** Goes on at the next `POST /release`. */
const released: Effect.Effect<void> = Effect.callback<void>((resume) => {
  const go = (): void => resume(Effect.void);
  waiting.add(go);
  return Effect.andThen(Effect.sync(() => void waiting.delete(go)), note("interrupted"));
});

let booking = "";

/** Books by the test's own service, which knows what a repeated request is about. */
const book = (name: string): Effect.Effect<string, never, Need.Flow> =>
  Effect.flatMap(Need.flow, ({ id, step }) =>
    Effect.promise(async () => {
      const response = await fetch(booking, { method: "POST", body: JSON.stringify({ flow: id, step, name }) });
      return await response.text();
    }));

const tools = [
  Tool.make("book", {
    description: "Asks for a name, books, and asks whether to keep it",
    handler: () =>
      Effect.gen(function* () {
        const { name } = yield* Need.elicit("who", {
          message: "Who?",
          schema: Schema.Struct({ name: Schema.String }),
        });
        const number = yield* Need.once("book", book(name), Schema.String);
        const keep = yield* Need.confirm("keep", `Keep ${number}?`);
        return keep ? `${name} has ${number}` : `${name} has nothing`;
      }).pipe(Effect.orDie),
  }),
  Tool.make("echo", {
    description: "Gives its text back",
    input: Schema.Struct({ text: Schema.String }),
    handler: ({ text }) => Effect.succeed(text),
  }),
  Tool.make("ask", {
    description: "Asks for a name",
    handler: () =>
      Effect.map(
        Need.elicit("who", { message: "Who?", schema: Schema.Struct({ name: Schema.String }) }),
        ({ name }) => `Hello ${name}`,
      ),
  }),
  Tool.make("wait", {
    description: "Waits until it is released",
    handler: () => Effect.as(Effect.andThen(note("waiting"), released), "released"),
  }),
  Tool.make("progress", {
    description: "Reports progress, then waits until it is released",
    handler: () =>
      Effect.as(
        Effect.andThen(Effect.andThen(Call.progress({ progress: 1, total: 2 }), note("waiting")), released),
        "released",
      ),
  }),
  Tool.make("count", {
    description: "Takes some milliseconds; the events say that it began",
    input: Schema.Struct({ millis: Schema.Int }),
    handler: ({ millis }) => Effect.as(Effect.andThen(note("counted"), Effect.sleep(millis)), "counted"),
  }),
  Tool.make("flood", {
    description: "Sends a log message of 64 KiB many times",
    input: Schema.Struct({ times: Schema.Int }),
    handler: ({ times }) => {
      const text = "x".repeat(65_536);
      return Effect.gen(function* () {
        for (let i = 0; i < times; i++) {
          yield* Call.log("info", text);
          if (i % 16 === 0) yield* Effect.sleep(1);
        }
        yield* note("flooded");
        return "done";
      });
    },
  }),
  Tool.make("me", {
    description: "Says who calls",
    handler: () => Effect.map(Auth.Principal, ({ subject }) => subject),
  }),
];

export const server: McpServer.McpServer = McpServer.make({ name: "suite", version: "1", tools });

const json = (value: unknown): Response =>
  new Response(JSON.stringify(value), { headers: { "content-type": "application/json" } });

/** Routes beside the endpoint, by which the tests look at the process and steer it. */
const fallback = (request: Request): Effect.Effect<Response> => {
  const { pathname } = new URL(request.url);
  switch (`${request.method} ${pathname}`) {
    case "GET /events":
      return Effect.sync(() => json(events));
    case "POST /release":
      return Effect.sync(() => {
        const resumed = [...waiting];
        waiting.clear();
        for (const resume of resumed) resume();
        return json(resumed.length);
      });
    case "POST /echo": {
      const headers = new Headers({ "x-sent": request.headers.get("x-sent") ?? "", "x-url": request.url });
      headers.append("set-cookie", "a=1");
      headers.append("set-cookie", "b=2");
      return Effect.succeed(new Response(request.body, { status: 201, headers }));
    }
    case "GET /hang":
      return Effect.andThen(
        note("hanging"),
        Effect.callback<Response>((resume) => {
          request.signal.addEventListener("abort", () => {
            events.push("hung up");
            resume(Effect.succeed(new Response(null)));
          });
        }),
      );
    case "GET /broken":
      return Effect.die(new Error("broken"));
    case "HEAD /events":
      return Effect.succeed(new Response(null, { headers: { "x-head": "yes" } }));
    default:
      return Effect.succeed(new Response("Nothing here", { status: 404 }));
  }
};

const authenticate: Auth.Authenticate = ({ header, url }) =>
  header("authorization") === "Bearer ada"
    ? Effect.succeed(Auth.principal(`ada at ${url}`))
    : Effect.fail(new Auth.Unauthorized({ challenge: "Bearer" }));

/** What is used of the entry point of a runtime. */
export interface Entry<Listening extends { readonly url: string }, E> {
  readonly Listening: Context.Service<Listening, Listening>;
  readonly layer: (
    server: McpServer.McpServer,
    options: McpServer.HttpOptions,
  ) => Layer.Layer<Listening | Catalog.Catalog, E>;
  readonly run: <A, E>(layer: Layer.Layer<A, E>) => void;
}

/** What a test says about how to serve. */
export interface Chosen extends Omit<McpServer.HttpOptions, "authenticate" | "fallback"> {
  readonly port?: number;
  readonly hostname?: string;
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly auth?: boolean;
  /** Where the tool `book` books. */
  readonly booking?: string;
}

const counted = (): number => events.filter((event) => event === "counted").length;

const held = Layer.effectDiscard(
  Effect.acquireRelease(Effect.void, () => Effect.suspend(() => Console.log(`released, counted ${counted()}`))),
);

/**
 * Serves until the process is told to stop. `chosen` is JSON; the first line that is printed is the URL, the last one says
 * that everything was released, and how many calls of \`count\` began.
 */
export const host = <Listening extends { readonly url: string }, E>(
  { Listening, layer, run }: Entry<Listening, E>,
  chosen: string | undefined,
): void => {
  const { auth = false, booking: service = "", ...options } = JSON.parse(chosen ?? "{}") as Chosen;
  booking = service;
  layer(server, { port: 0, ...options, ...(auth ? { authenticate } : {}), fallback } as McpServer.HttpOptions).pipe(
    Layer.tap((context) => Console.log(Context.get(context, Listening).url)),
    Layer.provideMerge(held),
    Layer.provide(Layer.succeed(Logger.LogToStderr, true)),
    run,
  );
};
