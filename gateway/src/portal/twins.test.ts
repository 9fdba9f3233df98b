import { noteNotRun } from "#testing/not-run.ts";
import { fileLayouts, filesSubject, tablesSubject } from "#testing/twins-subjects.ts";
import { describeTwins } from "#testing/twins-suite.ts";

describeTwins("Parquet files", () => filesSubject(fileLayouts.parquet));

for (const name of ["Trino", "Presto"]) {
  const url = process.env[`${name.toUpperCase()}_URL`];
  if (url !== undefined) describeTwins(`tables (${name})`, () => tablesSubject(url));
  else noteNotRun(`access rules on tables of ${name}`, "run `npm run test:engines`, see docs/decisions/archive/0476");
}
