// @ts-check
// The text of docs/performance-report.md.
import { cpus, totalmem } from "node:os";
import { from, ms, ratio, table, verdict } from "./lib/markdown.mjs";
import { median } from "./lib/statistics.mjs";

/**
 * @typedef {object} Measured
 * @property {string} date
 * @property {string} commit
 * @property {Record<string, string>} versions
 * @property {[number, number]} loadBefore least and most of the system's load average when a measurement began
 * @property {import("./search-speed.mjs").SearchResult[]} searches
 * @property {import("./graph-calls.mjs").GraphCallResult} graphCalls
 * @property {import("./exports.mjs").ExportResult[]} exports
 * @property {import("./small-calls.mjs").SmallCallResult[]} smallCalls
 * @property {import("./api-keys.mjs").ApiKeyResult[]} apiKeys
 * @property {import("./sign-ins.mjs").SignInResult} signIns
 * @property {import("./entities.mjs").EntityListResult[]} entityLists
 * @property {import("./crowd.mjs").CrowdResult} crowd
 * @property {import("./heavy.mjs").HeavyResult} heavy
 * @property {import("./fairness.mjs").FairnessResult} fairness
 * @property {number[]} startSeconds
 * @property {Record<"idle" | "afterLoad", { gateway: number, postgres: number } | undefined>} memory
 * @property {import("../scripts/lib/bundle-budget.mjs").ScreenSize[]} screens
 * @property {import("./lighthouse.mjs").ScreenScore[]} lighthouse
 * @property {import("./scroll.mjs").ScrollRun[]} scrolling
 * @property {import("./map-frames.mjs").FrameResult[]} mapFrames
 * @property {import("./map-scale.mjs").MapScaleResult} mapScale
 */

/** @param {import("./search-speed.mjs").SearchResult} result */
export const searchReached = ({ ours, theirs, most }) => ours <= most * theirs + 5;

/** @param {Measured} measured */
export const report = (measured) =>
  [
    introduction,
    circumstances,
    searches,
    exports,
    smallCalls,
    apiKeys,
    signIns,
    entityLists,
    crowd,
    heavy,
    fairness,
    start,
    screens,
    lighthouse,
    scrolling,
    map,
  ]
    .map((part) => part(measured))
    .join("\n\n");

const introduction = () =>
  "# Performance report\n\n" +
  "Written by `npm run bench`, replaced as a whole each time. [performance.md](performance.md) says how to read it.";

/** @param {Measured} measured */
function circumstances({ date, commit, versions, loadBefore }) {
  const [cpu] = cpus();
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return [
    `Measured on ${date} at commit ${commit} on ${cpus().length} × ${cpu?.model.trim()}, ${Math.round(totalmem() / 1e9)} GB, with ${named.join(", ")}.`,
    `When the measurements began, other programs kept ${loadBefore[0].toFixed(1)} to ${loadBefore[1].toFixed(1)} processes waiting for ${cpus().length} cores (load average); 0 would be a machine of our own.`,
  ].join("\n");
}

/** @param {Measured} measured */
function searches({ searches, graphCalls }) {
  const rows = searches.map((result) => [
    result.dataset,
    result.range,
    result.question,
    ms(result.ours),
    ms(result.theirs),
    ratio(result.ratio),
    from(result.spread),
    verdict(searchReached(result)),
  ]);
  return `## Searching

Target: over HTTP at most 1.5 times DuckDB alone and 5 ms; for the newest row of each vessel 1.3 times and 5 ms.

${table(["dataset", "time range", "question", "HTTP, ms", "DuckDB, ms", "ratio", "ratio by round", "target"], rows)}

The ${graphCalls.question} by a call for each value, ${graphCalls.calls.toLocaleString("en-US")} of them and six under way, would take ${(graphCalls.theirs / 1_000).toFixed(1)} s, worked out of ${graphCalls.made} that were made; in one call it takes ${ms(graphCalls.ours)} ms, ${Math.round(1 / graphCalls.ratio)} times less.`;
}

