import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import * as Legacy from "../../../src/era/legacy.ts";
import type { RequestMessage } from "../../../src/era/message.ts";
import { isFault } from "../../../src/model/fault.ts";
import type { JsonRecord } from "../../../src/model/json.ts";
import { revisions } from "./fields.ts";
import { icons } from "./fixtures.ts";

const initialize = (params: JsonRecord): RequestMessage => ({ _tag: "Request", id: 0, method: "initialize", params });

const open = (params: JsonRecord, named?: string, carrier: Legacy.Carrier = "http"): Legacy.Conversation => {
  const conversation = Legacy.open(initialize({ protocolVersion: "2025-11-25", ...params }), named, carrier);
  assert(!isFault(conversation));
  return conversation;
};

const refused = (params: JsonRecord, named?: string) => {
  const fault = Legacy.open(initialize(params), named, "http");
  return isFault(fault) ? [fault.code, fault.status] : undefined;
};

describe("negotiate", () => {
  /** Design, section 9, "Which era"; 2025-11-25, basic/lifecycle, "Version Negotiation"; B20. */
  const table: ReadonlyArray<readonly [requested: string, http: string, stdio: string]> = [
    ["2025-11-25", "2025-11-25", "2025-11-25"],
    ["2025-06-18", "2025-06-18", "2025-06-18"],
    ["2025-03-26", "2025-03-26", "2025-03-26"],
    ["2024-11-05", "2025-03-26", "2024-11-05"],
    ["2026-07-28", "2025-11-25", "2025-11-25"],
    ["2027-01-01", "2025-11-25", "2025-11-25"],
    ["1900-01-01", "2025-11-25", "2025-11-25"],
    ["", "2025-11-25", "2025-11-25"],
  ];

  test("negotiate: answers the revision that is asked for, else the newest older one, never a modern one", () => {
    for (const [requested, http, stdio] of table) {
      assertEquals(Legacy.negotiate(requested, "http").name, http, requested);
      assertEquals(Legacy.negotiate(requested, "stdio").name, stdio, requested);
      assertEquals(open({ protocolVersion: requested }).revision.name, http);
    }
  });
});

describe("open", () => {
  test("open: refuses a version that is no string", () => {
    for (const protocolVersion of [1, null, {}, undefined]) assertEquals(refused({ protocolVersion }), [-32602, 200]);
  });

  test("open: refuses a header that names no revision with initialize, and heeds none of the others", () => {
    const params = { protocolVersion: "2025-06-18" };
    for (const named of ["2026-07-28", "2027-01-01", "1900-01-01", "x"]) {
      assertEquals(refused(params, named), [-32020, 400], named);
    }
    for (const named of [undefined, ...revisions]) assertEquals(open(params, named).revision.name, "2025-06-18");
  });

  test("open: reads who the client is, but for its pictures", () => {
    const info = { name: "c", version: "1", title: "C", description: "d", websiteUrl: "https://c" };
    assertEquals(open({ clientInfo: { ...info, icons, other: 1 } }).client, info);
    assertEquals(open({ clientInfo: { ...info, title: 1 } }).client?.title, undefined);
    for (const clientInfo of [undefined, "c", {}, { name: "c" }, { name: 1, version: "1" }]) {
      assertEquals(open({ clientInfo }).client, undefined);
    }
  });

  test("open: keeps no more of a client than fits into a small session", () => {
    const long = "x".repeat(100_000);
    assertEquals(open({ clientInfo: { name: "c", version: "1", description: long } }).client, {
      name: "c",
      version: "1",
    });
    assertEquals(open({ clientInfo: { name: long, version: "1" } }).client, undefined);
    assertEquals(open({ capabilities: { experimental: { a: { long } }, roots: {} } }).capabilities, { roots: {} });
  });

  const read = (protocolVersion: string, capabilities: unknown) => open({ protocolVersion, capabilities }).capabilities;

  test("open: takes a malformed capability for none (design, section 9)", () => {
    for (const capabilities of [undefined, null, [], "x", 1, { elicitation: 1, sampling: [], roots: "x" }]) {
      assertEquals(read("2025-11-25", capabilities), {});
    }
    assertEquals(read("2025-11-25", { elicitation: { form: 1, url: {} }, sampling: { tools: 1, context: {} } }), {
      elicitation: { url: {} },
      sampling: { context: {} },
    });
  });

  test("open: takes an empty elicitation for one of forms (2025-11-25, client/elicitation, Capabilities)", () => {
    assertEquals(read("2025-11-25", { elicitation: {} }), { elicitation: { form: {} } });
  });

  test("open: counts only what the revision has words for", () => {
    const all = {
      elicitation: { form: {}, url: {} },
      sampling: { tools: {}, context: {} },
      roots: { listChanged: true },
      experimental: { "example.com/x": {} },
    };
    assertEquals(read("2025-11-25", all), all);
    const older = { experimental: all.experimental, sampling: { context: {} }, roots: all.roots };
    assertEquals(read("2025-06-18", all), { ...older, elicitation: { form: {} } });
    assertEquals(read("2025-03-26", all), older);
  });

  test("open: takes all clients before 2025-11-25 that sample for ones that include context", () => {
    assertEquals(read("2025-11-25", { sampling: {} }), { sampling: {} });
    for (const name of ["2025-06-18", "2025-03-26"]) {
      assertEquals(read(name, { sampling: {} }), { sampling: { context: {} } });
    }
  });
});

describe("without initialize", () => {
  test("stateless: speaks what the header says, else 2025-03-26 (design, section 9)", () => {
    const spoken = [undefined, ...revisions].map((named) => Legacy.stateless(named).revision.name);
    assertEquals(spoken, ["2025-03-26", "2025-11-25", "2025-06-18", "2025-03-26", "2025-03-26"]);
    assertEquals(Legacy.stateless(undefined).capabilities, {});
  });

  test("checkHeader: refuses the header of another revision in a session", () => {
    const session = Legacy.findRevision("2025-06-18")!;
    assertEquals(Legacy.checkHeader(session, undefined), undefined);
    assertEquals(Legacy.checkHeader(session, "2025-06-18"), undefined);
    for (const named of ["2025-11-25", "2025-03-26"]) {
      const fault = Legacy.checkHeader(session, named);
      assertEquals([fault?.code, fault?.status], [-32600, 400]);
    }
  });
});
