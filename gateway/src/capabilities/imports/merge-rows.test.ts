import { randomUUID } from "node:crypto";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import type { SearchAnswer } from "@fairway/contract/search";
import { expect, it } from "vitest";
import { ownDataApp } from "#testing/own-data-app.ts";
import { sharedApp } from "#testing/shared-app.ts";
import { maxRowsFiles, tailToMerge } from "./merge-rows.ts";

const shared = sharedApp((onClose) => ownDataApp({ onClose }), ["imports", "own_datasets", "own_categories", "own_data_files"]);

it("merges files that are no larger than what follows them, once there are many", () => {
  const sizes = (...bytes: number[]) => bytes.map((one) => ({ bytes: one }));
  expect(tailToMerge(sizes(1, 1, 1, 1, 1, 1, 1), 1)).toBe(0);
  expect(tailToMerge(sizes(1, 1, 1, 1, 1, 1, 1, 1), 1)).toBe(8);
  expect(tailToMerge(sizes(900, 1, 1, 1, 1, 1, 1, 1), 1)).toBe(7);
  expect(tailToMerge(sizes(900, 400, 200, 90, 40, 20, 8, 3), 1)).toBe(1);
  expect(tailToMerge(sizes(9, 8, 7, 6, 5, 4, 3, 100_000_000), 1)).toBe(0);
  let files = sizes(50);
  let written = 0;
  for (let n = 0; n < 1_000; n += 1) {
    const count = tailToMerge(files, 1);
    const bytes = files.slice(files.length - count).reduce((sum, one) => sum + one.bytes, 1);
    files = [...files.slice(0, files.length - count), { bytes }];
    written += bytes;
    expect(files.length).toBeLessThanOrEqual(maxRowsFiles);
  }
  expect(files.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(1_050);
  expect(written).toBeLessThan(20 * 1_000);
});

/** Gives the dataset so many files of rows more, as appends would, which take a second each. */
async function addCopies(count: number): Promise<void> {
  const app = shared();
  const { pool } = app.gateway.database;
  const { rows: versions } = await pool.query<{ files: { key: string; rows: number }[] }>("select files from own_dataset_versions");
  const [file = { key: "", rows: 0 }] = versions[0]?.files ?? [];
  const copies = Array.from({ length: count }, () => ({ ...file, key: file.key.replace(/rows-[^/]*$/, `rows-${randomUUID()}.parquet`) }));
  for (const { key } of copies) {
    const path = (of: string) => join(app.root, "own-data", "kept", of);
    await copyFile(path(file.key), path(key));
    await pool.query(
      "insert into own_data_files (key, user_id, dataset_id, bytes, name) select $2, user_id, dataset_id, bytes, name from own_data_files where key = $1",
      [file.key, key],
    );
  }
  const files = [file, ...copies];
  await pool.query("update own_dataset_versions set files = $1, rows = $2", [JSON.stringify(files), files.length * file.rows]);
}

it("merges small files of rows when a version is made, and keeps every row, value and type", async () => {
  const app = shared();
  const head = "day,at,ship,size,weight,id,known";
  await app.dataset("ada", "ships", `${head}\n2024-01-01,2024-02-01T00:00:00.25Z,Ada,1,1.25,123456789012345678901,true\n`);
  await addCopies(maxRowsFiles - 1);
  // The eighth file more would be the ninth: all become one.
  const { id } = await app.read(
    "ada",
    { "more.csv": `${head}\n2024-01-02,2024-02-01T00:00:01.25Z,Bell,2,2.25,123456789012345678902,false\n` },
    { into: { datasetCategory: "~ada", datasetId: "ships", mode: "append" } },
  );
  await app.call("ada", "POST", `/imports/${id}/dataset`, { acceptAssumed: true });
  expect(await app.settled("ada", id)).toMatchObject({ status: "done", failure: null });
  const { rows: versions } = await app.gateway.database.pool.query("select rows, files from own_dataset_versions order by version");
  expect(versions.at(-1)).toMatchObject({ rows: String(maxRowsFiles + 1), files: [{ rows: maxRowsFiles + 1 }] });
  const all = async () => (await app.call<SearchAnswer>("ada", "POST", "/datasets/~ada/ships/search", {})).body.results;
  await expect.poll(all).toHaveLength(maxRowsFiles + 1);
  const [bell, ...adas] = await all();
  expect(bell).toMatchObject({ ship: "Bell", size: 2, weight: 2.25, id: "123456789012345678902", known: false });
  expect(adas).toEqual(
    Array.from({ length: maxRowsFiles }, () => ({
      ...adas[0],
      ship: "Ada",
      size: 1,
      weight: 1.25,
      id: "123456789012345678901",
      known: true,
    })),
  );
});