/** @param {Measured} measured */
function exports({ exports }) {
  const rows = exports.map(({ what, rows: written, ours, theirs, ratio: share, spread, growthMb, isSorted }) => [
    what,
    written.toLocaleString("en-US"),
    ms(ours),
    ms(theirs),
    ratio(share),
    from(spread),
    growthMb === undefined ? "not measured here" : `${Math.max(0, growthMb).toFixed(0)} MB`,
    verdict(share <= 2 && (isSorted || growthMb === undefined || growthMb < 100)),
  ]);
  return `## Exporting everything

Target: at most twice the time of DuckDB's own COPY of the same rows, which has every core; less than 100 MB more in the gateway's memory where nothing is sorted.

${table(["file", "rows", "export, ms", "COPY, ms", "ratio", "ratio by round", "memory", "target"], rows)}`;
}

/** @param {Measured} measured */
function smallCalls({ smallCalls }) {
  const rows = smallCalls.map(({ call, what, inMemory, ours, hello, ratio: share, spread }) => [
    `\`${call}\``,
    what,
    ours.toFixed(0),
    hello.toFixed(0),
    ratio(share),
    from(spread),
    inMemory ? verdict(share >= 0.3) : "–",
  ]);
  return `## Small calls

Target: at least 0.3 times the calls a second of a bare Fastify that says hello, where the answer needs no database.

${table(["call", "answered from", "calls a second", "hello", "ratio", "ratio by round", "target"], rows)}`;
}

/** @param {Measured} measured */
function apiKeys({ apiKeys }) {
  const rows = apiKeys.map(({ question, ours, theirs, ratio: share, spread }) => [
    question,
    ms(ours),
    ms(theirs),
    ratio(share),
    from(spread),
    verdict(ours <= 1.1 * theirs + 0.5),
  ]);
  return `## With an API key

Target: at most 1.1 times the same call with a person's token and half a millisecond.

${table(["question", "key, ms", "token, ms", "ratio", "ratio by round", "target"], rows)}`;
}

/** @param {Measured} measured */
function signIns({ signIns: { ours, bare, ratio: share, spread } }) {
  return `## Signing in

Eight people sign in without a pause, against Argon2 comparing the same password as often as it can, two at a time as the gateway does. Target: at least 0.7 of it.

${table(
  ["sign-ins a second", "bare comparisons a second", "ratio", "ratio by round", "target"],
  [[ours.toFixed(0), bare.toFixed(0), ratio(share), from(spread), verdict(share >= 0.7)]],
)}`;
}

/** @param {Measured} measured */
function entityLists({ entityLists }) {
  const rows = entityLists.map(({ what, ours, theirs, ratio: share, spread }) => [what, ms(ours), ms(theirs), ratio(share), from(spread)]);
  return `## Lists of administrators

A whole list over HTTP, parsed by its reader, against the one statement that reads its rows.

${table(["list", "HTTP, ms", "statement, ms", "ratio", "ratio by round"], rows)}`;
}

/** @param {Record<string, number>} counts */
const all = (counts) =>
  Object.entries(counts)
    .map(([status, count]) => `${count} × ${status}`)
    .join(", ");

/** @param {Measured} measured */
function crowd({ crowd }) {
  const { people, seconds, searches, answers, searchMs, logins, loginAnswers, loginMs } = crowd;
  const answered =
    Object.keys(answers).every((status) => status === "200") && Object.keys(loginAnswers).every((status) => status === "200");
  return `## A crowd

${people} people search both datasets without a pause for ${seconds} s, while ten others sign in every second. Targets: everybody is answered; 99 of 100 sign-ins take less than 500 ms.

${table(
  ["", "calls", "answers", "median, ms", "99th percentile, ms", "slowest, ms", "target"],
  [
    ["searches", searches, all(answers), ms(searchMs.median), ms(searchMs.p99), ms(searchMs.slowest), verdict(answered)],
    ["sign-ins", logins, all(loginAnswers), ms(loginMs.median), ms(loginMs.p99), ms(loginMs.slowest), verdict(loginMs.p99 < 500)],
  ],
)}`;
}

