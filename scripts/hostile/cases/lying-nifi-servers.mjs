// @ts-check
import { readFile } from "node:fs/promises";
import { accountDraft, password } from "../lib/account-draft.mjs";
import { isSlow, liesTo, openInner, openServer } from "../lib/liar.mjs";
import { busyFactor } from "../lib/machine-speed.mjs";
import { watchMemory } from "../lib/memory.mjs";
import { callsOfOthers } from "../lib/others.mjs";

export const name = "NiFi servers that lie: 18 lies at the sign-in and after it, certificates, and an honest NiFi beside them";
export const isLong = true;

/** Of an environment. */
const timeouts = { connectTimeoutMs: 2_000, readTimeoutMs: 4_000 };
const maxMemoryBytes = 400_000_000;
const secret = "a secret of the NiFi user";
const definition = new URL("../../../gateway/src/testing/nifi-1.18-flow-definition.json", import.meta.url);

/** @typedef {import("../lib/portal.mjs").Portal} Portal */

/** @param {import("../run.mjs").Context} context */
export async function run({ openPortal }) {
  const { startFakeNifi } = await import("@fairway/gateway/nifi/testing/fake-nifi");
  const { testCertificate } = await import("@fairway/gateway/testing/certificates");
  const inner = await openInner();
  const honest = await startFakeNifi({ version: "1.18.0" });
  const authority = testCertificate("Authority");
  const expired = testCertificate("nifi", authority, { days: -1 });
  const lies = liesTo(inner.url);
  /** Calls by environment. @type {Map<string, string[]>} */
  const calls = new Map();
  /** The first part of the path names the lie, the second one when it begins. */
  const lying = await openServer((request, _, response) => {
    const [, lie = "", when = "", , ...path] = decodeURIComponent(request.url ?? "").split("/");
    const of = `${lie} ${when}`;
    calls.set(of, [...(calls.get(of) ?? []), path.join("/")]);
    if (when === "later" && path.join("/") === "access/token") return void response.writeHead(201).end("token");
    return lies[lie]?.(response);
  });
  const secure = await openServer((_request, _body, response) => response.end(), { key: expired.key(), cert: expired.pem });
  /** @type {string[]} */
  const log = [];
  const portal = await openPortal({ env: { FAIRWAY_UPSTREAM_ADDRESSES: "127.0.0.1" }, onLine: (line) => void log.push(line) });
  const maxMs = 5_000 * busyFactor();
  try {
    const token = await portal.asAdministrator();
    const iteration = await newIteration(portal, token);
    const environment = async (/** @type {string} */ id, /** @type {string} */ baseUrl, ca = "") => {
      const body = { name: id, displayName: id, baseUrl, ca, ...timeouts };
      const { status, text } = await portal.call("POST", "/admin/flowEnvironments", { token, body });
      if (status !== 201) throw new Error(`the environment was not saved: ${status} ${text}`);
      return id;
    };
    const lyingAt = `http://127.0.0.1:${lying.port}`;
    const names = Object.keys(lies);
    /** @type {{ id: string, lie: string }[]} */
    const attacked = [];
    for (const [index, lie] of names.entries()) {
      for (const when of ["first", "later"]) {
        const id = await environment(`lie-${index}-${when}`, `${lyingAt}/${encodeURIComponent(lie)}/${when}`);
        attacked.push({ id, lie });
      }
    }
    attacked.push({
      id: await environment("expired", `https://localhost:${secure.port}`, authority.pem),
      lie: "has an expired certificate",
    });
    attacked.push({ id: await environment("unknown", `https://localhost:${secure.port}`), lie: "has an unknown certificate" });
    const good = await environment("honest", honest.url);

    return await portal.measure(async () => {
      const memory = watchMemory(portal.pid);
      const others = callsOfOthers(() => portal.call("GET", "/profile", { token }));
      /** @type {string[]} */
      const problems = [];
      let worstMs = 0;
      const deploy = (/** @type {string} */ id, /** @type {object} */ body) =>
        portal.call("PUT", `/admin/flowIteration/${iteration}/deploy/${id}`, { token, body });
      const attack = async (/** @type {{ id: string, lie: string }} */ { id, lie }) => {
        const { status, text, ms } = await deploy(id, { passwordCredentials: { username: "nina", password: secret } });
        worstMs = Math.max(worstMs, ms);
        const { message = "" } = JSON.parse(text).errors?.[0] ?? {};
        if (status !== (isSlow(lie) ? 504 : 502)) problems.push(`${id}, ${lie}: ${status} ${message}`);
        if (!message.endsWith("Nothing was changed in NiFi.")) problems.push(`${id}, ${lie}: ${message}`);
        if (ms > 2 * timeouts.readTimeoutMs + maxMs) problems.push(`${id}, ${lie}: failed after ${Math.round(ms)} ms`);
      };
      const attacks = Promise.all(attacked.map(attack));
      const startedMs = performance.now();
      const deployed = await deploy(good, { startNew: true });
      const honestMs = performance.now() - startedMs;
      if (deployed.status !== 200) problems.push(`the honest NiFi: ${deployed.status} ${deployed.text.slice(0, 200)}`);
      await attacks;
      for (const { id } of attacked) {
        const { text } = await portal.call("GET", `/admin/flowIteration/${iteration}/deployments`, { token });
        if (JSON.parse(text).some((/** @type {any} */ one) => one.environmentId === id)) problems.push(`${id}: is stored as deployed`);
      }
      const peak = memory.stop() - memory.before;
      const { note, problem } = await others.stop();
      const repeated = [...calls.values()].filter((paths) => new Set(paths).size < paths.length).length;
      if (repeated > 0) problems.push(`${repeated} environments were called again after a lie`);
      if (inner.calls.length > 0) problems.push(`an inner address was called: ${inner.calls[0]}`);
      if (log.some((line) => line.includes(secret))) problems.push("the log contains the password");
      if (peak > maxMemoryBytes) problems.push(`the portal grew by ${Math.round(peak / 1e6)} MB`);
      if (problem !== undefined) problems.push(problem);
      return {
        note: `${attacked.length} deployments failed within ${(worstMs / 1_000).toFixed(1)} s at limits of 4 s, the honest one took ${(honestMs / 1_000).toFixed(1)} s; ${Math.round(peak / 1e6)} MB more memory; ${note}`,
        ...(problems.length === 0 ? {} : { problem: problems.join("; ") }),
      };
    });
  } finally {
    await portal.stop();
    for (const server of [inner, lying, secure]) server.close();
    await honest.close();
  }
}

/** The id of an iteration that can be deployed. @param {Portal} portal @param {string} token */
async function newIteration(portal, token) {
  const created = async (/** @type {string} */ path, /** @type {unknown} */ body, as = token) => {
    const { status, text } = await portal.call("POST", path, { token: as, body });
    if (status !== 201) throw new Error(`${path} was not created: ${status} ${text.slice(0, 200)}`);
    return JSON.parse(text);
  };
  await created("/admin/flowGroups", { name: "weather", displayName: "Weather", description: "" });
  const role = "flow-developer-weather";
  await portal.call("POST", "/admin/roles", { token, body: { name: role } });
  await created("/admin/users", accountDraft("developer", [role]));
  const developer = await portal.signIn({ username: "developer", password });
  const { id } = await created("/flowGroups/weather/flows", { name: "storms" }, developer);
  const iterations = [{ content: await readFile(definition, "utf8"), reason: "First." }];
  const request = await created(`/flowGroups/weather/flows/${id}/requests`, { name: "Start", reason: "First.", iterations }, developer);
  const { text } = await portal.call("GET", `/flowGroups/weather/flows/${id}/requests/${request.id}/iterations`, { token: developer });
  return JSON.parse(text)[0].id;
}
