/** Server-sent events. */

const encoder = new TextEncoder();

/** An event with a message. JSON has no raw line breaks, so that it fits into one line. */
export const event = (json: string): string => `data: ${json}\n\n`;

/** What tells client and proxies that the connection lives; clients ignore it. */
export const comment = ": keep-alive\n\n";

/** A stream that is written to as things happen. */
export interface EventStream {
  readonly body: ReadableStream<Uint8Array>;
  /** False, and nothing is written, while the client is so far behind that memory would fill. */
  readonly offer: (text: string) => boolean;
  readonly write: (text: string) => void;
  readonly close: () => void;
}

/** Makes a stream; `cancelled` is called when the client has gone away. Not to be used after that, or after `close`. */
export const make = (maxBehind: number, cancelled: () => void): EventStream => {
  let controller: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>(
    {
      start: (started) => {
        controller = started;
      },
      cancel: cancelled,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: maxBehind }),
  );
  const write = (text: string): void => controller.enqueue(encoder.encode(text));
  return {
    body,
    write,
    offer: (text) => {
      if ((controller.desiredSize ?? 0) <= 0) return false;
      write(text);
      return true;
    },
    close: () => controller.close(),
  };
};
