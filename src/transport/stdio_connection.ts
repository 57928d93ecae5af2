/** What one client sends over a channel of lines, and what is done with it. */
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import type * as Fiber from "effect/Fiber";
import * as Detect from "../era/detect.ts";
import * as Legacy from "../era/legacy.ts";
import * as Message from "../era/message.ts";
import * as Modern from "../era/modern.ts";
import type { RequestId } from "../model/call.ts";
import { type Fault, internal, invalidRequest, isFault } from "../model/fault.ts";
import type { Instance } from "../server/instance.ts";
import * as Body from "./body.ts";
import { Lines } from "./lines.ts";
import * as Actor from "./modern.ts";
import { failed, type Outlet } from "./outlet.ts";
import { Running } from "./running.ts";
import { Request } from "./stdio_job.ts";
import type { StdioSettings } from "./stdio_options.ts";
import type { Writer } from "./stdio_writer.ts";

const what = "The message";
const blank = /^[ \t\r]*$/;

const twice = (id: RequestId): Fault =>
  invalidRequest(`A request with the id ${JSON.stringify(id)} is in flight already`);

const noBatches: Fault = invalidRequest("Send one message in each line: there are no batches");

/** One client's side of the channel. */
export class Connection {
  /** The requests that are acted on. */
  readonly running: Running = new Running();
  /** Those among them that last until they are ended. */
  readonly subscriptions: Running = new Running();
  readonly #settings: StdioSettings;
  readonly #writer: Writer;
  readonly #actor: Actor.Actor;
  readonly #run: (effect: Effect.Effect<void>) => Fiber.Fiber<void>;
  readonly #lines: Lines;
  readonly #requests = new Map<RequestId, Request>();
  readonly #ended = Deferred.makeUnsafe<void>();
  readonly #over: Effect.Effect<void>;

  constructor(instance: Instance, settings: StdioSettings, writer: Writer) {
    const { lifetime, maxLine } = settings;
    this.#settings = settings;
    this.#writer = writer;
    this.#actor = Actor.make(instance);
    this.#run = Effect.runForkWith(instance.context);
    this.#lines = new Lines(
      maxLine,
      (line) => this.#line(line),
      () => this.#refuse(undefined, Body.tooLarge(maxLine, what)),
    );
    const ended = Deferred.await(this.#ended);
    this.#over = lifetime === undefined ? ended : Effect.raceFirst(ended, Effect.sleep(lifetime));
  }

  /** The client sent bytes. */
  take(bytes: Uint8Array): void {
    this.#lines.push(bytes);
  }

  /** The client will send no more: subscriptions end, calls go on. */
  end(): void {
    this.#lines.end();
    this.close();
  }

  /** Nothing more is taken from the client, not even what it began to send: subscriptions end, calls go on. */
  close(): void {
    Deferred.doneUnsafe(this.#ended, Effect.void);
  }

  #line(bytes: Uint8Array): void {
    const text = Body.decode(bytes, what);
    if (isFault(text)) return this.#refuse(undefined, text);
    if (blank.test(text)) return;
    const parsed = Body.parse(text, what);
    if (isFault(parsed)) return this.#refuse(undefined, parsed);
    const message = Message.read(parsed.json);
    switch (message._tag) {
      case "Request":
        return this.#request(message);
      case "Notification":
        return this.#notification(message);
      case "Response":
        // Nothing was asked
        return;
      case "Batch":
        return this.#refuse(undefined, noBatches);
      case "Malformed":
        return this.#refuse(message.id, message.fault);
    }
  }

  #request(message: Message.RequestMessage): void {
    const { id } = message;
    if (this.#requests.has(id)) return this.#refuse(id, twice(id));
    const decoded = Modern.decode(message, undefined, this.#settings.principal);
    if (isFault(decoded)) return this.#refuse(id, decoded);
    const group = decoded.operation._tag === "Listen" ? this.subscriptions : undefined;
    this.#begin(id, (outlet) => this.#actor.act(decoded, outlet, this.#over), group);
  }

  #notification(message: Message.NotificationMessage): void {
    const notification = Legacy.readNotification(message);
    if (notification?._tag === "Cancelled") this.#requests.get(notification.requestId)?.cancel();
  }

  #begin(id: RequestId, act: (outlet: Outlet) => Effect.Effect<void>, group?: Running): void {
    const request = new Request(
      id,
      this.#writer,
      (fault) => this.#faultText(id, fault),
      () => this.#requests.delete(id),
    );
    const groups = group === undefined ? [this.running] : [this.running, group];
    this.#requests.set(id, request);
    for (const group of groups) group.add(request);
    const acted = Effect.suspend(() => act(request));
    const fiber = this.#run(Effect.catchCause(acted, (cause) => failed(request, cause)));
    request.run(fiber);
    fiber.addObserver(() => {
      request.fault(internal());
      for (const group of groups) group.delete(request);
    });
  }

  #refuse(id: RequestId | undefined, fault: Fault): void {
    this.#writer.write(this.#faultText(id, fault));
  }

  #faultText(id: RequestId | undefined, fault: Fault): string {
    return Modern.fault(id, fault);
  }
}
