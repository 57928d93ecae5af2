import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import * as Legacy from "../../../src/era/legacy.ts";
import type { ContentBlock } from "../../../src/model/content.ts";
import { internal, invalidParams, invalidState, methodNotFound, missingCapability } from "../../../src/model/fault.ts";
import type { DiscoverReply, ListReply, Reply } from "../../../src/model/reply.ts";
import { fields, modern, type Name, namesIn, revisions } from "./fields.ts";
import { blocks, descriptors, info } from "./fixtures.ts";
import { faults } from "./schema.ts";

const encoder = (name: Name): Legacy.Encoder => Legacy.makeEncoder(info, Legacy.findRevision(name)!);

/** The result of a reply, in a response that is valid by the revision's schema, as is the result by `definition`. */
const result = (name: Name, definition: string, reply: Reply, method = "tools/call") => {
  const message = JSON.parse(encoder(name).reply("id", method, reply));
  assertEquals(faults(name, "JSONRPCResponse", message), []);
  assertEquals(faults(name, definition, message.result), [], name);
  const unknown = Object.keys(message.result).filter((member) => !fields[definition]![name].includes(member));
  assertEquals(unknown, [], `${definition} ${name}`);
  assertEquals(modern.filter((member) => namesIn(message).has(member)), [], name);
  return message.result;
};

const cache = { ttlMs: 60_000, scope: "public" } as const;
const meta = { "example.com/key": 1 };

const page = (kind: ListReply["kind"]): ListReply => ({
  _tag: "List",
  kind,
  page: { items: [descriptors[kind]], nextCursor: "next" },
  cache,
});

const discover: DiscoverReply = {
  _tag: "Discover",
  lists: ["tools", "resources", "prompts"],
  completions: true,
  extensions: { "example.com/e": {} },
  instructions: "i",
  cache,
};

describe("lists", () => {
  const definitions = {
    tools: ["ListToolsResult", "tools", "Tool"],
    resources: ["ListResourcesResult", "resources", "Resource"],
    templates: ["ListResourceTemplatesResult", "resourceTemplates", "ResourceTemplate"],
    prompts: ["ListPromptsResult", "prompts", "Prompt"],
  } as const;

  test("reply: lists of each feature what the revision has of it, all of that, and nothing else (B20)", () => {
    for (const name of revisions) {
      for (const [kind, [definition, member, feature]] of Object.entries(definitions)) {
        const listed = result(name, definition, page(kind as ListReply["kind"]));
        assertEquals(Object.keys(listed).sort(), [member, "nextCursor"].sort());
        const expected = fields[feature]![name].filter((field) => field !== "execution");
        assertEquals(Object.keys(listed[member][0]).sort(), expected, `${feature} ${name}`);
      }
    }
  });

  test("reply: leaves out what is new inside of a feature", () => {
    const prompt = result("2025-03-26", "ListPromptsResult", page("prompts")).prompts[0];
    assertEquals(prompt.arguments, [{ name: "a", description: "An argument", required: true }]);
    const resource = result("2025-03-26", "ListResourcesResult", page("resources")).resources[0];
    assertEquals(resource.annotations, { audience: ["user"], priority: 0.5 });
    const newest = result("2025-06-18", "ListResourcesResult", page("resources")).resources[0];
    assertEquals(newest.annotations, descriptors.resources["annotations"]);
  });

  test("reply: lists an output schema only where it is one of objects (design, section 8)", () => {
    for (const outputSchema of [{ type: "array" }, { type: "string" }, { anyOf: [{ type: "object" }] }, {}]) {
      const tools = { items: [{ ...descriptors.tools, outputSchema }], nextCursor: undefined };
      const { tools: [tool] } = result("2025-11-25", "ListToolsResult", {
        _tag: "List",
        kind: "tools",
        page: tools,
        cache,
      });
      assertEquals("outputSchema" in tool, false);
    }
  });

  test("reply: writes the schema of a property as an object, without which clients drop the whole list (B69)", () => {
    const schema = { type: "object", properties: { any: true, none: false, text: { type: "string" } } };
    const tools = { items: [{ ...descriptors.tools, inputSchema: schema }], nextCursor: undefined };
    for (const name of revisions) {
      const listed = result(name, "ListToolsResult", { _tag: "List", kind: "tools", page: tools, cache });
      assertEquals(listed.tools[0].inputSchema.properties, { any: {}, none: { not: {} }, text: { type: "string" } });
    }
  });

  test("reply: writes a page once for each revision", () => {
    let written = 0;
    const items = [{
      name: "f",
      inputSchema: { type: "object", toJSON: () => ({ type: "object", written: ++written }) },
    }];
    const counted: ListReply = { _tag: "List", kind: "tools", page: { items, nextCursor: undefined }, cache };
    const [newest, older] = [encoder("2025-11-25"), encoder("2025-06-18")];
    for (const one of [newest, older, newest, older]) one.reply(1, "tools/list", counted);
    assertEquals(written, 2);
  });
});

