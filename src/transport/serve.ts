/** From the body of a request to its reply. */
import * as Effect from "effect/Effect";
import * as Detect from "../era/detect.ts";
import * as Message from "../era/message.ts";
import * as Modern from "../era/modern.ts";
import type { Era } from "../model/call.ts";
import { code, type Fault, isFault, make as makeFault } from "../model/fault.ts";
import type { Principal } from "../model/principal.ts";
import type { HeaderReader } from "../model/request.ts";
import type { Instance } from "../server/instance.ts";
import * as Body from "./body.ts";
import type { Exchange } from "./exchange.ts";
import { type Messages, off, type Sent } from "./legacy_messages.ts";
import * as Actor from "./modern.ts";
import type { Settings } from "./options.ts";

/** Replies to the messages of clients. */
export interface Server {
  /** Acts on the message in `body` and replies to it. */
  readonly serve: (
    body: string,
    header: HeaderReader,
    principal: Principal,
    exchange: Exchange,
  ) => Effect.Effect<void>;
}

const versionHeader = "mcp-protocol-version";

const noStream: Fault = makeFault(
  code.invalidRequest,
  "A subscription is a stream: Accept must take text/event-stream",
  406,
);

/** The header counts only where the message claims nothing, so it is not read before. */
const eraOf = (message: Message.RequestMessage | Message.NotificationMessage, header: HeaderReader): Era =>
  Detect.claim(message) === undefined ? Detect.detect(message, header(versionHeader)) : "modern";

/** Makes the server of an instance; `legacy` is what is done with messages of older revisions. */
export const make = (instance: Instance, { lifetime }: Settings, legacy: Messages): Server => {
  const actor = Actor.make(instance);
  const over = lifetime === undefined ? Effect.never : Effect.sleep(lifetime);

  const modern = (message: Message.RequestMessage, { exchange, header, principal }: Sent): Effect.Effect<void> => {
    const decoded = Modern.decode(message, header, principal);
    if (isFault(decoded)) return Effect.sync(() => exchange.fault(decoded));
    if (decoded.operation._tag === "Listen" && !exchange.accepts.stream) {
      return Effect.sync(() => exchange.fault(noStream));
    }
    return actor.act(decoded, exchange, over);
  };

  return {
    serve: (body, header, principal, exchange) => {
      const parsed = Body.parse(body);
      if (isFault(parsed)) return Effect.sync(() => exchange.fault(parsed));
      const { json } = parsed;
      const message = Message.read(json);
      const sent: Sent = { header, principal, exchange };
      switch (message._tag) {
        case "Request":
          exchange.id = message.id;
          return eraOf(message, header) === "modern" ? modern(message, sent) : legacy.request(message, sent);
        case "Notification":
          // Modern ones mean nothing here: a request is cancelled by closing its stream
          return (eraOf(message, header) === "modern" ? off : legacy).notification(message, sent);
        case "Response":
          return (Detect.eraOf(header(versionHeader)) === "modern" ? off : legacy).response(json, sent);
        case "Batch":
          return (Detect.eraOf(header(versionHeader)) === "modern" ? off : legacy).batch(message.items, sent);
        case "Malformed":
          exchange.id = message.id;
          return Effect.sync(() => exchange.fault(message.fault));
      }
    },
  };
};
