// @ts-check
// `node bench/profiles.mjs` after a build: the profile of the dataset of 20 million positions, compared with statements written
// by hand that compute the same in the same version of DuckDB, and searches of a user while profiles run all the time.
import { openPositions } from "./lib/positions-engine.mjs";
import { median } from "./lib/statistics.mjs";
import { compareInTurns } from "./lib/turns.mjs";

const { engine, dataset, file, rows, close } = await openPositions();
const { signal } = new AbortController();
const profile = () => engine.profileDataset(dataset, { conditions: [], timeoutMs: 600_000 }, { signal, owner: "portal: profiles" });

const from = `from read_parquet('${file}')`;
const names = dataset.columns.map(({ name }) => name);

/** Two scans and a sample, as one would write them for these columns. */
async function byHand() {
  const figures = names.map((name) => `count("${name}"), min("${name}"), max("${name}"), approx_count_distinct("${name}")`);
  const [[count] = []] = await rows(`select count(*), ${figures.join(", ")} ${from}`);
  const grouped = await rows(`
    with keyed as (select status, port, speed, hazardous,
        least(19, vessel // 2000) as vessels, least(19, (epoch_us("at") - 1735689600000000) // 1572480000000) as times,
        least(19, floor((latitude + 70) / 7.5)) as latitudes, least(19, floor((longitude + 180) / 18)) as longitudes,
        date_trunc('month', "at") as months ${from}),
      grouped as (select status, port, speed, hazardous, vessels, times, latitudes, longitudes, months, count(*) as n from keyed
        group by grouping sets ((status), (port), (speed), (hazardous), (vessels), (times), (latitudes), (longitudes), (months)))
    (select 'port', port, null, n from grouped where port is not null order by n desc limit 10)
    union all (select 'status', status, null, n from grouped where status is not null order by n desc limit 10)
    union all (select 'hazardous', null, hazardous::int, n from grouped where hazardous is not null order by n desc limit 10)
    union all (select 'speed', null, speed, n from grouped where speed is not null order by n desc limit 10)
    union all select 'speeds', null, least(19, floor(speed / 1.25)) as step, sum(n) from grouped where speed is not null group by step
    union all select 'distinct', null, null, count(distinct speed) + count(distinct port) + count(distinct status) from grouped
    union all select 'steps', null, coalesce(vessels, times, latitudes, longitudes, epoch_ms(months)), n from grouped
      where coalesce(vessels, times, latitudes, longitudes, epoch_ms(months)) is not null`);
  await rows(`select round(latitude, 2), round(longitude, 2) from (select latitude, longitude ${from}
    where latitude between -90 and 90 and longitude between -180 and 180) using sample reservoir(300 rows)`);
  return { count: Number(count), port: grouped.find(([kind]) => kind === "port") };
}

/** CPU seconds of this process, with all threads of DuckDB. @param {() => Promise<unknown>} work */
async function cpuSecondsOf(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

const [ours, theirs] = [await profile(), await byHand()];
const [port] = ours.columns.find(({ name }) => name === "port")?.top ?? [];
if (ours.rows !== theirs.count || port?.rows !== Number(theirs.port?.[3])) throw new Error("the results differ");
const cpu = { ours: await cpuSecondsOf(profile), theirs: await cpuSecondsOf(byHand) };
console.log(`CPU time: profile ${cpu.ours.toFixed(1)} s, by hand ${cpu.theirs.toFixed(1)} s, ${(cpu.ours / cpu.theirs).toFixed(2)}`);
const times = await compareInTurns({ rounds: 5, turns: 1 }, profile, byHand);
const round = (/** @type {number} */ value) => Math.round(value);
console.log(
  `${ours.rows.toLocaleString("en-US")} rows: profile ${round(times.ours)} ms, by hand ${round(times.theirs)} ms, ` +
    `${times.ratio.toFixed(2)} (${times.spread.map((ratio) => ratio.toFixed(2)).join(" – ")} by round)`,
);

/** A page of a range of a week, which two users request one after another. */
async function searchMs(/** @type {number} */ turn) {
  const startMs = Date.UTC(2025, turn % 11, 3);
  const started = performance.now();
  const query = {
    timeRange: { column: "at", type: /** @type {const} */ ("TIMESTAMP_MILLS"), startMs, endMs: startMs + 7 * 86_400_000 },
    area: null,
    conditions: [],
    sort: [{ column: "speed", direction: /** @type {const} */ ("desc") }],
    offset: 0,
    limit: 25,
  };
  const { chunks } = await engine.search(dataset, query, { signal, owner: `user ${turn % 2}` });
  for await (const _ of chunks);
  return performance.now() - started;
}
/** @param {number} count */
async function searches(count) {
  const durations = [];
  for (let turn = 0; turn < count; turn++) durations.push(await searchMs(turn));
  return durations;
}
await searches(4);
const alone = await searches(30);
const stopped = new AbortController();
const profiling = (async () => {
  while (!stopped.signal.aborted) await profile();
})();
const meanwhile = await searches(30);
stopped.abort();
await profiling;
console.log(`a sorted search of a week: median ${round(median(alone))} ms alone, ${round(median(meanwhile))} ms while profiles run`);

await close();
