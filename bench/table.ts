/**
 * The tables of several runs side by side, in Markdown: `deno run -R bench/table.ts [--only=abc] deno.json bun.json node.json`.
 * Each file is what `main.ts` wrote by `--json`.
 */
import { readFileSync } from "node:fs";
import process from "node:process";
import { parseArgs } from "node:util";
import { digits, type Row, type Spread, type Table } from "./figures.ts";

const { positionals, values } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: { only: { type: "string", default: "abcdefghijk" } },
});

interface Run {
  readonly runtime: string;
  readonly machine: string;
  readonly tables: ReadonlyArray<Table>;
}

const runs: ReadonlyArray<Run> = positionals.map((path) => JSON.parse(readFileSync(path, "utf8")));

const line = (cells: ReadonlyArray<string>): void => console.log(`| ${cells.join(" | ")} |`);

const times = ({ high, low, median }: Spread): string =>
  low === high ? "" : `, ${median.toFixed(2)}× (${low.toFixed(2)}–${high.toFixed(2)})`;

const cell = (unit: string, row: Row | undefined): string =>
  row === undefined ? "" : `${digits(row.value.median)} ${unit}${row.times === undefined ? "" : times(row.times)}`;

/** The rows of one piece of work; the names of all runs, in the order in which they come. */
const block = (id: string, work: string): void => {
  const tables = runs.map((run) => run.tables.find((table) => table.id === id && table.work === work));
  const names = new Set(tables.flatMap((table) => table?.rows.map(({ name }) => name) ?? []));
  let title = `(${id}) ${work}`;
  for (const name of names) {
    const cells = tables.map((table) => cell(table?.unit ?? "", table?.rows.find((row) => row.name === name)));
    line([title, name, ...cells]);
    title = "";
  }
};

line(["work", "", ...runs.map(({ runtime }) => runtime)]);
line(["---", "---", ...runs.map(() => "---")]);
const works = new Map(runs.flatMap(({ tables }) => tables.map(({ id, work }) => [work, id] as const)));
for (const [work, id] of [...works].toSorted(([, a], [, b]) => a < b ? -1 : a > b ? 1 : 0)) {
  if (values.only.includes(id)) block(id, work);
}
console.log(`\n${[...new Set(runs.map(({ machine }) => machine))].join("; ")}`);
