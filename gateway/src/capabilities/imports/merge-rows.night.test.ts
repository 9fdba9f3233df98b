import type { DataImport } from "@fairway/contract/imports";
import type { SearchAnswer } from "@fairway/contract/search";
import { expect, it } from "vitest";
import { ownDataApp } from "#testing/own-data-app.ts";
import { sharedApp } from "#testing/shared-app.ts";
import { maxRowsFiles } from "./merge-rows.ts";

const shared = sharedApp((onClose) => ownDataApp({ onClose }), ["imports", "own_datasets", "own_categories", "own_data_files"]);

const into = { datasetCategory: "~ada", datasetId: "ships", mode: "append" } as const;
const head = "day,at,ship,size,weight,id,known";
const line = (n: number) =>
  `2024-01-${String(1 + (n % 28)).padStart(2, "0")},2024-02-01T00:00:${String(n % 60).padStart(2, "0")}.25Z,Ship ${n},${n},${n}.25,12345678901234567890${n},${n % 2 === 0}`;

async function append(content: string): Promise<DataImport> {
  const app = shared();
  const { id, drift } = await app.read("ada", { "more.csv": content }, { into });
  await app.call("ada", "POST", `/imports/${id}/dataset`, { acceptAssumed: true, acceptDrift: drift.map(({ kind }) => kind) });
  const done = await app.settled("ada", id);
  expect([done.status, done.failure]).toEqual(["done", null]);
  return done;
}

async function versions(): Promise<{ version: number; files: { key: string; rows: number }[]; rows: number }[]> {
  const { rows } = await shared().gateway.database.pool.query<{ version: number; files: { key: string; rows: number }[]; rows: string }>(
    "select version, files, rows from own_dataset_versions order by version",
  );
  return rows.map((row) => Object.assign(row, { rows: Number(row.rows) }));
}

const all = async () => (await shared().call<SearchAnswer>("ada", "POST", "/datasets/~ada/ships/search", {})).body;

it("merges small files of rows when a version is made, and keeps every row, value and type, and those of earlier versions", async () => {
  const app = shared();
  const { dataset } = await app.dataset("ada", "ships", `${head}\n${line(0)}\n`);
  for (let n = 1; n < maxRowsFiles; n += 1) await append(`${head}\n${line(n)}\n`);
  const before = (await versions()).at(-1);
  expect(before?.files).toHaveLength(maxRowsFiles);
  await expect.poll(async () => (await all()).results).toHaveLength(maxRowsFiles);
  const shown = await all();
  // The eighth file more would be the ninth: all become one.
  await append(`${head}\n${line(maxRowsFiles)}\n`);
  const after = (await versions()).at(-1);
  expect(after).toMatchObject({ rows: maxRowsFiles + 1, files: [{ rows: maxRowsFiles + 1 }] });
  await expect.poll(async () => (await all()).results).toHaveLength(maxRowsFiles + 1);
  const { results } = await all();
  expect(results.slice(1)).toEqual(shown.results);
  const stored = await app.stored();
  for (const { key } of [...(before?.files ?? []), ...(after?.files ?? [])]) expect(stored).toContain(key);
  await app.call("ada", "POST", `/ownDatasets/${dataset?.id}/versions/${before?.version}/restore`);
  await expect.poll(async () => (await all()).results).toEqual(shown.results);
  await append("day,at,ship,size,colour\n2024-03-01,2024-03-01T00:00:00.25Z,Late,x,red\n");
  await expect.poll(async () => (await all()).results.map(({ size }) => size)).toContain("x");
  expect((await all()).results.map(({ weight }) => weight)).toEqual([null, ...shown.results.map(({ weight }) => weight)]);
  expect((await versions()).at(-1)?.files).toHaveLength(1);
});

it("keeps both of two appends at once, of which one has merged what the other has changed", async () => {
  const app = shared();
  await app.dataset("ada", "ships", `${head}\n${line(0)}\n`);
  for (let n = 1; n < maxRowsFiles; n += 1) await append(`${head}\n${line(n)}\n`);
  const [one, other] = [
    await app.read("ada", { "one.csv": `${head}\n${line(20)}\n` }, { into }),
    await app.read("ada", { "other.csv": `${head}\n${line(21)}\n` }, { into }),
  ];
  await Promise.all([one, other].map(({ id }) => app.call("ada", "POST", `/imports/${id}/dataset`, { acceptAssumed: true })));
  for (const { id } of [one, other]) expect(await app.settled("ada", id)).toMatchObject({ status: "done" });
  const ids = async () => (await all()).results.map(({ ship }) => String(ship)).toSorted();
  const expected = [0, 1, 2, 3, 4, 5, 6, 7, 20, 21].map((n) => `Ship ${n}`).toSorted();
  await expect.poll(ids).toEqual(expected);
  const last = (await versions()).at(-1);
  expect(last?.files.reduce((sum, { rows }) => sum + rows, 0)).toBe(last?.rows);
});

it("loses nothing when a gateway stops after it has merged files and before it has made the version", async () => {
  const app = shared();
  const { pool } = app.gateway.database;
  await app.dataset("ada", "ships", `${head}\n${line(0)}\n`);
  for (let n = 1; n < maxRowsFiles; n += 1) await append(`${head}\n${line(n)}\n`);
  const before = await versions();
  const shown = await all();
  const stored = new Set(await app.stored());
  const { id } = await app.read("ada", { "more.csv": `${head}\n${line(8)}\n` }, { into });
  await pool.query(`create function stop_here() returns trigger language plpgsql as $$ begin raise exception 'stopped'; end $$`);
  await pool.query("create trigger stop_here before insert on own_dataset_versions for each row execute function stop_here()");
  try {
    await app.call("ada", "POST", `/imports/${id}/dataset`, { acceptAssumed: true });
    expect(await app.settled("ada", id)).toMatchObject({ status: "failed", failure: { kind: "internal" } });
  } finally {
    await pool.query("drop trigger stop_here on own_dataset_versions");
    await pool.query("drop function stop_here");
  }
  const left = (await app.stored()).filter((key) => !stored.has(key) && key.includes("rows-"));
  expect(left).toHaveLength(2);
  expect(await versions()).toEqual(before);
  expect(await all()).toEqual(shown);
  await app.call("ada", "POST", `/imports/${id}/dataset`, { acceptAssumed: true });
  expect(await app.settled("ada", id)).toMatchObject({ status: "done" });
  await app.purge();
  // The files that the first run has written are gone, and nothing that a version has.
  const kept = await app.stored();
  expect(kept.filter((key) => left.includes(key))).toEqual([]);
  for (const { files } of await versions()) for (const { key } of files) expect(kept).toContain(key);
  await expect
    .poll(async () => (await all()).results.map(({ ship }) => ship))
    .toEqual(["Ship 8", ...shown.results.map(({ ship }) => ship)]);
});
