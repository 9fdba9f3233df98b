import { describeDerivedColumns } from "#testing/derived-columns-suite.ts";
import { noteNotRun } from "#testing/not-run.ts";
import { tableBench } from "./testing/table-bench.ts";

const servers = [
  { name: "a real Trino", url: process.env["TRINO_URL"] },
  { name: "a real Presto", url: process.env["PRESTO_URL"] },
];

for (const { name, url } of servers) {
  if (url === undefined) noteNotRun(`derived columns of tables of ${name}`, "run `npm run test:engines`, see docs/decisions/archive/0476");
  else describeDerivedColumns(`tables (${name})`, { formulas: 8, rows: 60, seeds: [1] }, () => tableBench(url));
}
