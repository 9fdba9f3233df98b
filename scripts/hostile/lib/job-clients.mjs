// @ts-check
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { listen } from "../../lib/processes.mjs";
import { accountDraft, password } from "./account-draft.mjs";
import { administrator } from "./platform.mjs";

const dataset = { datasetCategory: "Trials", datasetId: "points" };
const filters = [{ name: "name", operator: "=", value: "point 1" }];
/** Fewer than the subscriptions that a person may have. */
const thingsPerPerson = 15;
const callTimeoutMs = 15_000;
/** Work of a gateway that was killed is taken over after half a minute. */
const settleMs = 240_000;

/** A receiver of webhooks. @returns {Promise<{ url: string, messages: { id: string, subject: string }[], close: () => void }>} */
export async function openReceiver() {
  /** @type {{ id: string, subject: string }[]} */
  const messages = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      messages.push({ id: String(request.headers["webhook-id"]), subject: /job \d+/.exec(body)?.[0] ?? body.slice(0, 100) });
      response.writeHead(204).end();
    });
  });
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}/hook`, messages, close: () => server.closeAllConnections() ?? server.close() };
}

/** @typedef {{ name: string, token: string, things: number, searchId: string }} Person */

/** Begins work that outlives calls, while the portal is killed, and remembers what the portal has accepted. */
export class JobClients {
  /** @type {Person[]} */
  #people = [];
  #number = 0;
  #webhookUrl;
  /** Accepted jobs: the kind, the person and the id. @type {{ kind: "alert" | "subscription" | "export" | "import", person: Person, id: string, subject: string }[]} */
  accepted = [];

  /** @param {string} webhookUrl */
  constructor(webhookUrl) {
    this.#webhookUrl = webhookUrl;
  }

  /** Works until the portal ends. @param {import("./portal.mjs").Portal} portal */
  async work(portal) {
    while (portal.isRunning) {
      // A call that fails because the portal was killed accepts nothing.
      await this.#round(portal).catch(() => sleep(20));
    }
  }

  /** @param {import("./portal.mjs").Portal} portal */
  async #round(portal) {
    const person = await this.#person(portal);
    const subject = `job ${(this.#number += 1)}`;
    const call = async (/** @type {string} */ method, /** @type {string} */ path, /** @type {unknown} */ body) => {
      const answer = await portal.call(method, path, { token: person.token, body, timeoutMs: callTimeoutMs });
      return answer.status >= 200 && answer.status < 300 ? JSON.parse(answer.text || "{}") : undefined;
    };
    const begin = [
      async () => {
        const condition = { kind: "above", rows: 0 };
        const draft = { name: subject, savedSearchId: person.searchId, condition, everyMinutes: 1_440, webhookUrl: this.#webhookUrl };
        const alert = await call("POST", "/alerts", draft);
        if (alert !== undefined) this.accepted.push({ kind: "alert", person, id: alert.id, subject });
      },
      async () => {
        const at = { weekdays: [((new Date().getUTCDay() + 3) % 7) + 1], hour: 8, minute: 0, zone: "UTC" };
        const subscription = await call("POST", "/subscriptions", { name: subject, of: { savedSearchId: person.searchId }, at });
        if (subscription === undefined || (await call("POST", `/subscriptions/${subscription.id}/send`, undefined)) === undefined) return;
        this.accepted.push({ kind: "subscription", person, id: subscription.id, subject });
      },
      async () => {
        const started = await call("POST", "/datasets/Trials/points/export", { format: "csv", search: { filters } });
        if (started !== undefined) this.accepted.push({ kind: "export", person, id: started.exportId, subject });
      },
      async () => {
        const content = "a,b\n1,2\n3,4\n";
        const started = await call("POST", "/imports", { files: [{ file: `${subject}.csv`, size: content.length }] });
        if (started === undefined) return;
        const { uploadUrl } = (await call("GET", `/imports/${started.id}/files/1/parts/1`, undefined)) ?? { uploadUrl: "" };
        await portal.call("PUT", uploadUrl.replace(/^\/api/, ""), { body: content, headers: { "content-type": "text/plain" } });
        await call("POST", `/imports/${started.id}/complete`, undefined);
        for (const endMs = performance.now() + 10_000; performance.now() < endMs && portal.isRunning; await sleep(100)) {
          if ((await call("GET", `/imports/${started.id}`, undefined))?.status === "ready") break;
        }
        const made = await call("POST", `/imports/${started.id}/dataset`, { name: subject });
        if (made !== undefined) this.accepted.push({ kind: "import", person, id: started.id, subject });
      },
    ];
    person.things += 1;
    await Promise.allSettled(begin.map((one) => one()));
  }

  /** @param {import("./portal.mjs").Portal} portal @returns {Promise<Person>} */
  async #person(portal) {
    const last = this.#people.at(-1);
    if (last !== undefined && last.things < thingsPerPerson) return last;
    const token = await portal.signIn(administrator);
    const username = `person-${this.#people.length}-${Date.now()}`;
    await portal.call("POST", "/admin/roles", { token, body: { name: "data-upload" } });
    const draft = accountDraft(username, ["data-upload"]);
    await portal.call("POST", "/admin/users", { token, body: draft, timeoutMs: callTimeoutMs });
    const own = await portal.signIn({ username, password });
    const search = { ...dataset, queryName: "few", query: JSON.stringify({ filters }) };
    const { text } = await portal.call("POST", "/favorite/queries", { token: own, body: search, timeoutMs: callTimeoutMs });
    const person = { name: username, token: own, things: 0, searchId: JSON.parse(text).id };
    this.#people.push(person);
    return person;
  }

  /**
   * Waits until everything that was accepted has ended, and tells what was lost or delivered twice.
   * @param {import("./portal.mjs").Portal} portal
   * @param {{ webhooks: readonly { id: string, subject: string }[], mails: readonly string[] }} delivered
   */
  async verdict(portal, { webhooks, mails }) {
    /** @type {string[]} */
    const problems = [];
    const counts = { alert: 0, subscription: 0, export: 0, import: 0, unsure: 0, givenUp: 0, repeated: 0 };
    const tokens = new Map();
    for (const { name } of this.#people) tokens.set(name, await portal.signIn({ username: name, password }));
    const endMs = performance.now() + settleMs;
    /** @param {Person} person @param {string} path */
    const get = async (person, path) => {
      const { status, text } = await portal.call("GET", path, { token: tokens.get(person.name) });
      return status === 200 ? JSON.parse(text) : { status: `${status}` };
    };
    for (const { kind, person, id, subject } of this.accepted) {
      /** @type {string | undefined} */
      let outcome;
      do {
        if (kind === "export") outcome = exportOutcome(await get(person, `/exports/${id}`));
        else if (kind === "import")
          outcome = importOutcome(await get(person, "/ownDatasets"), subject, await get(person, `/imports/${id}`));
        else if (kind === "subscription")
          outcome = deliveryOutcome(await get(person, `/subscriptions/${id}/deliveries`), ofSubject(mails, subject));
        else outcome = alertOutcome(await get(person, "/notifications"), subject, webhooks);
        if (outcome === undefined) await sleep(500);
      } while (outcome === undefined && performance.now() < endMs);
      if (outcome === "unsure") counts.unsure += 1;
      else if (outcome === "given up") counts.givenUp += 1;
      else if (outcome !== "") problems.push(`${kind} '${subject}': ${outcome ?? "did not end"}`);
      counts[kind] += 1;
    }
    const ids = new Set(webhooks.map(({ id }) => id));
    // Receivers know a message that is sent again by its id.
    counts.repeated = webhooks.length - ids.size;
    return { problems, counts };
  }
}

/** @param {readonly string[]} mails @param {string} subject */
const ofSubject = (mails, subject) => mails.filter((mail) => new RegExp(`\\b${subject}\\b`).test(mail)).length;

/** A job whose gateway was killed three times is given up, because it may be the cause. @param {string | null | undefined} failure */
const isGivenUp = (failure) => /^The (export|import) was interrupted several times/.test(failure ?? "");

/** @param {any} answer @returns {string | undefined} empty if it is as it should be, undefined while it is not decided */
function exportOutcome({ status, failure }) {
  if (status === "running") return undefined;
  if (status === "failed" && isGivenUp(failure)) return "given up";
  // Older ones make room.
  return status === "done" || status === "404" ? "" : `ended as ${status}: ${failure}`;
}

/** @param {any} datasets @param {string} subject @param {any} started @returns {string | undefined} */
function importOutcome(datasets, subject, started) {
  const list = Array.isArray(datasets) ? datasets : (datasets.datasets ?? []);
  const found = list.filter((/** @type {any} */ one) => [one.name, one.datasetId, one.id].includes(subject)).length;
  if (found === 1) return "";
  if (found > 1) return `${found} datasets`;
  if (started.status !== "failed") return undefined;
  return isGivenUp(started.failure?.message) ? "given up" : `failed: ${started.failure?.message}`;
}

/** @param {any} page @param {number} mails @returns {string | undefined} */
function deliveryOutcome({ deliveries = [] }, mails) {
  if (deliveries.length === 0) return undefined;
  const kinds = deliveries.map((/** @type {any} */ one) => one.kind);
  if (mails > 1) return `${mails} mails, deliveries ${kinds.join()}`;
  if (kinds.length > 1) return `deliveries ${kinds.join()}`;
  if (kinds[0] === "unsure") return "unsure";
  return kinds[0] === "sent" && mails === 1 ? "" : `delivery ${kinds[0]}, ${mails} mails`;
}

/** @param {any} page @param {string} subject @param {readonly { id: string, subject: string }[]} webhooks @returns {string | undefined} */
function alertOutcome({ notifications = [] }, subject, webhooks) {
  const isOf = (/** @type {string} */ text) => new RegExp(`\\b${subject}\\b`).test(text);
  const told = notifications.filter((/** @type {any} */ one) => isOf(`${one.title} ${one.text}`)).length;
  const ids = new Set(webhooks.filter((one) => one.subject === subject).map(({ id }) => id));
  if (told > 1 || ids.size > 1) return `${told} notifications, ${ids.size} messages`;
  return told === 1 && ids.size === 1 ? "" : undefined;
}
