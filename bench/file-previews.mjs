// @ts-check
// `node bench/file-previews.mjs` after a build: the time from 'Try anyway' to the first rows of a CSV file of 2 GB and of a
// large Parquet file, in the portal's own screen, compared with reading the same bytes from a server that does nothing else.
import { open, mkdir, stat } from "node:fs/promises";
import { createReadStream } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { launch } from "puppeteer-core";
import { ensureBrowser } from "../scripts/lib/browser.mjs";
import { checkout } from "../scripts/lib/checkout.mjs";
import { startProgram } from "./lib/gateway-process.mjs";
import { median } from "./lib/statistics.mjs";
import { storeSession } from "./lib/tab-session.mjs";

const home = `${checkout}/.build/bench-files`;
const folder = join(home, "files", "demo", "public-data");
const rounds = 5;
const csvBytes = 2_000_000_000;
const parquetRows = 10_000_000;

/** @typedef {{ start: number, end: number }} Range of bytes, the last one included */

const gateway = await startProgram(["--enable-source-maps", "scripts/portal.mjs"], { FAIRWAY_HOME: home });
await writeFiles();
const bare = createServer((request, response) => {
  const [, start = "0", end = "0"] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? "") ?? [];
  response.writeHead(206);
  createReadStream(join(folder, request.url ?? ""), { start: Number(start), end: Number(end) }).pipe(response);
});
await new Promise((resolve) => bare.listen(0, "127.0.0.1", () => resolve(undefined)));
const address = bare.address();
const bareOrigin = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;

const executablePath = ensureBrowser();
if (executablePath === undefined) throw new Error("Previews need a Chromium or Chrome: set FAIRWAY_BROWSER to its path.");
const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
const browser = await launch({ executablePath, args: ["--headless=new", "--disable-gpu", "--no-first-run", ...sandbox] });
for (const name of ["large.csv", "large.parquet"]) {
  const { size } = await stat(join(folder, name));
  /** @type {number[]} */
  const shown = [];
  /** @type {number[]} */
  const read = [];
  /** @type {Range[]} */
  let ranges = [];
  for (let round = 0; round < rounds; round++) {
    const result = await firstRows(name);
    ({ ranges } = result);
    shown.push(result.ms);
    read.push(await readBare(name, ranges));
  }
  const bytes = ranges.reduce((sum, { start, end }) => sum + end - start + 1, 0);
  console.log(
    `${name}, ${(size / 1e9).toFixed(2)} GB: first rows after ${Math.round(median(shown))} ms (${shown.map(Math.round).join(", ")}); ` +
      `${(bytes / 1e6).toFixed(1)} MB in ${ranges.length} ranges, read bare in ${Math.round(median(read))} ms (${read.map(Math.round).join(", ")})`,
  );
}
await browser.close();
bare.close();
await gateway.stop();

/**
 * @param {string} name
 * @returns {Promise<{ ms: number, ranges: Range[] }>}
 */
async function firstRows(name) {
  const page = await browser.newPage();
  try {
    await page.setViewport({ width: 1440, height: 900 });
    await storeSession(page, gateway.origin);
    await page.evaluateOnNewDocument(recordRanges);
    await page.goto(`${gateway.origin}/filesets?${new URLSearchParams({ fileset: "public-data", file: name })}`);
    const ms = await page.evaluate(async () => {
      /** @template T @param {() => T | undefined} find @returns {Promise<T>} */
      const found = async (find) => {
        for (;;) {
          const value = find();
          if (value !== undefined) return value;
          await new Promise((resolve) => requestAnimationFrame(resolve));
        }
      };
      const button = (/** @type {string} */ label) =>
        [...document.querySelectorAll("button")].find(({ textContent }) => textContent === label);
      const first = await found(() => button("Try anyway") ?? button("Preview anyway"));
      if (first.textContent === "Preview anyway") first.click();
      const confirm = await found(() => button("Try anyway"));
      const started = performance.now();
      confirm.click();
      await found(() => document.querySelector("[role=cell]") ?? undefined);
      return performance.now() - started;
    });
    const ranges = await page.evaluate(() => /** @type {{ ranges: Range[] }} */ (/** @type {unknown} */ (globalThis)).ranges);
    return { ms, ranges };
  } finally {
    await page.close();
  }
}

/** Runs in the page before its own scripts: keeps the ranges that it requests. */
function recordRanges() {
  /** @type {Range[]} */
  const ranges = [];
  Object.assign(globalThis, { ranges });
  const request = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const [, start, end] = /bytes=(\d+)-(\d+)/.exec(new Headers(init?.headers).get("range") ?? "") ?? [];
    if (start !== undefined) ranges.push({ start: Number(start), end: Number(end) });
    return request(input, init);
  };
}

/**
 * @param {string} name
 * @param {readonly Range[]} ranges
 */
async function readBare(name, ranges) {
  const started = performance.now();
  await Promise.all(
    ranges.map(async ({ start, end }) =>
      (await fetch(`${bareOrigin}/${name}`, { headers: { range: `bytes=${start}-${end}` } })).arrayBuffer(),
    ),
  );
  return performance.now() - started;
}

async function writeFiles() {
  await mkdir(folder, { recursive: true });
  const csv = join(folder, "large.csv");
  if ((await stat(csv).catch(() => null))?.size !== csvBytes) {
    const row = "12345,2005-08-23T18:00:00Z,23.1,-75.1,tropical depression,-1,30,1008,Katrina\n";
    const block = Buffer.from(row.repeat(20_000));
    const file = await open(csv, "w");
    await file.write("id,time,lat,lng,status,category,wind,pressure,name\n");
    for (let left = csvBytes - 51; left > 0; left -= block.length) await file.write(block, 0, Math.min(left, block.length));
    await file.close();
  }
  const parquet = join(folder, "large.parquet");
  if (await stat(parquet).catch(() => null)) return;
  const connection = await (await DuckDBInstance.create()).connect();
  await connection.run(
    `copy (select i as id, timestamp '2005-08-23' + to_seconds(i) as time, random() * 90 as lat, random() * 360 - 180 as lng,
      'Storm ' || hash(i) % 100000 as name, (random() * 160)::int as wind, hash(i)::varchar as key from range(${parquetRows}) rows(i))
    to '${parquet}' (format parquet)`,
  );
  connection.closeSync();
}
