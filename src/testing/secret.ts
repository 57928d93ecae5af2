/** A key for states in tests, so that they need no environment and log no warning. */
import * as ConfigProvider from "effect/ConfigProvider";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";

const variable = "MCP_STATE_SECRET";
const secret = "a secret for tests that nobody has to keep";

/** The context with a value for `MCP_STATE_SECRET`, unless its own configuration has one. */
export const withSecret = <R>(context: Context.Context<R>): Context.Context<R> => {
  const { ConfigProvider: key, make, makeValue } = ConfigProvider;
  const own = context.mapUnsafe.has(key.key);
  const provider = make((path) =>
    Effect.suspend(() => {
      const isSecret = path.join("_") === variable;
      // The default provider reads the whole environment, which a test may not be allowed to.
      const loaded = own || !isSecret ? Context.get(context, key).load(path) : Effect.undefined;
      return isSecret ? Effect.map(loaded, (node) => node ?? makeValue(secret)) : loaded;
    })
  );
  return Context.add(context, key, provider) as Context.Context<R>;
};
