// @ts-check
// The figures of docs/scaling.md: CPU of small calls with one gateway and with two, and many people who search with pauses. Prints
// them as Markdown. Run with `node bench/scale.mjs [gateways] [people]`; `--people=100`, `--think=30`, `--seconds=120`.
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { ensureBuilt } from "../scripts/lib/build.mjs";
import { ms, range, ratio, table, verdict } from "./lib/markdown.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    people: { type: "string", default: "1000" },
    think: { type: "string", default: "30" },
    seconds: { type: "string", default: "120" },
  },
});
const isSelected = (/** @type {string} */ part) => positionals.length === 0 || positionals.includes(part);
/** A second gateway may cost a tenth more for what both have to do. */
const maxRatio = 1.1;

await ensureBuilt(console.log);
console.log(
  `Processes waiting for 2 cores before: ${loadavg()
    .map((load) => load.toFixed(1))
    .join(", ")} (1, 5, 15 minutes)`,
);
if (isSelected("gateways")) {
  const { measureGatewayCpu } = await import("./gateway-cpu.mjs");
  const { idle, calls } = await measureGatewayCpu({ rounds: 9, turns: 100, callers: 16 });
  console.log(
    table(
      [
        "call",
        "",
        "one gateway, CPU ms",
        "two, CPU ms",
        "ratio",
        "by round",
        `at most ${maxRatio}`,
        "two, each as busy, CPU ms",
        "ratio",
        "by round",
        `at most ${maxRatio}`,
        "PostgreSQL, CPU ms",
        "calls a second",
      ],
      calls.map(({ call, what, one, two, ratio: value, spread, busy, busyRatio, busySpread, database, callsPerSecond }) => [
        call,
        what,
        one.toFixed(2),
        two.toFixed(2),
        ratio(value),
        range(spread),
        verdict(value <= maxRatio),
        busy.toFixed(2),
        ratio(busyRatio),
        range(busySpread),
        verdict(busyRatio <= maxRatio),
        database.toFixed(2),
        callsPerSecond.toFixed(0),
      ]),
    ),
  );
  console.log(`Without calls: ${ms(idle.gateway)} ms of CPU a second for a gateway, and ${ms(idle.database)} ms of PostgreSQL for each.`);
}
if (isSelected("people")) {
  const { measurePeople } = await import("./people.mjs");
  const { calls, ...rest } = await measurePeople({
    people: Number(values.people),
    thinkSeconds: Number(values.think),
    seconds: Number(values.seconds),
  });
  console.log(JSON.stringify(rest, undefined, 2));
  console.log(
    table(
      ["call", "number", "median, ms", "95th percentile, ms", "99th percentile, ms"],
      calls.map(({ name, count, median, p95, p99 }) => [name, count, ms(median), ms(p95), ms(p99)]),
    ),
  );
}
console.log(
  `Processes waiting for 2 cores after: ${loadavg()
    .map((load) => load.toFixed(1))
    .join(", ")}`,
);
