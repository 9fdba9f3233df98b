// @ts-check
import { setTimeout as wait } from "node:timers/promises";
import { demoPassword } from "@fairway/contract/api";

/** @typedef {import("./portal.mjs").Portal} Portal */
/** @typedef {import("./rotation.mjs").Rotation} Rotation */

const users = ["viewer", "editor"];
const flights = { datasetCategory: "Aviation", datasetId: "flights" };
const airports = { datasetCategory: "Aviation", datasetId: "airports" };
const birdStrikes = { datasetCategory: "Aviation", datasetId: "bird-strikes" };
const flightsPath = "/datasets/Aviation/flights";
const day = { start: "2001-03-01T00:00:00Z", end: "2001-03-02T00:00:00Z" };
const pauseMs = 25;
const docPrefix = "under-way-";
const exportPollMs = 100;

/** Whether the doc with this id exists for a moment only. @param {string} id */
export const isOfLoad = (id) => id.startsWith(docPrefix);

/**
 * Users who search, save, export, upload and sign in, and an administrator who edits, without a pause, through the gateways of a
 * rotation. What was saved through one gateway has to be there at the next one.
 * @param {Rotation} rotation
 */
export function startLoad(rotation) {
  const stopping = new AbortController();
  /** @type {Record<string, number>} */
  let counts = {};
  /** @type {string[]} */
  let failures = [];
  let slowestMs = 0;
  /** One failure may repeat hundreds of times. */
  const failedOnes = (/** @type {string[]} */ failed) =>
    names.flatMap((name) => failed.filter((failure) => failure.startsWith(`${name} `)).slice(0, 2));

  /** @type {(method: string, path: string, options: { token: string, body?: unknown }) => Promise<any>} */
  const call = (method, path, options) =>
    rotation.use(async (portal) => {
      const started = performance.now();
      try {
        return await portal.expect(method, path, options);
      } finally {
        slowestMs = Math.max(slowestMs, performance.now() - started);
      }
    });

  /** @type {Record<string, (token: string, turn: number) => Promise<void>>} */
  const activities = {
    async search(token, turn) {
      const { results } = await call("POST", `${flightsPath}/search`, {
        token,
        body: { timeRange: day, paging: { offset: turn % 20, max: 20 } },
      });
      expectThat(results.length === 20, `a search returned ${results.length} rows`);
    },
    async "own data"(token, turn) {
      const name = `Under way ${turn}`;
      const names = async () => (await call("GET", "/datasetGroupings", { token })).map((/** @type {{ name: string }} */ one) => one.name);
      await call("POST", "/datasetGroupings", { token, body: { name, datasets: [airports, birdStrikes] } });
      expectThat((await names()).includes(name), `the group ${name}, which was acknowledged, is missing`);
      await call("DELETE", `/datasetGroupings/${encodeURIComponent(name)}`, { token });
      expectThat(!(await names()).includes(name), `the group ${name}, which was deleted, is still there`);
    },
    async favorites(token) {
      await call("POST", "/favorite/datasets", { token, body: flights });
      await call("DELETE", "/favorite/datasets", { token, body: flights });
    },
    async notices(token) {
      await call("GET", "/notices/new", { token });
      await call("GET", "/notices", { token });
    },
    // The first release only knows the exports that it writes itself.
    export: (token) =>
      rotation.use(async (portal) => {
        const draft = { format: "csv", search: { timeRange: day } };
        const { exportId } = await portal.expect("POST", `${flightsPath}/export`, { token, body: draft });
        let state;
        while ((state = await portal.expect("GET", `/exports/${exportId}`, { token })).status === "running") await wait(exportPollMs);
        expectThat(state.status === "done", `an export ended as ${state.status}: ${state.failure}`);
        const { status, text } = await portal.call("GET", `/exports/${exportId}/file`, { token });
        expectThat(status === 200, `an export answered ${status}: ${text.slice(0, 300)}`);
        const lines = text.trimEnd().split("\n").length;
        expectThat(lines === state.rows + 1, `an export of ${state.rows} rows has ${lines} lines`);
      }),
    async upload(token, turn) {
      const form = new FormData();
      form.set("file", new Blob([`Berth ${turn}`], { type: "text/plain" }), "berth.txt");
      const { id } = await call("POST", "/feedback/upload", { token, body: form });
      expectThat(typeof id === "string", "an upload has no id");
    },
    async "sign-in"(_token, turn) {
      const username = users[turn % users.length];
      const { token } = await rotation.use((portal) =>
        portal.expect("POST", "/auth/login", { body: { username, password: demoPassword } }),
      );
      const profile = await call("GET", "/profile", { token: token.access_token });
      expectThat(profile.username === username, `${username} is signed in as ${profile.username}`);
      const renewed = await rotation.use((portal) =>
        portal.expect("POST", "/auth/refresh", { body: { refreshToken: token.refresh_token } }),
      );
      await call("GET", "/profile", { token: renewed.access_token });
      await rotation.use((portal) => portal.expect("POST", "/auth/logout", { body: { refreshToken: renewed.refresh_token } }));
    },
  };

  /** @type {Record<string, (token: string, turn: number) => Promise<void>>} */
  const administration = {
    async "administered entities"(token, turn) {
      const id = `${docPrefix}${turn}`;
      const saved = await call("POST", "/admin/docs", { token, body: { id, name: id, category: "Harbors", description: "" } });
      await call("PUT", "/admin/docs", { token, body: { ...saved, description: "Changed." } });
      const docs = await call("GET", "/admin/docs", { token });
      const found = docs.find((/** @type {{ id: string }} */ doc) => doc.id === id);
      expectThat(found?.description === "Changed.", `the doc ${id}, which was acknowledged, is missing or unchanged`);
      await call("DELETE", `/admin/docs/${id}`, { token });
    },
    async auditing(token) {
      await call("GET", "/auditing/events", { token });
    },
  };

  /**
   * @param {string} username
   * @param {string} name
   * @param {(token: string, turn: number) => Promise<void>} work
   */
  const repeat = async (username, name, work) => {
    const { access_token: token } = await rotation.use((portal) => portal.signIn(username, demoPassword));
    for (let turn = 1; !stopping.signal.aborted; turn += 1) {
      try {
        await work(token, turn);
        counts[name] = (counts[name] ?? 0) + 1;
      } catch (error) {
        failures.push(`${name} ${error instanceof Error ? error.message : String(error)}`);
      }
      await wait(pauseMs);
    }
  };
  const workers = [
    ...Object.entries(activities).map(([name, work]) => repeat("viewer", name, work)),
    ...Object.entries(administration).map(([name, work]) => repeat("admin", name, work)),
  ];
  const names = [...Object.keys(activities), ...Object.keys(administration)];

  return {
    /**
     * Describes what was done since the last report, once everything was done at least once. Throws what has failed since then.
     */
    async report() {
      while (failures.length === 0 && names.some((name) => counts[name] === undefined)) await wait(pauseMs);
      const [done, failed, slowest] = [counts, failures, slowestMs];
      [counts, failures, slowestMs] = [{}, [], 0];
      if (failed.length > 0) throw new Error([`${failed.length} failed:`, ...failedOnes(failed)].join("\n"));
      const list = names.map((name) => `${name} ${done[name]}×`).join(", ");
      return `${list}; the slowest call took ${Math.round(slowest)} ms`;
    },
    async stop() {
      stopping.abort();
      await Promise.all(workers);
    },
  };
}

/**
 * @param {boolean} holds
 * @param {string} otherwise
 */
function expectThat(holds, otherwise) {
  if (!holds) throw new Error(otherwise);
}
