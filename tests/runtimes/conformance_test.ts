/** The official conformance suite against `examples/everything.ts` on the other runtimes. */
import { conformance } from "../conformance/suite.ts";
import { command } from "./suite/examples.ts";
import { launch, stop } from "./suite/launch.ts";
import { runtimes } from "./suite/runtimes.ts";

for (const runtime of runtimes.filter(({ entry }) => entry !== "deno")) {
  conformance(runtime.name, async () => {
    const launched = await launch(await command(runtime, "everything"), { PORT: "0" });
    return { url: launched.url, stop: () => stop(launched) };
  });
}
