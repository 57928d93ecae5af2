/** URL mode: the page of `examples/connect.ts` takes the account only from the user on whose behalf the tool was called. */
import { describe, test } from "node:test";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { accept, connect as client, decline, type PromiseClient, type Responder, RpcError } from "@needful/mcp/testing";
import { closing } from "../closing.ts";
import { authenticate, server } from "../../examples/connect.ts";
import { layer, page } from "../../examples/connect_page.ts";

const ada = { authorization: "Bearer ada-token" };

const start = (headers: Record<string, string> = ada) =>
  client(server, layer, { server: { authenticate, fallback: page }, headers });

/** Opens the page and sends its form, as a browser does. */
const visit = async (
  { fetch }: PromiseClient,
  url: string,
  fields: { readonly user: string; readonly passphrase: string },
): Promise<number> => {
  const opened = await fetch(new Request(url));
  assertEquals(opened.status, 200);
  assertStringIncludes(await opened.text(), "<form");
  const body = new URLSearchParams({ ...fields, account: "shop/ada" });
  return (await fetch(new Request(url, { method: "POST", body }))).status;
};

const asAda = { user: "ada", passphrase: "difference engine" };
const asBob = { user: "bob", passphrase: "stepped reckoner" };

describe("connect", () => {
  test("connect: goes on when the user has finished on the page, without asking again", () =>
    closing(start(), async (session) => {
      const account: Responder = async ({ url }) => {
        assertEquals(await visit(session, url!, asAda), 200);
        return accept();
      };
      const { rounds, text } = await session.callTool("connect", {}, { account });
      assertEquals(text, "shop/ada is connected for ada.");
      assertEquals(rounds.map(({ asked }) => Object.keys(asked)), [["account"], []]);
      assertEquals(rounds[0]!.asked["account"]!.params["mode"], "url");
    }));

  test("connect: takes the account neither from another user nor without the passphrase", () =>
    closing(start(), async (session) => {
      const account: Responder = async ({ url }) => {
        assertEquals(await visit(session, url!, asBob), 403);
        assertEquals(await visit(session, url!, { ...asAda, passphrase: "guess" }), 403);
        assertEquals(await visit(session, url!, asAda), 200);
        return accept();
      };
      const { text } = await session.callTool("connect", {}, { account });
      assertEquals(text, "shop/ada is connected for ada.");
    }));

  test("connect: ends when the user does not go to the page", () =>
    closing(start(), async (session) => {
      const { result, text } = await session.callTool("connect", {}, { account: decline });
      assertEquals([result.isError, text], [true, 'The user declined "account"']);
    }));

  test("connect: tells a caller without a token that it needs one, and refuses a wrong one", () =>
    closing(start({}), async (session) => {
      const { result, text } = await session.callTool("connect");
      assertEquals([result.isError, text], [
        true,
        "Only known users have accounts: send a token, like Bearer ada-token",
      ]);
      const error = await session.as({ headers: { authorization: "Bearer guess" } }).callTool("connect").then(
        () => undefined,
        (error) => error,
      );
      assertEquals(error instanceof RpcError && error.status, 401);
    }));

  test("connect: asks no client that cannot open pages", () =>
    closing(start(), async (session) => {
      const error = await session.as({ capabilities: ["elicitation.form"] }).callTool("connect").then(
        () => undefined,
        (error) => error,
      );
      assertEquals(error instanceof RpcError && [error.code, error.data], [
        -32021,
        { requiredCapabilities: { elicitation: { url: {} } } },
      ]);
    }));
});
