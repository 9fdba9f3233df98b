// @ts-check
import { setTimeout as sleep } from "node:timers/promises";
import { platform } from "../lib/platform.mjs";
import { sumMeasurements } from "../lib/portal.mjs";

export const name = "Large amounts of data: bulk changes, revisions, saved searches, exports, the audit log";
export const isLong = true;

const timeRange = { start: "2020-01-01T00:00:00Z", end: "2021-01-01T00:00:00Z" };

/** @typedef {import("../lib/portal.mjs").Portal} Portal */

/** @param {import("../run.mjs").Context} context */
export async function run({ portal }) {
  const administrator = await portal.asAdministrator();
  const viewer = await portal.asViewer();
  const tasks = {
    "bulk changes": () => bulkChanges(portal, administrator),
    revisions: () => revisions(portal, administrator),
    "saved searches": () => savedSearches(portal, viewer),
    exports: () => exports(portal, viewer),
    "audit log": () => auditLog(portal, administrator),
  };
  const parts = [];
  /** @type {string[]} */
  const problems = [];
  for (const [kind, task] of Object.entries(tasks)) {
    const part = await portal.measure(async () => {
      const unexpected = (await task()).filter(({ status }) => status < 200 || status > 299);
      if (unexpected.length > 0) problems.push(`${kind}: ${unexpected[0]?.status} ${unexpected[0]?.text.slice(0, 200)}`);
      return "";
    });
    parts.push({ kind, part });
  }
  const note = parts.map(({ kind, part }) => `${kind} ${Math.round(part.worstDelayMs)} ms`).join(", ");
  return { ...sumMeasurements(parts.map(({ part }) => part)), note, ...(problems.length === 0 ? {} : { problem: problems.join("; ") }) };
}

/** @param {Portal} portal @param {string} token */
async function bulkChanges(portal, token) {
  const entities = Array.from({ length: 5_000 }, (_, n) => ({ username: `bulk-${n}` }));
  const created = await portal.call("PUT", "/admin/users/import", { token, body: { entities, isReplace: false } });
  const users = /** @type {{ id: string, username: string }[]} */ (created.status === 200 ? JSON.parse(created.text) : []);
  const ids = users.filter(({ username }) => username.startsWith("bulk-")).map(({ id }) => id);
  const answers = [created];
  for (const action of ["disable", "enable", "delete"]) {
    answers.push(await portal.call("PUT", "/admin/users/bulk", { token, body: { ids, action } }));
  }
  return answers;
}

/** @param {Portal} portal @param {string} token */
async function revisions(portal, token) {
  const [points] = platform.datasets;
  const columns = (/** @type {number} */ version) =>
    Array.from({ length: 1_000 }, (_, n) => ({
      name: `c${n}`,
      type: "STRING",
      description: `Version ${version} of ${n}. `.padEnd(400, "x"),
      combined: null,
    }));
  const filterSupport = { ...points?.entity.filterSupport, supportsTimeRange: false, supportsGeospatial: false };
  const dataset = {
    ...points?.entity,
    id: "wide",
    temporalField: null,
    locationField: null,
    filterSupport,
    schema: { columns: columns(0) },
  };
  const answers = [await portal.call("POST", "/admin/datasets/internal", { token, body: dataset })];
  for (let edit = 1; edit <= 3; edit += 1) {
    answers.push(await portal.call("PUT", "/admin/datasets/internal", { token, body: { ...dataset, schema: { columns: columns(edit) } } }));
  }
  const list = await portal.call("GET", "/admin/datasets/internal/wide/revisions", { token });
  answers.push(list);
  const all = /** @type {{ revision: number }[]} */ (list.status === 200 ? JSON.parse(list.text) : []);
  for (const { revision } of all) answers.push(await portal.call("GET", `/admin/datasets/internal/wide/revisions/${revision}`, { token }));
  answers.push(await portal.call("GET", "/datasets", { token }));
  answers.push(await portal.call("DELETE", "/admin/datasets/internal/wide", { token }));
  return answers;
}

/** @param {Portal} portal @param {string} token */
async function savedSearches(portal, token) {
  const zigzag = Array.from({ length: 9_000 }, (_, n) =>
    n % 2 === 0 ? `${(n / 90).toFixed(4)} ${(n / 200).toFixed(4)}` : `${(60 + n / 90).toFixed(4)} ${(40 + n / 200).toFixed(4)}`,
  );
  const polygon = [...zigzag, "170 80", "170 -5", "-1 -5", zigzag[0]].join(", ");
  const filters = Array.from({ length: 100 }, (_, n) => ({ name: "name", operator: "=", value: `${n}` }));
  const query = JSON.stringify({ filters, geospatial: { polygons: [polygon] }, timeRange });
  const answers = [];
  for (let search = 0; search < 20; search += 1) {
    const body = { datasetCategory: "Trials", datasetId: "points", queryName: `large ${search}`, query };
    answers.push(await portal.call("POST", "/favorite/queries", { token, body }));
  }
  answers.push(await portal.call("GET", "/favorite/queries", { token }));
  return answers;
}

/** @param {Portal} portal @param {string} token */
async function exports(portal, token) {
  const answers = [];
  for (const format of ["csv", "json", "parquet"]) {
    const started = await portal.call("POST", "/datasets/Trials/points/export", {
      token,
      body: { format, search: { filters: [], timeRange } },
    });
    answers.push(started);
    const { exportId } = started.status === 202 ? JSON.parse(started.text) : { exportId: "none" };
    for (let turn = 0; turn < 200; turn += 1) {
      const { status, text } = await portal.call("GET", `/exports/${exportId}`, { token });
      if (status !== 200 || JSON.parse(text).status !== "running") break;
      await sleep(50);
    }
    answers.push(await portal.call("GET", `/exports/${exportId}/file`, { token }));
  }
  return answers;
}

/** @param {Portal} portal @param {string} token */
async function auditLog(portal, token) {
  const agent = `=cmd|' /C calc'!A0,"${"x".repeat(4_000)}"`;
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let call = 0; call < 250; call += 1) await portal.call("GET", "/profile", { token, headers: { "user-agent": agent } });
    }),
  );
  return [
    await portal.call("GET", "/auditing/export?format=csv", { token }),
    await portal.call("GET", "/auditing/export?format=json", { token }),
    await portal.call("GET", "/auditing/events", { token }),
  ];
}
