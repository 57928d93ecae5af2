/** The modern era, 2026-07-28: everything a request needs is in the request. */
export { decode, type Decoded } from "./modern/decode.ts";
export { fault, make as makeEncoder } from "./modern/encode.ts";
export { read as readFilter } from "./modern/filter.ts";
export { acknowledged, cancelled, change, log, progress } from "./modern/notification.ts";
