/** The suite for HTTP, on every runtime. */
import { suite } from "./suite/http.ts";
import { runtimes } from "./suite/runtimes.ts";

for (const runtime of runtimes) suite(runtime);
