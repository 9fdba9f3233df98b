// @ts-check
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres } from "@fairway/gateway/database/embedded-postgres";
import { checkout } from "../../lib/checkout.mjs";
import { checksOf, readChecksOf } from "./checks.mjs";
import { isOfLoad, startLoad } from "./load.mjs";
import { mixedChecksOf } from "./mixed-checks.mjs";
import { checkNewerPages, checkOlderPages, checkSharedFiles } from "./page-checks.mjs";
import { createData, readAgain } from "./platform-data.mjs";
import { startPortal } from "./portal.mjs";
import { Rotation } from "./rotation.mjs";
import { openUpstream, upstreamKey } from "./upstream.mjs";

/** @typedef {import("./portal.mjs").Portal} Portal */

/** A busy machine is slow, but must not make calls fail. */
const patience = { LIMIT_DATABASE_CONNECT_MS: "60000", LIMIT_DATABASE_STATEMENT_MS: "60000", LIMIT_ENGINE_WAIT_MS: "60000" };
const generous = Object.fromEntries(
  [
    "LIMIT_LOGIN_ATTEMPTS_PER_MINUTE",
    "LIMIT_LOGIN_FAILURES_PER_MINUTE",
    "LIMIT_REFRESHES_PER_MINUTE",
    "LIMIT_USER_CALLS_PER_MINUTE",
    "LIMIT_FEEDBACK_FILES_WAITING",
    "LIMIT_FEEDBACK_PER_HOUR",
  ].map((name) => [name, "1000000"]),
);

/**
 * Exchanges the gateways of a release for this version one at a time, while users work through those that serve.
 * @param {object} options
 * @param {import("../../lib/release.mjs").Release} options.release
 * @param {string} options.folder of the release
 * @param {(name: string, work: () => Promise<void>) => Promise<void>} options.check
 * @param {(line: string) => void} options.log
 */
export async function rollingUpgrade({ release, folder, check, log }) {
  const home = await mkdtemp(join(tmpdir(), "fairway-rolling-"));
  const silent = { info() {}, warn() {}, error() {}, debug() {}, fatal() {}, trace() {} };
  const database = await startEmbeddedPostgres({
    folder: join(home, "outside"),
    log: /** @type {Parameters<typeof startEmbeddedPostgres>[0]["log"]} */ (/** @type {unknown} */ (silent)),
    settings: { max_connections: "150" },
  });
  const upstream = await openUpstream();
  const variables = {
    ...generous,
    ...patience,
    FAIRWAY_HOME: join(home, "shared"),
    DATABASE_URL: database.url,
    FAIRWAY_UPSTREAM_ADDRESSES: "127.0.0.0/8",
    // Of scripts/upgrade/portal.mjs only.
    FAIRWAY_UPGRADE_WEB: join(folder, "web/dist"),
    PORT: "0",
    LOG_LEVEL: "error",
  };
  /** @type {Set<Portal>} */
  const running = new Set();
  const start = async (/** @type {string} */ cwd, /** @type {string} */ name, args = ["--production"], program = "scripts/portal.mjs") => {
    const portal = await startPortal(cwd, program, variables, { name, args });
    running.add(portal);
    return portal;
  };
  const startOlder = (name = release.name, args = ["--production"]) => start(folder, name, args);
  const stop = async (/** @type {Portal} */ portal) => {
    const code = await portal.stop();
    running.delete(portal);
    if (code !== 0) throw new Error(`exit code ${code}`);
  };
  const allReads = (
    /** @type {string} */ title,
    /** @type {Portal} */ portal,
    /** @type {import("./platform-data.mjs").CreatedData} */ created,
  ) =>
    check(`${title} returns what was there before`, async () => {
      for (const { name, run } of readChecksOf(portal, created)) {
        await run().catch((error) => Promise.reject(new Error(`${name}: ${error.message}`, { cause: error })));
      }
    });
  /** @param {string} title @param {import("./checks.mjs").Check[]} checks */
  const each = async (title, checks) => {
    for (const { name, run } of checks) await check(`${title}: ${name}`, run);
  };
  try {
    log(`Starting ${release.name} on an outside database and creating data …`);
    const demo = await startOlder(release.name, []);
    const written = await createData(demo, variables.FAIRWAY_HOME, { ...upstream, key: upstreamKey });
    await stop(demo);
    let older = await startOlder();
    const created = await readAgain(older, written);
    const rotation = new Rotation();
    rotation.add(older);
    const load = startLoad(rotation);
    const noLoss = (/** @type {string} */ when) =>
      check(`no call failed while ${when}`, () => load.report().then((done) => log(`  ${done}`)));

    log("Starting this version beside it, which migrates the database, and restarting an older gateway meanwhile …");
    const [newer, second] = await Promise.all([start(checkout, "this version"), startOlder(`a second ${release.name}`)]);
    await noLoss(`this version migrated the database beside ${release.name}`);
    await allReads("this version", newer, created);
    await allReads(release.name, older, created);
    await allReads(`the ${release.name} that started during the migration`, second, created);
    await check(`the ${release.name} that started during the migration stops`, () => stop(second));

    rotation.add(newer);
    log(`Restarting ${release.name} on the migrated database …`);
    await rotation.remove(older);
    await check(`${release.name} stops beside this version`, () => stop(older));
    older = await startOlder();
    await allReads(`${release.name}, restarted,`, older, created);
    rotation.add(older);

    log("Both serve …");
    await each("both serve", mixedChecksOf(older, newer, older, created));
    await each("both serve", mixedChecksOf(newer, older, older, created));
    await check(`the web app of ${release.name} works with this version`, () => checkOlderPages({ older, newer }));
    await check(`the web app of this version works with ${release.name}`, () => checkNewerPages({ older, newer }));
    await noLoss(`${release.name} restarted and both served`);

    const last = withoutLoad(await readAgain(older, created));
    log(`Ending ${release.name} …`);
    await rotation.remove(older);
    await check(`${release.name} ends`, () => stop(older));
    await noLoss("this version served alone");
    await load.stop();
    await each("this version alone", checksOf(newer, last));
    const other = await start(checkout, "this version with another web app", ["--production"], "scripts/upgrade/portal.mjs");
    await check("pages of two versions load without affinity", () => checkSharedFiles(newer, other));
    for (const portal of [other, newer]) await check(`${portal.name} stops`, () => stop(portal));
  } finally {
    await Promise.all([...running].map((portal) => portal.stop()));
    upstream.close();
    await database.stop();
    await rm(home, { recursive: true, force: true });
  }
}

/**
 * Without what the load has just created and is about to delete.
 * @param {import("./platform-data.mjs").CreatedData} created
 */
const withoutLoad = (created) => ({
  ...created,
  reads: created.reads.map((read) =>
    read.path === "/admin/docs" ? { ...read, answer: read.answer.filter((/** @type {{ id: string }} */ { id }) => !isOfLoad(id)) } : read,
  ),
});
