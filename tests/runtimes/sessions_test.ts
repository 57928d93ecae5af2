/** Sessions over HTTP, on every runtime. */
import { runtimes } from "./suite/runtimes.ts";
import { suite } from "./suite/sessions.ts";

for (const runtime of runtimes) suite(runtime);
