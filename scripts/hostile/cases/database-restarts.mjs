// @ts-check
import { setTimeout as sleep } from "node:timers/promises";
import { testSessionName } from "@fairway/gateway/testing/external-postgres";
import { busyFactor } from "../lib/machine-speed.mjs";
import { viewer } from "../lib/platform.mjs";
import { openPostgres } from "../lib/external-postgres.mjs";
import { Writers, isAcknowledged, writerLimits } from "../lib/writers.mjs";

export const name = "20 outages of an external PostgreSQL under writers: restarts, stops, hangs and exhausted connections";
export const isLong = true;

/** Maximum time of a call, whatever the state of the database. On a busy machine, it is longer by the busy factor. */
const maxAnswerMs = 5_000;
/** Maximum time from the return of the database until calls succeed, likewise. */
const maxRecoveryMs = 2_000;
const timeoutMs = 30_000;

const search = { filters: [], timeRange: { start: "2020-01-01T00:00:00Z", end: "2021-01-01T00:00:00Z" } };

/** @typedef {import("../lib/portal.mjs").Portal} Portal */
/** @typedef {Awaited<ReturnType<typeof openPostgres>>["postgres"]} Postgres */

const outages = /** @type {const} */ (["fast", "immediate", "stopped", "fast", "immediate", "silent", "fast", "immediate", "full", "fast"]);

/** @param {import("../run.mjs").Context} context */
export async function run({ openPortal }) {
  const { postgres, end } = await openPostgres();
  const writers = new Writers({ timeoutMs });
  let portal;
  try {
    portal = await openPortal({ env: { DATABASE_URL: postgres.url, LIMIT_LOGIN_ATTEMPTS_PER_MINUTE: "1000000", ...writerLimits } });
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
    for (const outage of [...outages, ...outages]) {
      await sleep(300);
      const restoredMs = await interrupt(postgres, outage, async () => {
        answers.push(...(await Promise.all(callEverything(portal, token))));
      });
      recoveriesMs.push(await waitUntilServed(portal, token, restoredMs));
    }
    await writing.stop();
    const all = [...answers, ...writing.failures];
    const unexpected = all.filter((answer) => answer.status !== 503 && !isAcknowledged(answer));
    const uninformative = all.filter((answer) => answer.status === 503 && !isInformative(answer));
    const slowestMs = Math.max(...all.map(({ ms }) => ms));
    const lost = await writers.lost(portal, token);
    const refused = all.filter(({ status }) => status === 503).length;
    const slowestRecoveryMs = Math.max(...recoveriesMs);
    const note = `${writers.acknowledged} writes acknowledged, ${lost.length} lost; ${refused} × 503, the slowest in ${Math.round(slowestMs)} ms; recovered within ${Math.round(slowestRecoveryMs)} ms`;
    const problems = [];
    if (unexpected.length > 0)
      problems.push(
        `other refusals than 503: ${[...new Set(unexpected.map(({ status, text }) => `${status} ${text.slice(0, 150)}`))].slice(0, 5).join("; ")}`,
      );
    if (uninformative.length > 0) problems.push(`503 without a message or Retry-After: ${uninformative[0]?.text.slice(0, 200)}`);
    const busy = busyFactor();
    if (slowestMs > maxAnswerMs * busy) problems.push(`a call took ${Math.round(slowestMs)} ms`);
    if (slowestRecoveryMs > maxRecoveryMs * busy) problems.push(`not served for ${Math.round(slowestRecoveryMs)} ms`);
    if (refused === 0) problems.push("no call was affected by the outages");
    if (lost.length > 0) problems.push(`lost: ${lost.slice(0, 10).join(", ")}`);
    return { note, ...(problems.length === 0 ? {} : { problem: problems.join("; ") }) };
  });
}

/** A refusal needs a message for users and a Retry-After header for programs. */
function isInformative(/** @type {import("../lib/portal.mjs").Answer} */ { text, retryAfter }) {
  const [error] = JSON.parse(text).errors ?? JSON.parse(text).checks ?? [];
  return retryAfter !== undefined && error !== undefined;
}

/** @param {Portal} portal @param {string} token */
const callEverything = (portal, token) => [
  portal.call("POST", "/auth/login", { body: viewer, timeoutMs }),
  portal.call("GET", "/profile", { token, timeoutMs }),
  portal.call("GET", "/datasets", { token, timeoutMs }),
  portal.call("GET", "/favorite/queries", { token, timeoutMs }),
  portal.call("POST", "/datasets/Trials/points/search", { token, body: search, timeoutMs }),
  portal.call("GET", "/apiKeys", { token, timeoutMs }),
  portal.call("GET", "/health/ready", { timeoutMs }),
];

/**
 * Makes the database unavailable and restores it. Returns when it was available again.
 * @param {Postgres} postgres
 * @param {(typeof outages)[number]} outage
 * @param {() => Promise<void>} meanwhile
 */
async function interrupt(postgres, outage, meanwhile) {
  switch (outage) {
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
      await postgres.stop(outage);
      await postgres.restart();
      return performance.now();
    default:
      return outage;
  }
}

/** @param {Postgres} postgres @param {() => Promise<void>} meanwhile */
async function withoutConnections(postgres, meanwhile) {
  const first = await postgres.session();
  const others = [];
  // The portal may acquire connections in between, so repeat until it has none left.
  for (const endMs = performance.now() + 2_000; performance.now() < endMs;) {
    await first.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and application_name <> $1",
      [testSessionName],
    );
    for (let session; (session = await postgres.session().catch(() => undefined)) !== undefined;) others.push(session);
  }
  await meanwhile();
  for (const session of [first, ...others]) await session.end();
  return performance.now();
}

/** @param {Portal} portal @param {string} token @param {number} sinceMs */
async function waitUntilServed(portal, token, sinceMs) {
  while (performance.now() < sinceMs + timeoutMs) {
    const answers = await Promise.all(callEverything(portal, token));
    if (answers.every(({ status }) => status === 200)) break;
    await sleep(20);
  }
  return performance.now() - sinceMs;
}
