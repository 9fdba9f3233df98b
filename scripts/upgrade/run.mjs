// @ts-check
// `npm run test:upgrade`: creates data with the previous release, starts this version on the same folder, and runs the release's
// web app and browser journeys against it. Then exchanges gateways of the release for this version one at a time, under load.
// Ends with `N passed, N failed`.
//   --data                 checks only the data after a stop, without a browser
//   --rolling              checks only the exchange of gateways
//   --journeys=login,…     runs only these journeys
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBuilt } from "../lib/build.mjs";
import { checkout } from "../lib/checkout.mjs";
import { Failure } from "../lib/failure.mjs";
import { ensureInstalled } from "../lib/install.mjs";
import { builtRelease, readReleases } from "../lib/release.mjs";
import { isInHistory, releasedCheckout } from "./lib/released-checkout.mjs";

const total = { passed: 0, failed: 0 };
const dataOnly = process.argv.includes("--data");
const rollingOnly = process.argv.includes("--rolling");
const only = process.argv
  .find((option) => option.startsWith("--journeys="))
  ?.slice("--journeys=".length)
  .split(",");
const log = (/** @type {string} */ line) => console.log(line);
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) process.once(signal, () => process.exit(1));

/** The last release that differs from this version. */
async function previousRelease() {
  const present = await builtRelease();
  return (await readReleases()).findLast(({ name }) => name !== present);
}

/**
 * @param {string} name
 * @param {() => Promise<void>} work
 */
async function check(name, work) {
  try {
    await work();
    total.passed += 1;
    log(`✓ ${name}`);
  } catch (error) {
    total.failed += 1;
    log(`✗ ${name}\n${error instanceof Error ? error.message : String(error)}`);
  }
}

/**
 * @param {import("../lib/release.mjs").Release} release
 * @param {string} folder
 */
async function upgradeFrom(release, folder) {
  // These modules can only be imported after the build.
  const [{ startPortal }, { createData }, { checksOf }, { openUpstream, upstreamKey }, { runJourneys }] = await Promise.all([
    import("./lib/portal.mjs"),
    import("./lib/platform-data.mjs"),
    import("./lib/checks.mjs"),
    import("./lib/upstream.mjs"),
    import("./lib/journeys.mjs"),
  ]);
  const home = await mkdtemp(join(tmpdir(), "fairway-upgrade-"));
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const variables = {
    FAIRWAY_HOME: home,
    PORT: String(port),
    // Journeys sign in often, from one address.
    LIMIT_LOGIN_ATTEMPTS_PER_MINUTE: "10000",
    LIMIT_LOGIN_FAILURES_PER_MINUTE: "10000",
    LIMIT_REFRESHES_PER_MINUTE: "10000",
  };
  const upstream = await openUpstream();
  try {
    log(`Starting ${release.name} and creating data …`);
    const older = await startPortal(folder, "scripts/portal.mjs", variables);
    const created = await createData(older, home, { ...upstream, key: upstreamKey });
    await check(`${release.name} stops`, async () => {
      const code = await older.stop();
      if (code !== 0) throw new Error(`exit code ${code}`);
    });
    log("Starting this version on the same folder …");
    const web = { FAIRWAY_UPGRADE_WEB: join(folder, "web/dist") };
    const portal = await startPortal(checkout, "scripts/upgrade/portal.mjs", { ...variables, ...web });
    for (const { name, run } of checksOf(portal, created)) await check(name, run);
    if (!dataOnly) {
      log(`The journeys of ${release.name}, with its web app …`);
      const journeys = await runJourneys({ folder, port, home, ...(only === undefined ? {} : { only }) });
      total.passed += journeys.passed;
      total.failed += journeys.failed;
    }
    await check("this version stops", async () => {
      const code = await portal.stop();
      if (code !== 0) throw new Error(`exit code ${code}`);
    });
  } finally {
    upstream.close();
    await rm(home, { recursive: true, force: true });
  }
}

try {
  await ensureInstalled(log, { forTests: true });
  await ensureBuilt(log);
  const release = await previousRelease();
  if (release === undefined) log("not run: docs/releases.tsv names no earlier release");
  else if (!isInHistory(release)) log(`not run: this clone has no history back to ${release.name} (${release.commit})`);
  else {
    const folder = await releasedCheckout(release, log);
    if (!rollingOnly) await upgradeFrom(release, folder);
    if (!dataOnly) await (await import("./lib/rolling.mjs")).rollingUpgrade({ release, folder, check, log });
  }
} catch (error) {
  total.failed += 1;
  console.error(error instanceof Failure ? error.message : error);
}
log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);