describe("calls", () => {
  test("reply: writes blocks with the members that the revision has, and others as text", () => {
    const contents = (name: Name) =>
      result(name, "CallToolResult", { _tag: "Tool", content: Object.values(blocks), isError: false }).content;
    assertEquals(contents("2025-11-25"), Object.values(blocks));
    const types = (name: Name): ReadonlyArray<string> => contents(name).map(({ type }: ContentBlock) => type);
    assertEquals(types("2025-06-18"), ["text", "image", "audio", "resource_link", "resource"]);
    assertEquals(types("2025-03-26"), ["text", "image", "audio", "text", "resource"]);
    assertEquals(types("2024-11-05"), ["text", "image", "text", "text", "resource"]);
    // Design, section 8: a resource link before 2025-06-18 and audio on 2024-11-05 are text
    const [, , audio, link] = contents("2024-11-05");
    const annotations = { audience: ["user"], priority: 0.5 };
    assertEquals(audio.text, "[Audio of type audio/wav, which this client cannot receive]");
    assertEquals(link, { type: "text", text: "A: file:///a\nAbout a", annotations });
    assertEquals("icons" in contents("2025-06-18")[3], false);
    assertEquals(contents("2025-03-26")[4].resource, { uri: "file:///a", mimeType: "text/plain", text: "t" });
  });

  test("reply: sends a structured result only where it is an object and the revision has it", () => {
    const text: ContentBlock = { type: "text", text: "t" };
    const structured = (name: Name, value: unknown) =>
      result(name, "CallToolResult", { _tag: "Tool", content: [text], structured: { value }, isError: false });
    const withValue = revisions.filter((name) => "structuredContent" in structured(name, { a: 1 }));
    assertEquals(withValue, ["2025-11-25", "2025-06-18"]);
    assertEquals(structured("2025-11-25", { a: 1 }).structuredContent, { a: 1 });
    for (const value of [[1], null, 1, "x", true]) {
      for (const name of revisions) assertEquals(structured(name, value), { content: [text] });
    }
  });

  test("reply: keeps errors and the author's own _meta", () => {
    for (const name of revisions) {
      const reply = result(name, "CallToolResult", { _tag: "Tool", content: [], isError: true, meta });
      assertEquals(reply, { content: [], isError: true, _meta: meta });
    }
  });

  test("reply: writes resources and prompts without hints", () => {
    const contents = [{ uri: "file:///a", mimeType: "text/plain", text: "t", _meta: meta }];
    for (const name of revisions) {
      const read = result(name, "ReadResourceResult", { _tag: "Resource", contents, cache, meta }, "resources/read");
      assertEquals(Object.keys(read).sort(), ["_meta", "contents"]);
      assertEquals("_meta" in read.contents[0], name >= "2025-06-18");
      const got = result(name, "GetPromptResult", {
        _tag: "Prompt",
        description: "d",
        messages: Object.values(blocks).map((content) => ({ role: "user", content })),
      });
      assertEquals([got.description, got.messages.length, Object.keys(got).length], ["d", 5, 2]);
    }
  });

  test("reply: writes completions", () => {
    for (const name of revisions) {
      const completion = { values: ["a"], total: 2, hasMore: true };
      assertEquals(result(name, "CompleteResult", { _tag: "Completion", ...completion }), { completion });
    }
  });

  test("reply: never says that input is required (B20)", () => {
    for (const name of revisions) {
      const text = encoder(name).reply(1, "tools/call", { _tag: "InputRequired", questions: [], state: "s" });
      assertEquals(JSON.parse(text), { jsonrpc: "2.0", id: 1, error: { code: -32603, message: "Internal error" } });
    }
  });

  test("reply: keeps the type of the id, and empty is an empty object", () => {
    for (const id of [0, "0"]) {
      assertEquals(JSON.parse(encoder("2025-11-25").empty(id)), { jsonrpc: "2.0", id, result: {} });
    }
  });
});

describe("initialize", () => {
  const initialized = (name: Name, session = true) => {
    const message = JSON.parse(encoder(name).initialize(0, discover, session));
    assertEquals(faults(name, "InitializeResult", message.result), []);
    assertEquals(modern.filter((member) => namesIn(message).has(member)), []);
    return message.result;
  };

  test("initialize: says of the server what the revision has words for", () => {
    for (const name of revisions) {
      const { instructions, protocolVersion, serverInfo } = initialized(name);
      assertEquals([protocolVersion, instructions], [name, "i"]);
      assertEquals(Object.keys(serverInfo).sort(), fields["Implementation"]![name]);
    }
  });

  test("initialize: declares what is served, and completions since 2025-03-26", () => {
    const lists = {
      tools: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      prompts: { listChanged: true },
    };
    assertEquals(initialized("2025-11-25").capabilities, { logging: {}, completions: {}, ...lists });
    assertEquals(initialized("2024-11-05").capabilities, { logging: {}, ...lists });
  });

  test("initialize: declares nothing that needs a session where there is none (B55)", () => {
    assertEquals(initialized("2025-11-25", false).capabilities, {
      completions: {},
      tools: {},
      resources: {},
      prompts: {},
    });
  });
});