/** @param {Measured} measured */
function heavy({ heavy }) {
  const { people, seconds, answers, searchMs, smallAnswers, smallMs, loginAnswers, loginMs, cancelMs } = heavy;
  /** @param {import("./heavy.mjs").HeavyResult["searchMs"]} spread */
  const times = ({ median, p99, slowest }) => [ms(median), ms(p99), ms(slowest)];
  const only200 = (/** @type {Record<string, number>} */ counts) => Object.keys(counts).every((status) => status === "200");
  return `## Heavy searches

${people} people sort all 20 million rows without a pause for ${seconds} s, four at a time as the engine has slots; ten small calls and ten sign-ins a second beside them. Then a caller leaves in the middle of such a sort, and the engine's own count says when it has let go. Targets: everybody is answered; 99 of 100 small calls and sign-ins take less than 500 ms; the engine is idle within 200 ms.

${table(
  ["", "answers", "median, ms", "99th percentile, ms", "slowest, ms", "target"],
  [
    ["heavy searches", all(answers), ...times(searchMs), verdict(only200(answers))],
    ["`GET /datasets`", all(smallAnswers), ...times(smallMs), verdict(only200(smallAnswers) && smallMs.p99 < 500)],
    ["sign-ins", all(loginAnswers), ...times(loginMs), verdict(only200(loginAnswers) && loginMs.p99 < 500)],
    ["from leaving to an idle engine", "–", ...times(cancelMs), verdict(cancelMs.slowest < 200)],
  ],
)}`;
}

/** @param {Measured} measured */
function fairness({ fairness }) {
  const { heavyCalls, people, seconds, rounds, heavyAnswers, aloneAnswers, besideAnswers, alone, beside, ratios, slowest, guards } =
    fairness;
  const answered = Object.keys(besideAnswers).every((status) => status === "200") && slowest < 5_000;
  const middle = median(ratios);
  const spread = `${ratio(Math.min(...ratios))} – ${ratio(Math.max(...ratios))}`;
  return `## Fair shares

One person keeps ${heavyCalls} aggregate calls of 5,000 uneven groups under way; ${people} others search flights of a week, each with a pause of 250 ms, ${rounds} times in turns for ${seconds} s alone and for ${seconds} s beside them; the times are those of the median round. Targets: nobody else is refused or waits for 5 s; 95 of 100 take at most twice as long as alone.

${table(
  ["", "answers", "median, ms", "95th percentile, ms", "slowest, ms", "target"],
  [
    ["small searches alone", all(aloneAnswers), ms(alone.median), ms(alone.p95), ms(alone.slowest), "–"],
    [
      "small searches beside the heavy calls",
      all(besideAnswers),
      ms(beside.median),
      ms(beside.p95),
      ms(beside.slowest),
      `${verdict(answered)} (answers); ${verdict(middle <= 2)} (${ratio(middle)} times, by round ${spread})`,
    ],
    ["heavy calls", all(heavyAnswers), "–", "–", "–", "–"],
  ],
)}

The slowest small search beside the heavy calls, of all rounds: ${ms(slowest)} ms. The heavy calls were still running or waiting when a round ended and hung up: broken.

The rate of an account and a turn for a free slot take ${guards.guardMicroseconds.toFixed(1)} µs together, ${(guards.share * 100).toFixed(2)} % of a small call over HTTP (${guards.callMicroseconds.toFixed(0)} µs). Target: at most 3 %: ${verdict(guards.share <= 0.03)}.`;
}

/** @param {Measured} measured */
function start({ startSeconds, memory }) {
  const middle = median(startSeconds);
  const range = `${Math.min(...startSeconds).toFixed(1)} – ${Math.max(...startSeconds).toFixed(1)} s`;
  /** @param {{ gateway: number, postgres: number } | undefined} held */
  const mb = (held) => (held ? `${held.gateway.toFixed(0)} MB and ${held.postgres.toFixed(0)} MB for PostgreSQL` : "not measured here");
  return `## Starting and memory

${table(
  ["", "", "target"],
  [
    [
      "`npm start` to the line that says where to go, everything built",
      `${middle.toFixed(1)} s (${range}, ${startSeconds.length} starts)`,
      `${verdict(middle < 3)} (3 s)`,
    ],
    ["memory of the gateway, idle", mb(memory.idle), "–"],
    ["memory of the gateway after all of the above", mb(memory.afterLoad), "–"],
  ],
)}`;
}

/** @param {Measured} measured */
function screens({ screens }) {
  const rows = screens.map(({ screen, bytes, limit, chunks }) => [
    screen,
    (bytes / 1_000).toFixed(1),
    (limit / 1_000).toFixed(0),
    chunks.length,
    verdict(bytes <= limit),
  ]);
  return `## JavaScript of a screen

What a screen loads before it shows itself, compressed by gzip. A build that exceeds a limit fails.

${table(["screen", "kB", "limit", "files", "target"], rows)}`;
}

