/** What serving asks of the compiler: the services of handlers and hooks, and nothing else. */
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { Auth, Catalog, McpServer, Need, Tool } from "@needful/mcp";
import * as DenoServer from "@needful/mcp/deno";
import { type Equal, same as is } from "../types.ts";

interface Shop {
  readonly name: string;
}
const Shop: Context.Service<Shop, Shop> = Context.Service<Shop>("types/Shop");
interface Users {
  readonly find: (token: string) => string;
}
const Users: Context.Service<Users, Users> = Context.Service<Users>("types/Users");

const plain = Tool.make("plain", { description: "Needs nothing", handler: () => Effect.succeed("") });
const shop = Tool.make("shop", {
  description: "Needs a service, the client, the caller and the catalog",
  handler: Effect.fn(function* () {
    const { name } = yield* Shop;
    const { subject } = yield* Auth.Principal;
    yield* Need.confirm("sure", "Sure?");
    yield* Catalog.resourceUpdated("a:b");
    return `${name} ${subject}`;
  }),
});

const bare = McpServer.make({ name: "bare", version: "1", tools: [plain] });
const server = McpServer.make({ name: "typed", version: "1", tools: [plain, shop] });
const shops = Layer.succeed(Shop, { name: "shop" });
const users = Layer.succeed(Users, { find: () => "ada" });
const authenticate = ({ header }: Auth.AuthRequest): Effect.Effect<Auth.Principal, Auth.Unauthorized, Users> =>
  Effect.map(Users, ({ find }) => Auth.principal(find(header("authorization") ?? "")));

/** Never called: only the compiler reads it. */
const compiles = (): void => {
  is<Equal<typeof server, McpServer.McpServer<Shop>>>();
  McpServer.toWebHandler(bare);
  McpServer.toWebHandler(bare, { path: "/x" });
  McpServer.toWebHandler(server, shops);
  McpServer.toWebHandler(server, Layer.merge(shops, users), { authenticate });
  McpServer.toWebHandler(server, Layer.effect(Shop, Effect.as(Catalog.Catalog, { name: "knows the catalog" })));
  // @ts-expect-error: the shop is missing
  McpServer.toWebHandler(server);
  // @ts-expect-error: the shop is missing
  McpServer.toWebHandler(server, users);
  // @ts-expect-error: the hook's users are missing
  McpServer.toWebHandler(server, shops, { authenticate });
  // @ts-expect-error: the hook's users are missing
  McpServer.toWebHandler(bare, { authenticate });

  const served = DenoServer.layer(server);
  is<Equal<typeof served, Layer.Layer<DenoServer.Listening | Catalog.Catalog, DenoServer.ServeError, Shop>>>();
  const hooked = DenoServer.layer(server, { authenticate });
  is<
    Equal<typeof hooked, Layer.Layer<DenoServer.Listening | Catalog.Catalog, DenoServer.ServeError, Shop | Users>>
  >();
  DenoServer.run(Layer.provide(served, shops));
  // @ts-expect-error: the shop is missing
  DenoServer.run(served);
};

test("is: tells types apart, so that the assertions above can fail", () => {
  is<Equal<string, string>>();
  // @ts-expect-error: they are not equal
  is<Equal<string, number>>();
  assertEquals(typeof compiles, "function");
});
