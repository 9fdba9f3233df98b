// @ts-check
import { setTimeout as sleep } from "node:timers/promises";
import { viewer } from "../lib/platform.mjs";
import { openPostgres } from "../lib/outside-postgres.mjs";
import { Writers, isAcknowledged, roomForWriters } from "../lib/writers.mjs";

export const name = "20 times an outside PostgreSQL restarts, stops, falls silent or has no connection left, under writers";
export const isLong = true;

/** However the database is, a call is answered within this time. */
const mostAnswerMs = 5_000;
/** After the database is back. */
const mostRecoveryMs = 2_000;
const timeoutMs = 30_000;

const search = { filters: [], timeRange: { start: "2020-01-01T00:00:00Z", end: "2021-01-01T00:00:00Z" } };

/** @typedef {import("../lib/portal.mjs").Portal} Portal */
/** @typedef {Awaited<ReturnType<typeof openPostgres>>["postgres"]} Postgres */

const ways = /** @type {const} */ (["fast", "immediate", "stopped", "fast", "immediate", "silent", "fast", "immediate", "full", "fast"]);

/** @param {import("../run.mjs").Context} context */
export async function run({ openPortal }) {
  const { postgres, end } = await openPostgres();
  const writers = new Writers({ timeoutMs });
  let portal;
  try {
    portal = await openPortal({ env: { DATABASE_URL: postgres.url, LIMIT_LOGIN_ATTEMPTS_PER_MINUTE: "1000000", ...roomForWriters } });
    return await underWriters(portal, postgres, writers);
  } finally {
    await portal?.stop();
    await end();
  }
}

/** @param {Portal} portal @param {Postgres} postgres @param {Writers} writers */
async function underWriters(portal, postgres, writers) {
  const token = await portal.asViewer();
  return portal.measure(async () => {
    const writing = writers.start(portal, token);
    /** @type {import("../lib/portal.mjs").Answer[]} */
    const answers = [];
    const recoveriesMs = [];
    for (const way of [...ways, ...ways]) {
      await sleep(300);
      const backAgain = await disturb(postgres, way, async () => {
        answers.push(...(await Promise.all(everyKindOf(portal, token))));
      });
      recoveriesMs.push(await untilServed(portal, token, backAgain));
    }
    await writing.stop();
    const all = [...answers, ...writing.failures];
    const odd = all.filter((answer) => answer.status !== 503 && !isAcknowledged(answer));
    const bare = all.filter((answer) => answer.status === 503 && !saysWhen(answer));
    const slowestMs = Math.max(...all.map(({ ms }) => ms));
    const lost = await writers.lost(portal, token);
    const refused = all.filter(({ status }) => status === 503).length;
    const slowestRecoveryMs = Math.max(...recoveriesMs);
    const note = `${writers.acknowledged} writes acknowledged, ${lost.length} lost; ${refused} × 503, the slowest in ${Math.round(slowestMs)} ms; served again at most ${Math.round(slowestRecoveryMs)} ms after the database`;
    const problems = [];
    if (odd.length > 0)
      problems.push(
        `other refusals than 503: ${[...new Set(odd.map(({ status, text }) => `${status} ${text.slice(0, 150)}`))].slice(0, 5).join("; ")}`,
      );
    if (bare.length > 0) problems.push(`503 without a sentence or Retry-After: ${bare[0]?.text.slice(0, 200)}`);
    if (slowestMs > mostAnswerMs) problems.push(`a call took ${Math.round(slowestMs)} ms`);
    if (slowestRecoveryMs > mostRecoveryMs) problems.push(`not served for ${Math.round(slowestRecoveryMs)} ms`);
    if (refused === 0) problems.push("nothing met the outages");
    if (lost.length > 0) problems.push(`lost: ${lost.slice(0, 10).join(", ")}`);
    return { note, ...(problems.length === 0 ? {} : { problem: problems.join("; ") }) };
  });
}

/** A refusal is a sentence for people, and tells programs when to come again. */
function saysWhen(/** @type {import("../lib/portal.mjs").Answer} */ { text, retryAfter }) {
  const [error] = JSON.parse(text).errors ?? JSON.parse(text).checks ?? [];
  return retryAfter !== undefined && error !== undefined;
}

/** @param {Portal} portal @param {string} token */
const everyKindOf = (portal, token) => [
  portal.call("POST", "/auth/login", { body: viewer, timeoutMs }),
  portal.call("GET", "/profile", { token, timeoutMs }),
  portal.call("GET", "/datasets", { token, timeoutMs }),
  portal.call("GET", "/favorite/queries", { token, timeoutMs }),
  portal.call("POST", "/datasets/Trials/points/search", { token, body: search, timeoutMs }),
  portal.call("GET", "/apiKeys", { token, timeoutMs }),
  portal.call("GET", "/health/ready", { timeoutMs }),
];

/**
 * Takes the database away, in one of the ways, and gives it back. Answers when it was there again.
 * @param {Postgres} postgres
 * @param {(typeof ways)[number]} way
 * @param {() => Promise<void>} meanwhile
 */
async function disturb(postgres, way, meanwhile) {
  switch (way) {
    case "silent":
      await postgres.pause();
      try {
        await meanwhile();
      } finally {
        await postgres.resume();
      }
      return performance.now();
    case "full":
      return withoutConnections(postgres, meanwhile);
    case "stopped":
      await postgres.stop("fast");
      await meanwhile();
      await postgres.restart();
      return performance.now();
    case "fast":
    case "immediate":
      await postgres.stop(way);
      await postgres.restart();
      return performance.now();
    default:
      return way;
  }
}

/** @param {Postgres} postgres @param {() => Promise<void>} meanwhile */
async function withoutConnections(postgres, meanwhile) {
  const first = await postgres.session();
  const others = [];
  // The portal takes some in between, until its own are all gone, too.
  for (const endMs = performance.now() + 2_000; performance.now() < endMs;) {
    await first.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and application_name <> $1",
      ["beside the portal"],
    );
    for (let session; (session = await postgres.session().catch(() => undefined)) !== undefined;) others.push(session);
  }
  await meanwhile();
  for (const session of [first, ...others]) await session.end();
  return performance.now();
}

/** @param {Portal} portal @param {string} token @param {number} sinceMs */
async function untilServed(portal, token, sinceMs) {
  while (performance.now() < sinceMs + timeoutMs) {
    const answers = await Promise.all(everyKindOf(portal, token));
    if (answers.every(({ status }) => status === 200)) break;
    await sleep(20);
  }
  return performance.now() - sinceMs;
}
