// @ts-check
import { setTimeout as sleep } from "node:timers/promises";
import { accountDraft, password } from "../lib/account-draft.mjs";
import { openReceiver } from "../lib/job-clients.mjs";
import { isSlow, liesTo, openInner, openServer } from "../lib/liar.mjs";
import { busyFactor } from "../lib/machine-speed.mjs";
import { watchMemory } from "../lib/memory.mjs";

export const name = "Webhooks that lie: 18 lies, and eight people whose webhooks hang, beside someone whose webhook does not";
export const isLong = true;

const attackers = 8;
const alertsOfAttacker = 6;
const honestAlerts = 5;
const maxMemoryBytes = 300_000_000;
/** Of one attempt, with the connection. */
const attemptMs = 15_000;
/** Completes "The webhook …"; null if it took the message. */
const outcomes = /** @type {const} */ ([
  [/^never|now and then$/, "did not answer in time"],
  [/^redirects to an inner/, "answered with the status 307, and redirects are not followed"],
  [/^redirects/, "answered with the status 302, and redirects are not followed"],
  [/^answers with 500/, "answered with the status 500"],
  [/^sends gigabytes|^announces|^compresses|nested/, "answered with more than a message"],
  [/^answers/, null],
  [/./, "could not be reached"],
]);

/** @typedef {import("../lib/portal.mjs").Portal} Portal */

/** @param {import("../run.mjs").Context} context */
export async function run({ openPortal }) {
  const inner = await openInner();
  const lies = liesTo(inner.url);
  const honest = await openReceiver();
  const lying = await openServer((request, _, response) => {
    const lie = decodeURIComponent((request.url ?? "/").slice(1).split("?")[0] ?? "");
    return lies[lie]?.(response);
  });
  const lyingUrl = (/** @type {string} */ lie) => `http://127.0.0.1:${lying.port}/${encodeURIComponent(lie)}?token=hush`;
  /** @type {string[]} */
  const log = [];
  const env = {
    FAIRWAY_WEBHOOK_ADDRESSES: "127.0.0.1",
    LIMIT_USER_CALLS_PER_MINUTE: "1000000",
    LIMIT_LOGIN_ATTEMPTS_PER_MINUTE: "1000000",
    LIMIT_ALERT_CHECKS_AT_ONCE: "8",
  };
  const portal = await openPortal({ env, onLine: (line) => void log.push(line) });
  const maxMs = 5_000 * busyFactor();
  try {
    const administrator = await portal.asAdministrator();
    const open = (/** @type {string} */ username) => Person.open(portal, administrator, username);
    const [harriet, liar] = [await open("harriet"), await open("liar")];
    /** @type {Person[]} */
    const hanging = [];
    for (let n = 0; n < attackers; n += 1) hanging.push(await open(`attacker-${n}`));
    const slow = Object.keys(lies).filter(isSlow);

    return await portal.measure(async () => {
      const memory = watchMemory(portal.pid);
      /** @type {string[]} */
      const problems = [];
      for (const person of hanging) {
        for (let n = 0; n < alertsOfAttacker; n += 1) await person.alert(`hanging ${n}`, lyingUrl(slow[n % slow.length] ?? ""));
      }
      /** @type {{ id: string, lie: string }[]} */
      const created = [];
      for (const lie of Object.keys(lies)) created.push({ id: await liar.alert(lie, lyingUrl(lie)), lie });
      const telling = created.map(async ({ id, lie }) => {
        const expected = outcomes.find(([pattern]) => pattern.test(lie))?.[1] ?? null;
        const { status, text, ms } = await portal.call("POST", `/alerts/${id}/test`, { token: liar.token });
        if (status !== 200 || JSON.parse(text).webhookProblem !== expected) problems.push(`${lie}: ${status} ${text.slice(0, 100)}`);
        if (ms > attemptMs + maxMs) problems.push(`${lie}: told after ${Math.round(ms)} ms`);
        return { id, lie, expected };
      });
      const told = Promise.all(telling);
      let worstMs = 0;
      for (let n = 1; n <= honestAlerts; n += 1) {
        const startedMs = performance.now();
        await harriet.alert(`job ${n}`, honest.url);
        while (!honest.messages.some(({ subject }) => subject === `job ${n}`) && performance.now() - startedMs < 60_000) await sleep(20);
        worstMs = Math.max(worstMs, performance.now() - startedMs);
      }
      // A delivery may wait for its check, and this for the checks of all alerts.
      if (worstMs > 2 * maxMs) problems.push(`someone else's message took ${Math.round(worstMs)} ms`);
      const marked = await told;
      // One message of each person at a time: the slow ones follow each other.
      const endMs = performance.now() + slow.length * attemptMs + maxMs;
      /** @type {Map<string, { state: string, problem: string }>} */
      let webhooks = new Map();
      const wrong = () => marked.filter(({ id, expected }) => webhooks.get(id)?.problem !== (expected ?? ""));
      do {
        await sleep(250);
        webhooks = await liar.webhooks();
      } while (wrong().length > 0 && performance.now() < endMs);
      for (const { id, lie } of wrong()) problems.push(`${lie}: marked as ${JSON.stringify(webhooks.get(id))}`);
      const states = new Set([...(await harriet.webhooks()).values()].map(({ state }) => state));
      if ([...states].join() !== "ok") problems.push(`the honest webhook is ${[...states].join()}`);
      const peak = memory.stop() - memory.before;
      if (inner.calls.length > 0) problems.push(`an inner address was called: ${inner.calls[0]}`);
      if (log.some((line) => /hush|whsec_/.test(line))) problems.push("the log contains a secret of a webhook");
      if (peak > maxMemoryBytes) problems.push(`the portal grew by ${Math.round(peak / 1e6)} MB`);
      const ids = new Set(honest.messages.map(({ id }) => id)).size;
      if (honest.messages.length !== honestAlerts || ids !== honestAlerts) problems.push(`${honest.messages.length} messages arrived`);
      return {
        note: `${marked.length} lies told and marked as they are; ${honestAlerts} messages of someone else arrived within ${(worstMs / 1_000).toFixed(1)} s of their alert, beside ${attackers * alertsOfAttacker} that hang; ${Math.round(peak / 1e6)} MB more memory`,
        ...(problems.length === 0 ? {} : { problem: problems.join("; ") }),
      };
    });
  } finally {
    await portal.stop();
    for (const server of [inner, honest, lying]) server.close();
  }
}

