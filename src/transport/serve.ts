/** From the body of a request to its reply. */
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Detect from "../era/detect.ts";
import * as Message from "../era/message.ts";
import * as Modern from "../era/modern.ts";
import { code, type Fault, invalidRequest, isFault, make as makeFault } from "../model/fault.ts";
import type { Notice } from "../model/notice.ts";
import type { Principal } from "../model/principal.ts";
import type { Envelope, HeaderReader, ListenRequest } from "../model/request.ts";
import { dispatch, listen as subscribe, type ReplyOperation } from "../server/dispatch.ts";
import type { Instance } from "../server/instance.ts";
import { notifier } from "../server/notify.ts";
import * as Body from "./body.ts";
import type { Exchange } from "./exchange.ts";
import type { Settings } from "./options.ts";

/** Replies to the messages of clients. */
export interface Server {
  /** Acts on the message in `body` and replies to it. */
  readonly serve: (
    body: string,
    headers: Headers,
    principal: Principal,
    exchange: Exchange,
  ) => Effect.Effect<void>;
}

const noStream: Fault = makeFault(
  code.invalidRequest,
  "A subscription is a stream: Accept must take text/event-stream",
  406,
);

const noticeText = ({ progressToken }: Envelope, notice: Notice): string | undefined => {
  if (notice._tag === "Log") return Modern.log(notice.log);
  return progressToken === undefined ? undefined : Modern.progress(progressToken, notice.progress);
};

/** Makes the server of an instance. */
export const make = (instance: Instance, { lifetime }: Settings): Server => {
  const encoder = Modern.makeEncoder(instance.server.info);

  const reply = (exchange: Exchange, { envelope, retry }: Modern.Decoded, operation: ReplyOperation) => {
    const notify = notifier(envelope, (notice) => {
      const text = noticeText(envelope, notice);
      if (text !== undefined) exchange.send(text);
    });
    return Effect.map(dispatch(instance, envelope, operation, notify), (replied) => {
      if (isFault(replied)) exchange.fault(replied);
      else exchange.result(encoder.result(envelope.id, replied, retry));
    });
  };

  /** Acknowledges a subscription, and runs until it is over; a fault where it cannot begin. */
  const subscription = (exchange: Exchange, envelope: Envelope, operation: ListenRequest) =>
    Effect.callback<Fault | undefined>((resume) => {
      const over = (): void => resume(Effect.undefined);
      const running = subscribe(instance, envelope, operation, {
        change: (change) => {
          if (exchange.send(Modern.change(envelope.id, change)) || isFault(running)) return;
          // A client so far behind would miss changes: better that it knows, and begins anew
          running.close();
          over();
        },
        end: over,
      });
      if (isFault(running)) return resume(Effect.succeed(running));
      exchange.send(Modern.acknowledged(envelope.id, running.honoured));
      if (running.honoured.lists.length + running.honoured.uris.length > 0) return Effect.sync(running.close);
      running.close();
      return over();
    });

  const listen = Effect.fnUntraced(function* (exchange: Exchange, envelope: Envelope, operation: ListenRequest) {
    if (!exchange.accepts.stream) return exchange.fault(noStream);
    const running = subscription(exchange, envelope, operation);
    const refused = yield* lifetime === undefined
      ? running
      : Effect.map(Effect.timeoutOption(running, lifetime), Option.getOrUndefined);
    if (refused !== undefined) return exchange.fault(refused);
    exchange.result(encoder.subscriptionEnd(envelope.id), Modern.cancelled(envelope.id));
  });

  const request = (message: Message.RequestMessage, headers: Headers, principal: Principal, exchange: Exchange) => {
    exchange.id = message.id;
    const header: HeaderReader = (name) => headers.get(name) ?? undefined;
    if (Detect.detect(message, header("mcp-protocol-version")) === "legacy") {
      return Effect.sync(() => exchange.fault(Detect.modernOnly));
    }
    const decoded = Modern.decode(message, header, principal);
    if (isFault(decoded)) return Effect.sync(() => exchange.fault(decoded));
    const { envelope, operation } = decoded;
    return operation._tag === "Listen" ? listen(exchange, envelope, operation) : reply(exchange, decoded, operation);
  };

  return {
    serve: (body, headers, principal, exchange) => {
      const parsed = Body.parse(body);
      const message = isFault(parsed) ? parsed : Message.read(parsed.json);
      switch (message._tag) {
        case "Request":
          return request(message, headers, principal, exchange);
        case "Notification":
          // No notification of a client means anything here: a request is cancelled by closing its stream
          return Effect.sync(() =>
            exchange.respond(new Response(null, { status: 202, headers: exchange.headers.empty }))
          );
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
