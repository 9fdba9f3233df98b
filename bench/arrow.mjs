// @ts-check
// `node bench/arrow.mjs` after a build: exports of a million rows of 20 million positions as Arrow, Parquet and JSON, in turns in one
// process, by the engine without the portal's HTTP. CPU time is that of the process with DuckDB's threads. The memory of each format
// is the most that a process of its own takes while it writes one file.
import { execFile } from "node:child_process";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { loadavg } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { openPositions } from "./lib/positions-engine.mjs";
import { median } from "./lib/statistics.mjs";

const formats = /** @type {const} */ (["arrow", "parquet", "json"]);
const limit = 1_000_000;
const [rounds, turns] = [5, 3];

const { engine, dataset, exportFolder, close } = await openPositions();
const { signal } = new AbortController();

/** @param {(typeof formats)[number]} format */
async function write(format) {
  const folder = await mkdtemp(join(exportFolder, "bench-"));
  const path = join(folder, `rows.${format}`);
  const query = { timeRange: null, area: null, conditions: [], sort: [], limit };
  const [before, startedMs] = [process.cpuUsage(), performance.now()];
  const rows = await engine.export(dataset, query, { format, path, csvColumns: [], onRows: () => undefined }, { signal, owner: "bench" });
  const ms = performance.now() - startedMs;
  const { user, system } = process.cpuUsage(before);
  if (rows !== limit) throw new Error(`${format}: ${rows} rows were written`);
  const { size } = await stat(path);
  await rm(folder, { recursive: true });
  return { ms, cpuMs: (user + system) / 1_000, bytes: size };
}

const [, , only] = process.argv;
const measured = formats.find((format) => `--memory=${format}` === only);
if (measured !== undefined) {
  const before = process.memoryUsage().rss;
  let peak = before;
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 5);
  await write(measured);
  clearInterval(timer);
  console.log(Math.round((peak - before) / 1e6));
} else {
  /** @type {Record<string, { ms: number[], cpuMs: number[], bytes: number, ratios: number[] }>} */
  const results = Object.fromEntries(formats.map((format) => [format, { ms: [], cpuMs: [], bytes: 0, ratios: [] }]));
  for (const format of formats) await write(format);
  for (let round = 0; round < rounds; round++) {
    /** @type {Record<string, { ms: number[], cpuMs: number[] }>} */
    const times = Object.fromEntries(formats.map((format) => [format, { ms: [], cpuMs: [] }]));
    for (let turn = 0; turn < turns; turn++) {
      // Each is first, second and last equally often.
      for (const index of formats.keys()) {
        const format = formats[(index + turn) % formats.length] ?? "arrow";
        const { ms, cpuMs, bytes } = await write(format);
        times[format]?.ms.push(ms);
        times[format]?.cpuMs.push(cpuMs);
        if (results[format]) results[format].bytes = bytes;
      }
    }
    for (const format of formats) {
      const [result, time, arrow] = [results[format], times[format], times["arrow"]];
      if (!result || !time || !arrow) continue;
      result.ms.push(median(time.ms));
      result.cpuMs.push(median(time.cpuMs));
      result.ratios.push(median(arrow.ms) / median(time.ms));
    }
  }
  for (const format of formats) {
    const { ms = [], cpuMs = [], bytes = 0, ratios = [] } = results[format] ?? {};
    const { stdout } = await promisify(execFile)(process.execPath, [...process.execArgv, import.meta.filename, `--memory=${format}`]);
    const ratio = (Math.min(...(results["arrow"]?.ms ?? [])) / Math.min(...ms)).toFixed(2);
    const byRound = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)} by round`;
    console.log(
      `${format}: ${Math.round(Math.min(...ms))} ms, ${Math.round(Math.min(...cpuMs))} ms CPU, ${(bytes / 1e6).toFixed(1)} MB, ` +
        `${stdout.trim()} MB memory; Arrow takes ${ratio} times as long (${byRound})`,
    );
  }
  console.log(`load average ${loadavg()[0]?.toFixed(1)}`);
}
await close();
