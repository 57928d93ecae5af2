/** The reply to one request as a connection of a stream that may have others. */
import type { Sink } from "../era/session.ts";
import type { Exchange } from "./exchange.ts";
import * as Sse from "./sse.ts";

/** The connection of `exchange`, which becomes a stream with the first use. After its end nothing is written. */
export const sinkOf = (exchange: Exchange): Sink => {
  const write = (text: string): boolean => {
    if (exchange.over) return false;
    exchange.connect().write(text);
    return true;
  };
  const offer = (text: string): boolean => !exchange.over && exchange.connect().offer(text);
  return {
    send: (message, id, must) => (must ? write : offer)(Sse.eventOf(message, id)),
    prime: (id) => void write(Sse.prime(id)),
    retry: (millis) => void write(Sse.retry(millis)),
    keepAlive: () => void offer(Sse.comment),
    close: () => {
      if (exchange.over) return;
      exchange.connect();
      exchange.drop();
    },
  };
};
