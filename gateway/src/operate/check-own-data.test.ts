import { mkdir, rm, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { noServiceFor } from "#own-data/own-stores.ts";
import { temporaryFolder } from "#testing/portal-process.ts";
import { testDatabaseForOneTest } from "#testing/postgres.ts";
import { checkOwnData } from "./check-own-data.ts";
import { Findings } from "./finding.ts";

it("finds files of own datasets that are missing or cut, files of none, and a room that is almost full", async () => {
  const { db, pool } = await testDatabaseForOneTest();
  const home = await temporaryFolder();
  const reader = () => Promise.reject(noServiceFor("own"));
  const check = async (maxBytes = 1_000) => {
    const findings = new Findings("own data");
    await checkOwnData(findings, db, { home, maxBytes, bucket: "", reader });
    return findings.all.map(({ level, what }) => `${level}: ${what.replaceAll(home, "HOME")}`);
  };
  expect(await check()).toEqual(["fine: Own data takes 0 of 0.000001 GB."]);
  const folder = join(home, "own-data", "kept", "import");
  await mkdir(folder, { recursive: true });
  await pool.query(
    "insert into own_datasets (id, category, name, owner_name, settings, data_version) values ('a', '~ada', 'things', 'ada', '{}', 1)",
  );
  for (const name of ["rows.parquet", "1.csv"]) {
    await writeFile(join(folder, name), "x".repeat(100));
    await pool.query("insert into own_data_files (key, dataset_id, bytes, name) values ($1, 'a', 100, 'rows')", [`import/${name}`]);
  }
  // An import that has just begun.
  await pool.query("insert into own_data_files (key, import_id, bytes, name) values ('import/2.csv', 'b', 100, 'rows')");
  expect(await check()).toEqual(["fine: Own data takes 0.0000003 of 0.000001 GB."]);
  expect(await check(310)).toEqual(["warning: Own data takes 0.0000003 of 0.00000031 GB."]);
  await truncate(join(folder, "1.csv"), 10);
  await rm(join(folder, "rows.parquet"));
  await writeFile(join(folder, "young"), "x");
  await writeFile(join(folder, "old"), "x".repeat(2_000_000));
  await utimes(join(folder, "old"), 1_000, 1_000);
  expect(await check()).toEqual([
    "problem: Files of 1 own dataset are missing in HOME/own-data/kept, or have another size: ~ada/things.",
    "warning: 1 file in HOME/own-data/kept (0.002 GB) belong to no dataset.",
    "fine: Own data takes 0.0000003 of 0.000001 GB.",
  ]);
});