/** Someone with alerts. */
class Person {
  #portal;
  #searchId;

  /** @param {Portal} portal @param {string} token @param {string} searchId */
  constructor(portal, token, searchId) {
    this.#portal = portal;
    this.token = token;
    this.#searchId = searchId;
  }

  /** @param {Portal} portal @param {string} administrator @param {string} username */
  static async open(portal, administrator, username) {
    await portal.call("POST", "/admin/users", { token: administrator, body: accountDraft(username, []) });
    const token = await portal.signIn({ username, password });
    const query = JSON.stringify({ filters: [{ name: "name", operator: "=", value: "point 1" }] });
    const search = { datasetCategory: "Trials", datasetId: "points", queryName: "few", query };
    const { text } = await portal.call("POST", "/favorite/queries", { token, body: search });
    return new Person(portal, token, JSON.parse(text).id);
  }

  /** An alert that fires at once. @param {string} title @param {string} webhookUrl @returns {Promise<string>} its id */
  async alert(title, webhookUrl) {
    const condition = { kind: "above", rows: 0 };
    const body = { name: title, savedSearchId: this.#searchId, condition, everyMinutes: 1_440, webhookUrl };
    let { status, text } = await this.#portal.call("POST", "/alerts", { token: this.token, body });
    // On a busy machine, the database takes its time.
    for (let attempt = 1; status === 503 && attempt < 10; attempt += 1) {
      await sleep(500);
      ({ status, text } = await this.#portal.call("POST", "/alerts", { token: this.token, body }));
    }
    if (status !== 201) throw new Error(`the alert was not created: ${status} ${text.slice(0, 200)}`);
    return JSON.parse(text).id;
  }

  /** By the id of their alert. */
  async webhooks() {
    const { text } = await this.#portal.call("GET", "/alerts", { token: this.token });
    return new Map(JSON.parse(text).alerts.map((/** @type {any} */ one) => [one.id, one.webhook]));
  }
}
