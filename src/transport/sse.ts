/** Server-sent events. */

/** An event with a message. JSON has no raw line breaks, so that it fits into one line. */
export const event = (json: string): string => `data: ${json}\n\n`;

/** The same, with the id behind which the client can go on. */
export const eventOf = (json: string, id: string | undefined): string =>
  id === undefined ? event(json) : `id: ${id}\n${event(json)}`;

/** An event without a message, which gives the client an id to go on behind. */
export const prime = (id: string): string => `id: ${id}\ndata: \n\n`;

/** Tells the client how long to wait before it connects again. */
export const retry = (millis: number): string => `retry: ${millis}\n\n`;

/** What tells client and proxies that the connection lives; clients ignore it. */
export const comment = ": keep-alive\n\n";
