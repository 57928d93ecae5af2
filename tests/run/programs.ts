/**
 * Programs that must work (DESIGN.md, section 5), and more of their kind, as a table that both interpreters run: what a
 * program comes to must not depend on the era. Only `asks`, the keys of each interim result, is of the modern era.
 */
import { attempts } from "./programs/attempts.ts";
import { commits } from "./programs/commits.ts";
import { forks } from "./programs/forks.ts";
import { gathered } from "./programs/gathered.ts";
import { keys } from "./programs/keys.ts";
import { listed } from "./programs/listed.ts";
import { misuse } from "./programs/misuse.ts";
import { passes } from "./programs/passes.ts";
import { plain } from "./programs/plain.ts";
import { regions } from "./programs/regions.ts";
import { services } from "./programs/services.ts";
import { signals } from "./programs/signals.ts";
import { steps } from "./programs/steps.ts";
import { together } from "./programs/together.ts";
import type { Program } from "./programs/program.ts";

/** All programs. */
export const programs: ReadonlyArray<Program> = [
  ...listed,
  ...plain,
  ...forks,
  ...together,
  ...gathered,
  ...keys,
  ...services,
  ...signals,
  ...regions,
  ...steps,
  ...misuse,
  ...commits,
  ...passes,
  ...attempts,
];
