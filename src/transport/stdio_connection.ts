/** What one client sends over a channel of lines, and what is done with it. */
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Detect from "../era/detect.ts";
import * as Legacy from "../era/legacy.ts";
import * as Message from "../era/message.ts";
import * as Modern from "../era/modern.ts";
import { modern } from "../era/revision.ts";
import type { RequestId } from "../model/call.ts";
import { code, type Fault, isFault, make as makeFault } from "../model/fault.ts";
import { own } from "../model/json.ts";
import type { Instance } from "../server/instance.ts";
import * as Body from "./body.ts";
import * as LegacyActor from "./legacy.ts";
import { Lines } from "./lines.ts";
import * as ModernActor from "./modern.ts";
import { Batch } from "./stdio_batch.ts";
import { Conversation } from "./stdio_conversation.ts";
import type { StdioSettings } from "./stdio_options.ts";
import type { Way } from "./stdio_request.ts";
import { Requests } from "./stdio_requests.ts";
import type { Writer } from "./stdio_writer.ts";

const what = "The message";
const blank = /^[ \t\r]*$/;

/** What a client that opens a conversation is told where there are none. */
const modernOnly = ({ params }: Message.RequestMessage): Fault => {
  const requested = own(params, "protocolVersion");
  return makeFault(
    code.unsupportedVersion,
    `This server speaks protocol revision ${modern.join(", ")} only: every request names it in its _meta ` +
      `(${Detect.versionKey})`,
    400,
    { supported: modern, requested: typeof requested === "string" ? requested : "" },
  );
};

/** One client's side of the channel. */
export class Connection {
  readonly requests: Requests;
  readonly #settings: StdioSettings;
  readonly #writer: Writer;
  readonly #modern: ModernActor.Actor;
  readonly #legacy: LegacyActor.Actor;
  readonly #lines: Lines;
  readonly #way: Way;
  readonly #ended = Deferred.makeUnsafe<void>();
  readonly #over: Effect.Effect<void>;
  #conversation: Conversation | undefined = undefined;

  constructor(instance: Instance, settings: StdioSettings, writer: Writer) {
    const { lifetime, maxLine } = settings;
    this.requests = new Requests(instance.context);
    this.#settings = settings;
    this.#writer = writer;
    this.#modern = ModernActor.make(instance);
    this.#legacy = LegacyActor.make(instance);
    this.#lines = new Lines(
      maxLine,
      (line) => this.#line(line),
      () => this.#refuse(undefined, Body.tooLarge(maxLine, what)),
    );
    this.#way = {
      offer: (message) => writer.offer(message),
      write: (message) => void writer.write(message),
      reply: (messages) => {
        for (const message of messages) writer.write(message);
      },
      fault: this.#faultText,
    };
    const ended = Deferred.await(this.#ended);
    this.#over = lifetime === undefined ? ended : Effect.raceFirst(ended, Effect.sleep(lifetime));
  }

  /** The client sent bytes. */
  take(bytes: Uint8Array): void {
    this.#lines.push(bytes);
  }

  /** The client will send no more: subscriptions end, questions are given up, calls go on. */
  end(): void {
    this.#lines.end();
    this.close();
  }

  /** Nothing more is taken from the client, not even what it began to send. The rest as `end`. */
  close(): void {
    this.#conversation?.close();
    Deferred.doneUnsafe(this.#ended, Effect.void);
  }

  #line(bytes: Uint8Array): void {
    const text = Body.decode(bytes, what);
    if (isFault(text)) return this.#refuse(undefined, text);
    if (blank.test(text)) return;
    const parsed = Body.parse(text, what);
    if (isFault(parsed)) return this.#refuse(undefined, parsed);
    const message = Message.read(parsed.json);
    if (message._tag === "Batch") return this.#batch(message);
    this.#message(message, parsed.json, this.#way);
  }

  #message(message: Exclude<Message.Message, Message.Batch>, json: unknown, way: Way): void {
    switch (message._tag) {
      case "Request":
        return this.#request(message, way);
      case "Notification":
        return this.#notification(message);
      case "Response":
        return this.#conversation?.answer(json);
      case "Malformed":
        return way.reply([this.#faultText(message.id, message.fault)]);
    }
  }

  #batch({ items }: Message.Batch): void {
    const read = Legacy.readBatch(items, this.#conversation?.revision);
    if (isFault(read)) return this.#refuse(undefined, read);
    const batch = new Batch(this.#way);
    for (const { json, message } of read) this.#message(message, json, batch.way(message));
    batch.complete();
  }

  #request(message: Message.RequestMessage, way: Way): void {
    const { id } = message;
    const refused = this.requests.check(id) ?? this.#begin(message, way);
    if (refused !== undefined) way.reply([this.#faultText(id, refused)]);
  }

  #begin(message: Message.RequestMessage, way: Way): Fault | undefined {
    const { id, method } = message;
    const { legacy, principal } = this.#settings;
    if (Detect.claim(message) === undefined) {
      if (this.#conversation !== undefined) return this.#converse(this.#conversation, message, way);
      if (method === "initialize") return legacy ? this.#open(message, way) : modernOnly(message);
      if (method === "ping" && legacy) {
        way.reply([this.#legacy.empty(id, Legacy.newest)]);
        return undefined;
      }
    }
    const decoded = Modern.decode(message, undefined, principal);
    if (isFault(decoded)) return decoded;
    const lasts = decoded.operation._tag === "Listen";
    this.requests.begin(id, way, (outlet) => this.#modern.act(decoded, outlet, this.#over), lasts);
    return undefined;
  }

  #converse(conversation: Conversation, message: Message.RequestMessage, way: Way): Fault | undefined {
    const decoded = conversation.decode(message);
    if (isFault(decoded)) return decoded;
    this.requests.begin(message.id, way, (outlet) => conversation.act(decoded, outlet), false);
    return undefined;
  }

  #open(message: Message.RequestMessage, way: Way): Fault | undefined {
    const opened = Legacy.open(message, undefined, "stdio");
    if (isFault(opened)) return opened;
    this.#conversation = new Conversation(opened, this.#legacy, this.#settings, this.#writer);
    way.reply([this.#legacy.open(message.id, opened, true)]);
    return undefined;
  }

  #notification(message: Message.NotificationMessage): void {
    const notification = Legacy.readNotification(message);
    if (notification?._tag === "Cancelled") this.requests.cancel(notification.requestId);
    else if (notification?._tag === "Initialized") this.#conversation?.initialized();
  }

  #refuse(id: RequestId | undefined, fault: Fault): void {
    this.#way.reply([this.#faultText(id, fault)]);
  }

  readonly #faultText = (id: RequestId | undefined, fault: Fault): string =>
    Legacy.fault(this.#conversation?.revision, id, fault);
}
