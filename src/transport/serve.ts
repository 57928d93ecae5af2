/** From the body of a request to its reply. */
import * as Effect from "effect/Effect";
import * as Detect from "../era/detect.ts";
import * as Message from "../era/message.ts";
import * as Modern from "../era/modern.ts";
import { code, type Fault, invalidRequest, isFault, make as makeFault } from "../model/fault.ts";
import type { Principal } from "../model/principal.ts";
import type { HeaderReader } from "../model/request.ts";
import type { Instance } from "../server/instance.ts";
import * as Body from "./body.ts";
import type { Exchange } from "./exchange.ts";
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

const noStream: Fault = makeFault(
  code.invalidRequest,
  "A subscription is a stream: Accept must take text/event-stream",
  406,
);

/** Makes the server of an instance. */
export const make = (instance: Instance, { lifetime }: Settings): Server => {
  const actor = Actor.make(instance);
  const over = lifetime === undefined ? Effect.never : Effect.sleep(lifetime);

  const request = (message: Message.RequestMessage, header: HeaderReader, principal: Principal, exchange: Exchange) => {
    exchange.id = message.id;
    if (Detect.detect(message, header("mcp-protocol-version")) === "legacy") {
      return Effect.sync(() => exchange.fault(Detect.modernOnly));
    }
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
      const message = isFault(parsed) ? parsed : Message.read(parsed.json);
      switch (message._tag) {
        case "Request":
          return request(message, header, principal, exchange);
        case "Notification":
          // No notification of a client means anything here: a request is cancelled by closing its stream
          return Effect.sync(() => exchange.respond({ status: 202, headers: exchange.headers.empty, body: undefined }));
        case "Response":
          return Effect.sync(() =>
            exchange.fault(invalidRequest("The server asks nothing that could be answered by a response"))
          );
        case "Batch":
          return Effect.sync(() =>
            exchange.fault(invalidRequest("Send one message in each request: there are no batches"))
          );
        case "Malformed":
          exchange.id = message.id;
          return Effect.sync(() => exchange.fault(message.fault));
        case "Fault":
          return Effect.sync(() => exchange.fault(message));
      }
    },
  };
};
