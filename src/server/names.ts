/** Names and URIs of features: what the protocol lets them be. */

/**
 * Why `name` cannot name a tool; undefined if it can.
 *
 * The protocol asks for 1 to 128 letters, digits, `_`, `-` and `.` (2026-07-28, server/tools, "Tool names"). Other
 * visible ASCII is let through, as servers in the field use it; what breaks clients is not.
 */
export const toolNameFault = (name: string): string | undefined => {
  if (typeof name !== "string") return "it is not a text";
  if (name === "") return "it is empty";
  if (name.length > 128) return "it has more than 128 characters";
  return /^[\x21-\x2b\x2d-\x7e]+$/.test(name) ? undefined : "it has a space, a comma or a character outside of ASCII";
};

/** Why `name` cannot name a prompt, a resource or a server; undefined if it can. */
export const nameFault = (name: string): string | undefined => {
  if (typeof name !== "string") return "it is not a text";
  if (name.trim() === "") return "it is empty";
  // deno-lint-ignore no-control-regex -- control characters are what is looked for
  return /[\u0000-\u001f\u007f]/.test(name) ? "it has a control character" : undefined;
};

/**
 * Why `uri` cannot be a resource's URI; undefined if it can.
 *
 * RFC 3986 with a scheme; characters outside of ASCII are let through, as IRIs are in use.
 */
export const uriFault = (uri: string): string | undefined => {
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:./.test(uri)) return "it does not begin with a scheme";
  // deno-lint-ignore no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u0020\u007f<>"{}|\\^`]/.test(uri)) return "it has a character that URIs do not have";
  return /%(?![0-9A-Fa-f]{2})/.test(uri) ? "it has a % that begins no escape" : undefined;
};

/** Why nothing can be made with `handler`; undefined if something can. */
export const handlerFault = (handler: unknown): string | undefined =>
  typeof handler === "function" ? undefined : "its handler is no function";

/** Refuses `value`, a name or URI of a `kind`, if there is a fault with it. */
export const check = (kind: string, value: string, fault: string | undefined): void => {
  if (fault !== undefined) throw new TypeError(`Cannot make ${kind} ${JSON.stringify(value)}: ${fault}`);
};