/** @param {Measured} measured */
function lighthouse({ lighthouse }) {
  const timings = Object.keys(lighthouse[0]?.timings ?? {});
  const rows = lighthouse.map((score) => [
    `\`${score.screen}\``,
    score.performance.toFixed(2),
    from(score.spread),
    score.accessibility.toFixed(2),
    ...timings.map((timing) => score.timings[timing] ?? ""),
    verdict(score.performance >= 0.9 && score.accessibility >= 1),
  ]);
  const head = ["screen", "performance", "by run", "accessibility", ...timings.map((timing) => timing.replaceAll("-", " ")), "target"];
  const complaints = lighthouse.flatMap(({ screen, complaints }) => complaints.map((complaint) => `- \`${screen}\`: ${complaint}`));
  return `## Lighthouse

Desktop preset, empty cache. Targets: performance at least 0.9, accessibility 1.

${[table(head, rows), ...(complaints.length > 0 ? [complaints.join("\n")] : [])].join("\n\n")}`;
}

/** @param {Measured} measured */
function scrolling({ scrolling }) {
  const rows = scrolling.map(({ frames, seconds, longTasks, slowestFrame }, run) => [
    run + 1,
    frames,
    seconds.toFixed(1),
    longTasks.length,
    longTasks.length === 0 ? "–" : Math.max(...longTasks).toFixed(0),
    slowestFrame.toFixed(0),
  ]);
  const long = scrolling.reduce((sum, { longTasks }) => sum + longTasks.length, 0);
  return `## Scrolling

The table of 10,000 rows of 40 columns, from the first row to the last at 10 rows a frame, then to the last column and back, drawn without a graphics card. Target: at most one task over 50 ms in three runs; there were ${long}: ${verdict(long <= 1)}.

${table(["run", "frames", "seconds", "tasks over 50 ms", "longest task, ms", "longest frame, ms"], rows)}`;
}

/** @param {Measured} measured */
function map({ mapFrames, mapScale }) {
  const ways = /** @type {const} */ ([
    ["ours", "ours"],
    ["`setData`", "data"],
    ["`setFilter`", "filter"],
  ]);
  const rows = mapFrames.flatMap(({ what, ways: measured, ratio: share }) =>
    ways.map(([name, way], index) => [
      index === 0 ? what : "",
      name,
      ms(measured[way].median),
      ms(measured[way].p95),
      ms(measured[way].longestTask),
      index === 0 ? `${share.toFixed(1)} times faster` : "–",
    ]),
  );
  const { items, points, opening, loading, playing, busiestMs, memoryMb } = mapScale;
  /** @param {import("./map-scale.mjs").Stretch} stretch */
  const stretch = ({ seconds, frames, longTasks }) => [
    seconds.toFixed(1),
    (frames / seconds).toFixed(0),
    longTasks.filter((length) => length > 100).length,
    longTasks.length === 0 ? "–" : Math.max(...longTasks).toFixed(0),
  ];
  const longest = Math.max(0, ...playing.longTasks);
  return `## The map

A picture of the map while time passes, from setting the time until the picture that shows it, drawn without a graphics card: ours, and MapLibre's own layers with new data or a new filter for each picture.

${table(["what", "how", "median, ms", "95th percentile, ms", "longest task, ms", "against the better other"], rows)}

${items.toLocaleString("en-US")} items and ${points.toLocaleString("en-US")} points of paths in the portal. Target: no task of the page's thread over 100 ms while playing; the longest was ${longest.toFixed(0)} ms: ${verdict(longest <= 100)}. Of a processor no task took more than ${ms(busiestMs.playing)} ms while playing and ${ms(busiestMs.loading)} ms while opening and loading; the rest is waiting for the drawing, and for a core.

${table(
  ["", "seconds", "frames a second", "tasks over 100 ms", "longest task, ms"],
  [
    ["opening, until the items can be seen", ...stretch(opening)],
    ["loading every path", ...stretch(loading)],
    ["playing from the beginning to the end", ...stretch(playing)],
  ],
)}

Memory of the page's JavaScript after a collection: ${memoryMb.before.toFixed(0)} MB before, ${memoryMb.open.toFixed(0)} MB with everything open, ${memoryMb.closed.toFixed(0)} MB after the search was closed.`;
}
