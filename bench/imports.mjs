// @ts-check
// A large CSV file that a user brings: until it is examined, and until its dataset is there, compared with DuckDB's own reader and writer.
import { mkdtemp, open, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Caller, expectOk } from "./lib/caller.mjs";
import { ms, ratio, verdict } from "./lib/report.mjs";
import { median } from "./lib/statistics.mjs";
import { openDuckDb } from "./searches.mjs";

const rows = 1_000_000;
const readyMs = 20_000;
const createdMs = 10_000;

/** Codes with zeros, times, places, numbers and texts, one of them mostly empty. */
const table = `select lpad(i::varchar, 7, '0') as id, timestamp '2024-01-01' + to_seconds((i * 31)::integer) as recorded_at,
  ['Berlin', 'Zürich', 'New York', 'Tokyo', 'Nairobi'][1 + i % 5] as station, round((i * 7919 % 130000) / 1000.0 - 60, 5) as latitude,
  round((i * 104729 % 340000) / 1000.0 - 170, 5) as longitude, round((i * 31 % 4000) / 100.0 - 12, 2) as temperature,
  i % 101 as humidity, ['ok', 'late', 'failed'][1 + i % 3] as status, case when i % 3 = 0 then 'checked by hand and found in order' end as note
  from range(${rows}) t(i)`;

/** The same number of values in narrow and wide tables. */
const values = 1_000_000;
const perValueRatio = 1.5;
/** @param {number} columns */
const tableOf = (columns) =>
  `select ${Array.from({ length: columns }, (_, index) => `(i * ${7919 + index} % 100000) / 100.0 as c${index}`).join(", ")} from range(${values / columns}) t(i)`;

/** @param {import("./lib/caller.mjs").ApiResponse} response @param {number} [status] */
const bodyOf = (response, status) => JSON.parse(expectOk(response, status).text);

/** Resolves with the import once it has one of these states. @param {Caller} caller @param {string} id @param {readonly string[]} states */
async function waitFor(caller, id, states) {
  for (;;) {
    const found = bodyOf(await caller.call("GET", `/imports/${id}`));
    if (states.includes(found.status)) return found;
    if (found.status === "failed") throw new Error(`the import failed: ${JSON.stringify(found.failure)}`);
    await sleep(50);
  }
}

/** @param {Caller} caller @param {string} origin @param {string} file @param {string} name */
async function bring(caller, origin, file, name) {
  const { size } = await stat(file);
  const { id, files } = bodyOf(await caller.call("POST", "/imports", { files: [{ file: "rows.csv", size }] }), 201);
  const { partBytes } = files[0];
  const handle = await open(file);
  for (let part = 1; (part - 1) * partBytes < size; part++) {
    const { uploadUrl, headers } = bodyOf(await caller.call("GET", `/imports/${id}/files/1/parts/${part}`));
    const bytes = Buffer.alloc(Math.min(partBytes, size - (part - 1) * partBytes));
    await handle.read(bytes, 0, bytes.length, (part - 1) * partBytes);
    const sent = await fetch(new URL(uploadUrl, origin), { method: "PUT", headers, body: bytes });
    if (!sent.ok) throw new Error(`a part was answered ${sent.status}`);
  }
  await handle.close();
  const uploaded = performance.now();
  expectOk(await caller.call("POST", `/imports/${id}/complete`), 202);
  await waitFor(caller, id, ["ready"]);
  const ready = performance.now();
  expectOk(await caller.call("POST", `/imports/${id}/dataset`, { name, acceptAssumed: true }), 202);
  const { dataset } = await waitFor(caller, id, ["done"]);
  const created = performance.now();
  expectOk(await caller.call("DELETE", `/ownDatasets/${dataset.id}?now=true`), 204);
  return { ready: ready - uploaded, created: created - ready };
}

/** @type {readonly import("./run.mjs").Part[]} */
export const parts = [
  {
    name: "imports",
    title: "Own data",
    needs: ["portal"],
    run: async ({ portal: { origin }, many }) => {
      const folder = await mkdtemp(path.join(tmpdir(), "fairway-imports-"));
      const [file, parquet, inWindows1252] = [`${folder}/rows.csv`, `${folder}/rows.parquet`, `${folder}/windows-1252.csv`];
      const connection = await openDuckDb();
      const caller = await Caller.signIn(origin, "editor");
      const medianReady = async (/** @type {string} */ brought) => {
        const times = [];
        for (let round = 1; round <= many(3, 1); round++) times.push((await bring(caller, origin, brought, `Brought ${Date.now()}`)).ready);
        return median(times);
      };
      try {
        await connection.run(`copy (${table}) to '${file}' (header)`);
        const { size } = await stat(file);
        const [ready, created, theirs] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
        for (let round = 1; round <= many(3, 1); round++) {
          const times = await bring(caller, origin, file, `Brought ${Date.now()}`);
          ready.push(times.ready);
          created.push(times.created);
          const start = performance.now();
          await connection.run(
            `copy (select * from read_csv('${file}') order by recorded_at) to '${parquet}' (format parquet, compression zstd)`,
          );
          theirs.push(performance.now() - start);
        }
        // Every character of the table has the same byte in Latin-1 and in Windows-1252.
        await writeFile(inWindows1252, Buffer.from(await readFile(file, "utf8"), "latin1"));
        const copied = await medianReady(inWindows1252);
        const perValue = [];
        for (const columns of [10, 1_000]) {
          const other = `${folder}/${columns}.csv`;
          await connection.run(`copy (${tableOf(columns)}) to '${other}' (header)`);
          perValue.push(await medianReady(other));
        }
        const [narrow = 0, wide = 0] = perValue;
        const [whole, read, written] = [median(theirs), median(ready), median(created)];
        return {
          text: `A CSV file of ${(size / 1_000_000).toFixed(0)} MB with ${rows.toLocaleString("en-US")} rows and 9 columns. Target on two quiet cores: examined within ${readyMs / 1_000} s, and its dataset created within ${createdMs / 1_000} s. DuckDB alone reads the types from a sample, and writes sorted Parquet in one statement. The same file in Windows-1252 is copied as UTF-8 before DuckDB reads it, and is compared with the file in UTF-8. Last, ${values.toLocaleString("en-US")} numbers in 1,000 columns, compared with as many in 10 columns: a value may cost ${perValueRatio} times as much.`,
          head: ["step", "portal, ms", "DuckDB, ms", "ratio", "target"],
          rows: [
            ["examined: every value of every column", ms(read), "", "", verdict(read <= readyMs)],
            [
              "created: read by the decisions, sorted, written",
              ms(written),
              ms(whole),
              ratio(written / whole),
              verdict(written <= createdMs),
            ],
            ["examined: the same in Windows-1252", ms(copied), "", ratio(copied / read), ""],
            ["examined: numbers in 10 columns", ms(narrow), "", "", ""],
            ["examined: as many in 1,000 columns", ms(wide), "", ratio(wide / narrow), verdict(wide <= narrow * perValueRatio)],
          ],
        };
      } finally {
        caller.close();
        connection.closeSync();
        await rm(folder, { recursive: true, force: true });
      }
    },
  },
];
