// @ts-check
import { accountDraft, password } from "./account-draft.mjs";

/** Callers and their roles. They share one portal, so that what one of them breaks affects the others. */
const accounts = /** @type {const} */ ({
  viewer: [],
  editor: ["schema-edit", "data-upload"],
  developer: ["flow-developer-storm-desk", "data-upload"],
  other: ["admin"],
});

/** @typedef {{ name: string, headers: Record<string, string> }} Caller */

/** The account that creates the callers is gone. */
export class NoAdministrator extends Error {}

/**
 * All kinds of callers. Excludes the first administrator, so that access cannot be lost.
 * @param {import("./portal.mjs").Portal} portal
 * @returns {Promise<Caller[]>} the administrator is the first
 */
export async function fuzzingCallers(portal) {
  const administrator = await portal.asAdministrator().catch((error) => {
    throw new NoAdministrator("the first administrator cannot sign in", { cause: error });
  });
  for (const role of ["schema-edit", "data-upload", "flow-developer-storm-desk"]) {
    await portal.call("POST", "/admin/roles", { token: administrator, body: { name: role } });
  }
  const users = JSON.parse((await portal.call("GET", "/admin/users", { token: administrator })).text);
  /** @type {Caller[]} */
  const callers = [];
  for (const [username, roles] of Object.entries(accounts)) {
    const found = users.find((/** @type {{ username: string }} */ one) => one.username === username);
    // An attack may have changed its password or roles, or locked it.
    if (found !== undefined) await portal.call("DELETE", `/admin/users/${found.id}`, { token: administrator });
    const draft = accountDraft(username, roles);
    const { status, text } = await portal.call("POST", "/admin/users", { token: administrator, body: draft });
    if (status !== 201) throw new Error(`${username} could not be created: ${status} ${text.slice(0, 300)}`);
    callers.push({ name: username, headers: { authorization: `Bearer ${await portal.signIn({ username, password })}` } });
  }
  const viewer = callers.find(({ name }) => name === "viewer");
  const draft = { name: `fuzzing ${Date.now()}`, datasets: [{ datasetCategory: "Trials", datasetId: "points" }] };
  const { text } = await portal.call("POST", "/apiKeys", { ...viewer, body: draft });
  const key = JSON.parse(text).key;
  return [...callers.toReversed(), { name: "key", headers: { "x-api-key": key } }, { name: "anonymous", headers: {} }];
}

/**
 * Whether every caller can still call: attacks end their own sessions and lock themselves.
 * @param {import("./portal.mjs").Portal} portal
 * @param {readonly Caller[]} callers
 */
export async function canAllCall(portal, callers) {
  for (const { name, headers } of callers) {
    if (name === "anonymous") continue;
    const { status } = await portal.call("GET", name === "key" ? "/datasets" : "/profile", { headers });
    if (status !== 200) return false;
  }
  const [administrator] = callers;
  return (await portal.call("GET", "/admin/roles", { headers: administrator?.headers ?? {} })).status === 200;
}
