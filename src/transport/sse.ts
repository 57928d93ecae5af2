/** Server-sent events. */

/** An event with a message. JSON has no raw line breaks, so that it fits into one line. */
export const event = (json: string): string => `data: ${json}\n\n`;

/** What tells client and proxies that the connection lives; clients ignore it. */
export const comment = ": keep-alive\n\n";
