/** The protocol revisions that exist, by era. */

/** Revisions that state version, client and capabilities in every request, newest first. */
export const modern: ReadonlyArray<string> = ["2026-07-28"];

/** Revisions that open a conversation with `initialize`, newest first. */
export const legacy: ReadonlyArray<string> = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