describe("faults", () => {
  const error = (name: Name, method: string, fault: Parameters<Legacy.Encoder["reply"]>[2]) => {
    const message = JSON.parse(encoder(name).reply(1, method, fault));
    assertEquals(faults(name, "JSONRPCError", message), []);
    return message.error;
  };

  test("reply: says -32002 of a resource that does not exist, and of nothing else", () => {
    const notFound = invalidParams("Resource not found", 200, { uri: "file:///a" });
    for (const name of revisions) {
      const expected = { code: -32002, message: "Resource not found", data: { uri: "file:///a" } };
      assertEquals(error(name, "resources/read", notFound), expected);
    }
    assertEquals(error("2025-11-25", "resources/read", invalidParams("Invalid cursor")).code, -32602);
    assertEquals(error("2025-11-25", "prompts/get", notFound).code, -32602);
    assertEquals(Legacy.resourceNotFound("file:///a").code, -32002);
  });

  test("reply: has no code for a capability that is not declared: a tool has failed, anything else too", () => {
    const missing = missingCapability(["elicitation.form"]);
    const message = "The client lacks required capabilities: elicitation.form";
    const reply = JSON.parse(encoder("2025-11-25").reply(1, "tools/call", missing));
    assertEquals(reply.result, { content: [{ type: "text", text: message }], isError: true });
    assertEquals(error("2025-11-25", "prompts/get", missing), { code: -32603, message });
  });

  test("status: is 200 for a request that could be read, as older clients take a 404 for the end of a session", () => {
    const answered = [methodNotFound("m"), invalidParams("x", 400), internal(), missingCapability([]), invalidState];
    assertEquals(answered.map(Legacy.status), answered.map(() => 200));
  });

  test("fault: has no id where the request's could not be read, and null where the revision demands one", () => {
    const ids = (name: Name | undefined) => {
      const revision = name === undefined ? undefined : Legacy.findRevision(name);
      return JSON.parse(Legacy.fault(revision, undefined, internal()));
    };
    // Design, section 9
    assertEquals("id" in ids(undefined), false);
    assertEquals("id" in ids("2025-11-25"), false);
    for (const name of ["2025-06-18", "2025-03-26", "2024-11-05"] as const) assertEquals(ids(name).id, null);
    assertEquals(JSON.parse(Legacy.fault(Legacy.findRevision("2025-06-18"), "a", internal())).id, "a");
  });
});

describe("notifications", () => {
  const valid = (name: Name, definition: string, text: string | undefined) => {
    assert(text !== undefined);
    const message = JSON.parse(text);
    assertEquals(faults(name, "JSONRPCNotification", message), []);
    assertEquals(faults(name, definition, message), []);
    return message;
  };

  test("notifications: are those of the revision", () => {
    for (const name of revisions) {
      const revision = Legacy.findRevision(name)!;
      const progress = Legacy.progress(revision, "t", { progress: 1, total: 2, message: "m" });
      const { params } = valid(name, "ProgressNotification", progress);
      const message = name === "2024-11-05" ? {} : { message: "m" };
      assertEquals(params, { progressToken: "t", progress: 1, total: 2, ...message });
      valid(name, "LoggingMessageNotification", Legacy.log({ level: "info", data: undefined }));
      valid(name, "CancelledNotification", Legacy.cancelled(1, "r"));
      valid(name, "ToolListChangedNotification", Legacy.change({ _tag: "ListChanged", kind: "tools" }));
      valid(name, "ResourceListChangedNotification", Legacy.change({ _tag: "ListChanged", kind: "resources" }));
      valid(name, "PromptListChangedNotification", Legacy.change({ _tag: "ListChanged", kind: "prompts" }));
      const updated = Legacy.change({ _tag: "ResourceUpdated", uri: "file:///a" });
      assertEquals(valid(name, "ResourceUpdatedNotification", updated).params, { uri: "file:///a" });
    }
  });

  test("elicitationComplete: is known to 2025-11-25 only", () => {
    for (const name of revisions) {
      const text = Legacy.elicitationComplete(Legacy.findRevision(name)!, "e");
      if (name !== "2025-11-25") assertEquals(text, undefined);
      else assertEquals(valid(name, "ElicitationCompleteNotification", text).params, { elicitationId: "e" });
    }
  });
});
