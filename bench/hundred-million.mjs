// @ts-check
// The same calls on a hundred million made-up positions and on three million of the same kind, in turns. Takes 2.1 GB below .build.
import { existsSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { Caller, expectOk } from "./lib/caller.mjs";
import { dataFolder } from "./lib/gateway-process.mjs";
import { compared, comparedHead, verdict } from "./lib/report.mjs";
import { compareInTurns } from "./lib/turns.mjs";
import { positionsSelect, positionsSpan } from "./positions.mjs";
import { openDuckDb } from "./searches.mjs";

const entities = "/admin/datasets/internal";
const sizes = /** @type {const} */ ([
  { id: "positions-100m", rows: 100_000_000 },
  { id: "positions-3m", rows: 3_000_000 },
]);
const hourMs = 3_600_000;
const iso = (/** @type {number} */ timeMs) => new Date(timeMs).toISOString();

/** A range with about so many rows, another one in each turn, whatever the size. @param {number} rows @param {number} all @param {number} turn */
function rangeOf(rows, all, turn) {
  const { startMs: firstMs, endMs: lastMs } = positionsSpan;
  const lengthMs = Math.min(lastMs - firstMs, Math.round(((lastMs - firstMs) * rows) / all));
  const startMs = firstMs + ((turn * 37 * hourMs) % (lastMs - firstMs - lengthMs + 1));
  return { startMs, endMs: startMs + lengthMs - turn };
}

/** @typedef {(within: { startMs: number, endMs: number }) => [path: string, body: object]} Question */
/** @type {(within: { startMs: number, endMs: number }, more?: object) => object} */
const search = ({ startMs, endMs }, more) => ({ filters: [], timeRange: { start: iso(startMs), end: iso(endMs) }, ...more });
const top = {
  by: [{ kind: "value", column: "port", top: { count: 20 } }],
  measures: [{ aggregation: "avg", column: "speed" }],
  fresh: true,
};

/** @type {Readonly<Record<string, Question>>} */
const questions = {
  "page of 25, newest first": (within) => ["search", search(within, { paging: { offset: 0, max: 25 } })],
  "page of 25, fastest first": (within) => [
    "search",
    search(within, { paging: { offset: 0, max: 25 }, sort: [{ column: "speed", direction: "desc" }] }),
  ],
  count: (within) => ["aggregate/count/*", search(within)],
  "average of speed": (within) => ["aggregate/avg/speed", search(within)],
  "graph of 48 steps": (within) => {
    const stepMs = Math.ceil((within.endMs - within.startMs + 1) / 48);
    const groups = Array.from({ length: 48 }, (_, step) => {
      const startMs = within.startMs + step * stepMs;
      return { id: String(step), timeRange: { start: iso(startMs), end: iso(startMs + stepMs - 1) } };
    });
    return ["aggregate", { search: search(within), groups, aggregations: [{ aggregation: "avg", column: "speed" }] }];
  },
  "breakdown by port": (within) => ["breakdown", { search: search(within), ...top }],
  "squares of the world": (within) => ["grid", { ...search(within), level: 6 }],
};

/** @type {readonly import("./run.mjs").Part[]} */
export const parts = [
  {
    name: "hundredMillion",
    title: "A hundred million rows",
    needs: ["portal"],
    onlyByName: true,
    run: async ({ portal: { origin }, many }) => {
      for (const { id, rows } of sizes) await writeRows(id, rows);
      const admin = await Caller.signIn(origin, "admin");
      const { version: _version, ...whole } = JSON.parse(expectOk(await admin.call("GET", `${entities}/positions/current`)).text);
      for (const { id } of sizes) {
        await admin.call("DELETE", `${entities}/${id}`);
        const source = { ...whole.source, glob: `measurements/${id}/*.parquet` };
        expectOk(await admin.call("POST", entities, { ...whole, id, source }), 201);
      }
      const caller = await Caller.signIn(origin, "viewer");
      const rows = [];
      try {
        for (const range of [110_000, undefined]) {
          for (const [question, bodyOf] of Object.entries(questions)) {
            const ask = async (/** @type {(typeof sizes)[number]} */ { id, rows: all }, /** @type {number} */ turn) => {
              const [path, body] = bodyOf(rangeOf(range ?? all, all, turn));
              return expectOk(await caller.call("POST", `/datasets/Measurements/${id}/${path}`, body));
            };
            for (const size of sizes) await ask(size, 0);
            const turns = range === undefined ? { rounds: many(3), turns: many(3, 2) } : { rounds: many(5), turns: many(8, 2) };
            const times = await compareInTurns(
              turns,
              (turn) => ask(sizes[0], turn + 1),
              (turn) => ask(sizes[1], turn + 1),
            );
            const name = range === undefined ? "everything" : `${range.toLocaleString("en-US")} rows`;
            console.log(`  ${name}: ${question}`);
            rows.push([name, question, ...compared(times), range === undefined ? "–" : verdict(times.ours <= 1.5 * times.theirs + 5)]);
          }
        }
      } finally {
        for (const { id } of sizes) await admin.call("DELETE", `${entities}/${id}`);
        caller.close();
        admin.close();
      }
      return {
        text: "The same calls over HTTP on both, in turns. Target: a range of the same number of rows at most 1.5 times as long plus 5 ms; everything has 33 times as many rows.",
        head: ["range", "question", ...comparedHead("100 million", "3 million"), "target"],
        rows: rows,
      };
    },
  },
];

/** Writes the positions of a year once, in their order by time. @param {string} id @param {number} rows */
async function writeRows(id, rows) {
  const folder = `${dataFolder}/measurements/${id}`;
  const file = `${folder}/rows.parquet`;
  if (existsSync(file)) return;
  console.log(`  Writing ${rows.toLocaleString("en-US")} rows …`);
  await mkdir(folder, { recursive: true });
  const connection = await openDuckDb();
  const sortedBy = JSON.stringify([{ column: "at", direction: "desc" }]);
  await connection.run(
    `copy (${positionsSelect(rows)}) to '${file}.new' (format parquet, compression zstd, kv_metadata {fairway_sorted_by: '${sortedBy}'})`,
  );
  connection.closeSync();
  await rename(`${file}.new`, file);
}
