// @ts-check
import { setTimeout as sleep } from "node:timers/promises";
import { demoAccounts } from "@fairway/demo/accounts";
import { expectCall } from "../harness/calls.mjs";
import { FaultClients, tableDataset } from "./fault-clients.mjs";

/** Load before a kill, and while a server is away. */
const [loadMs, outageMs] = [2_000, 2_000];
const probeMs = 5_000;
/** Everything has to work again within this time. */
const maxMs = 60_000;

const queryServerName = "the query server";

export const limitsOfFaults = {
  LIMIT_LOGIN_ATTEMPTS_PER_MINUTE: "1000000",
  LIMIT_USER_CALLS_PER_MINUTE: "1000000",
};

/** The others stay files, which must be served without the query server. */
export const tablesOfFaults = [tableDataset.id];

/** @typedef {{ name: string, kill: () => Promise<void>, restart: () => Promise<void> }} Server */
/** @typedef {{ rounds: number, awayMs: number[], recoveryMs: number[] }} Rounds */

/**
 * Kills servers in turn while clients work, and starts them again.
 * @param {import("./open-platform.mjs").RunningPlatform} platform
 * @param {{ rounds: number, log: (line: string) => void }} options `rounds` of all servers together
 * @returns {Promise<string[]>} what did not hold
 */
export async function killServers({ origin, gateways, postgres, s3, queryServer }, { rounds, log }) {
  /** @type {Server[]} */
  const servers = [
    ...gateways.map((gateway) => ({ name: `gateway ${gateway.name}`, kill: () => gateway.kill(), restart: () => gateway.start() })),
    { name: "PostgreSQL", kill: () => postgres.kill(), restart: () => postgres.restart() },
    ...(s3 ? [{ name: "the S3 server", kill: () => s3.kill(), restart: () => s3.restart() }] : []),
    ...(queryServer ? [{ name: queryServerName, kill: () => queryServer.kill(), restart: () => queryServer.restart() }] : []),
  ];
  const all = { s3: s3 !== undefined, tables: queryServer !== undefined };
  const clients = new FaultClients(origin, { tables: all.tables });
  await clients.prepare();
  const load = clients.start();
  /** @type {Map<string, Rounds>} */
  const results = new Map(servers.map(({ name }) => [name, { rounds: 0, awayMs: [], recoveryMs: [] }]));
  /** @type {string[]} */
  const problems = [];
  for (let round = 0; round < rounds; round += 1) {
    const server = servers[round % servers.length];
    const result = results.get(server?.name ?? "");
    if (server === undefined || result === undefined) break;
    await sleep(loadMs);
    await server.kill();
    result.rounds += 1;
    if (server.name.startsWith("gateway")) result.awayMs.push((await untilServed([origin], all)).ms);
    if (server.name === queryServerName) result.awayMs.push((await untilServed([origin], { ...all, tables: false })).ms);
    await sleep(outageMs);
    const restartMs = performance.now();
    await server.restart();
    const startMs = Math.round(performance.now() - restartMs);
    const { ms: recoveryMs, last } = await untilServed(
      gateways.map((gateway) => gateway.origin),
      all,
    );
    result.recoveryMs.push(recoveryMs);
    log(
      `  ${round + 1} of ${rounds}: ${server.name} was killed, started within ${startMs} ms, and ${Math.round(recoveryMs)} ms later everything worked${last === "" ? "" : ` (before: ${last})`}`,
    );
  }
  await sleep(loadMs);
  await load.stop();

  const lost = await clients.lost();
  for (const [name, { rounds: killed, awayMs, recoveryMs }] of results) {
    if (killed === 0) continue;
    const [away, recovery] = [Math.max(0, ...awayMs), Math.max(...recoveryMs)];
    const others = awayMs.length > 0 ? `; without it, all others served after at most ${Math.round(away)} ms` : "";
    log(`  ${name}: killed ${killed} times, everything worked at most ${Math.round(recovery)} ms after its start${others}`);
    if (away > maxMs) problems.push(`without ${name}, not everything worked`);
    if (recovery > maxMs) problems.push(`not everything worked after ${name} was back`);
  }
  const succeeded = Object.entries(clients.succeeded).map(
    ([client, times]) => `${client} ${times.length} (median ${Math.round(times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0)} ms)`,
  );
  log(
    `  successful calls: ${succeeded.join(", ")}; ${clients.acknowledged} acknowledged writes, ${lost.length} lost${all.tables ? `; ${clients.interruptedExports} exports of tables say that the query server was away` : ""}`,
  );
  /** @type {Map<string, (typeof clients.failures)>} */
  const kinds = new Map();
  for (const failure of clients.failures) {
    const kind = `${failure.client}: ${failure.outcome} (${failure.at})`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), failure]);
  }
  for (const [kind, failures] of [...kinds].toSorted(([one], [other]) => one.localeCompare(other))) {
    log(`  ${String(failures.length).padStart(5)} × ${kind}${failures[0]?.isAllowed === true ? "" : `  ✗ ${failures[0]?.detail}`}`);
  }
  const unclear = clients.failures.filter(({ isAllowed }) => !isAllowed);
  if (unclear.length > 0) problems.push(`${unclear.length} calls failed without a clear error, or did not answer`);
  if (lost.length > 0) problems.push(`lost or wrong: ${lost.slice(0, 20).join("; ")}`);
  const ofTables = all.tables ? ["search of a table", "export of a table"] : [];
  for (const client of ["search", "export", "upload", "upload in parts", "sign-in", "save", ...ofTables]) {
    if ((clients.succeeded[client] ?? []).length < rounds) problems.push(`${client} hardly ever worked`);
  }
  return problems;
}

/**
 * Resolves with the time until one call of each kind has succeeded at every origin, and with what was the last to fail.
 * @param {readonly string[]} origins
 * @param {{ s3: boolean, tables: boolean }} needed
 * @returns {Promise<{ ms: number, last: string }>}
 */
async function untilServed(origins, needed) {
  const startedMs = performance.now();
  const [account = { username: "", password: "" }] = demoAccounts.users;
  let last = "";
  const serves = async (/** @type {string} */ origin) => {
    const body = { username: account.username, password: account.password };
    const { token } = await expectCall(origin, "POST", "/auth/login", { body, timeoutMs: probeMs });
    const options = { token: token.access_token, timeoutMs: probeMs };
    const tableSearch = { filters: tableDataset.filters, paging: { offset: 0, max: 1 } };
    const search = { filters: [{ name: "mag", operator: ">=", value: "5" }], paging: { offset: 0, max: 1 } };
    await Promise.all([
      expectCall(origin, "GET", "/profile", options),
      expectCall(origin, "GET", "/favorite/queries", options),
      expectCall(origin, "POST", "/datasets/Natural%20hazards/earthquakes/search", { ...options, body: search }),
      ...(needed.s3 ? [expectCall(origin, "GET", "/filesets/public-data/download?file=README.md", options)] : []),
      ...(needed.tables ? [expectCall(origin, "POST", `${tableDataset.path}/search`, { ...options, body: tableSearch })] : []),
    ]);
  };
  while (performance.now() - startedMs < maxMs) {
    const served = await Promise.all(
      origins.map((origin) =>
        serves(origin).then(
          () => true,
          (error) => {
            last = error.message;
            return false;
          },
        ),
      ),
    );
    if (served.every(Boolean)) return { ms: performance.now() - startedMs, last };
    await sleep(50);
  }
  return { ms: Infinity, last };
}
