/** How servers begin and end, on every runtime. */
import { suite } from "./suite/life.ts";
import { runtimes } from "./suite/runtimes.ts";

for (const runtime of runtimes) suite(runtime);
