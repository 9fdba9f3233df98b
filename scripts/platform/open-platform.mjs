// @ts-check
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { demoAccounts } from "@fairway/demo/accounts";
import { serveCards } from "@fairway/demo/card-issuer";
import { demoPlatform } from "@fairway/demo/platform";
import { journeyLimits, journeySettings } from "../lib/journey-limits.mjs";
import { startBalancer } from "./balancer.mjs";
import { expectCall, signIn } from "../harness/calls.mjs";
import { Gateway } from "./gateway.mjs";
import { startPostgres } from "./postgres.mjs";
import { answers, freePort } from "../lib/processes.mjs";
import { startProxy } from "./proxies.mjs";
import { startQueryServer } from "./query-server.mjs";
import { serviceOf, startReceivers } from "./receivers.mjs";
import { startS3 } from "./s3-server.mjs";

const gatewayNames = ["A", "B"];

/** @typedef {Awaited<ReturnType<typeof openPlatform>>} RunningPlatform */

/**
 * Starts the demo as a platform of several servers: two gateways at the same moment, on one database and one folder, behind a
 * balancer, with one card issuer, a mail server, a receiver of traces, filesets on S3 if there is a program for it, and datasets as tables
 * of Trino if their files are given.
 * @param {{ log: (line: string) => void, port?: number, proxy?: string | undefined, s3Program: string | undefined, filesets?: readonly string[],
 *   lake?: string | undefined, tables?: readonly string[], variables?: Record<string, string> }} options
 * `port`: the balancer's; `proxy`: nginx or haproxy instead; `filesets`: whose files are on S3 (default: all); `lake`: the folder of the tables' files; `tables`: the
 * datasets that are tables (default: all)
 */
export async function openPlatform({ log, port, proxy, s3Program, filesets, lake, tables, variables = {} }) {
  const folder = await mkdtemp(join(tmpdir(), "fairway-platform-"));
  const home = join(folder, "home");
  /** Stops what has been started, the last first. @type {(() => Promise<unknown>)[]} */
  const stops = [() => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })];
  const stop = async () => {
    for (const stopOne of stops.splice(0).toReversed()) await stopOne();
  };
  try {
    const postgres = await startPostgres(join(folder, "postgres"));
    stops.push(() => postgres.stop());
    log(`${postgres.title} is ready.`);
    const s3 = s3Program === undefined ? undefined : await startS3(s3Program, join(folder, "s3"));
    if (s3) stops.push(() => s3.stop());
    const queryServer = lake === undefined ? undefined : await startQueryServer(lake);
    if (queryServer) {
      stops.push(() => queryServer.stop());
      log(`${queryServer.title} is ready at ${queryServer.url}.`);
    }
    const receivers = await startReceivers();
    stops.push(() => receivers.close());
    /** @type {Gateway[]} */
    const gateways = [];
    /** @type {Map<string, number>} */
    const gatewayPorts = new Map();
    for (const name of gatewayNames) gatewayPorts.set(name, await freePort());
    const balancer =
      proxy === undefined
        ? await startBalancer(() => gateways.filter(({ isReady }) => isReady).map((gateway) => gateway.port), { port: port ?? 0 })
        : await startProxy(proxy, {
            port: port ?? (await freePort()),
            gatewayPorts: [...gatewayPorts.values()],
            folder: join(folder, proxy),
          });
    stops.push(() => balancer.close());
    const origin = `http://127.0.0.1:${balancer.port}`;
    // Otherwise, each gateway of the demo starts an issuer of its own, which the other one does not know.
    const cards = await serveCards();
    stops.push(() => cards.close());
    cards.serve(origin);
    const settings = join(folder, "settings.json");
    await writeFile(settings, JSON.stringify({ ...journeySettings, cac: cards.settings }), { mode: 0o600 });
    for (const name of gatewayNames) {
      const gateway = new Gateway(name, gatewayPorts.get(name) ?? 0, join(folder, `gateway-${name}.log`), {
        FAIRWAY_HOME: home,
        DATABASE_URL: postgres.url,
        FAIRWAY_SETTINGS: settings,
        ...journeyLimits,
        ...s3?.variables,
        ...receivers.variables,
        OTEL_SERVICE_NAME: serviceOf(name),
        ...variables,
      });
      gateways.push(gateway);
      stops.push(() => gateway.stop());
    }
    await Promise.all(gateways.map((gateway) => gateway.start()));
    // A proxy notices a little later.
    while (!(await answers(`${origin}/api/health/ready`))) await sleep(200);
    log(`Two gateways are ready behind ${origin}.`);
    if (s3) {
      const wanted = demoPlatform.filesets.map(({ entity }) => entity).filter(({ id }) => filesets?.includes(id) ?? true);
      const files = await s3.fill(join(home, "files"), wanted);
      log(`${files} files of the demo's filesets are on versitygw at ${s3.url}.`);
    }
    await configure(origin, {
      ...(s3 && { s3URL: s3.url, s3Region: s3.region }),
      ...(queryServer && { prestoURL: queryServer.url, prestoSource: "fairway" }),
    });
    const moved = queryServer === undefined ? [] : await useTables(origin, queryServer.tables, tables);
    if (queryServer) log(`${moved.join(", ")} are tables of ${queryServer.title}.`);
    return { origin, folder, home, postgres, s3, queryServer, tables: moved, receivers, gateways, balancer, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Enables a configuration, as an administrator would.
 * @param {string} origin
 * @param {Record<string, string>} fields
 */
async function configure(origin, fields) {
  if (Object.keys(fields).length === 0) return;
  const token = await administratorToken(origin);
  await expectCall(origin, "POST", "/admin/config", { token, body: { name: "platform", enabled: true, ...fields } });
}

/**
 * Lets datasets of the demo read from tables in place of their files, as an administrator would.
 * @param {string} origin
 * @param {ReadonlyMap<string, string>} tableOf
 * @param {readonly string[] | undefined} wanted
 * @returns {Promise<string[]>} their ids
 */
async function useTables(origin, tableOf, wanted) {
  const token = await administratorToken(origin);
  /** @type {string[]} */
  const moved = [];
  for (const dataset of await expectCall(origin, "GET", "/admin/datasets/internal", { token })) {
    const name = tableOf.get(dataset.id);
    if (name === undefined || wanted?.includes(dataset.id) === false) continue;
    await expectCall(origin, "PUT", "/admin/datasets/internal", { token, body: { ...dataset, source: { kind: "table", name } } });
    moved.push(dataset.id);
  }
  return moved;
}

/** @param {string} origin */
function administratorToken(origin) {
  const [administrator = { username: "", password: "" }] = demoAccounts.users;
  return signIn(origin, administrator.username, administrator.password);
}
