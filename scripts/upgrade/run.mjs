// @ts-check
// `npm run test:upgrade`: creates data with the previous release, starts this version on the same folder, and runs the release's
// web app and browser journeys against it. Then exchanges gateways of the release for this version one at a time, under load.
// Ends with `N passed, N failed`.
//   --data                 checks only the data after a stop, without a browser
//   --rolling              checks only the exchange of gateways
//   --from=r1              creates the data with this release, and upgrades it by way of each later one; checks only the data
//   --journeys=login,…     runs only these journeys
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { log, runScenario } from "../harness/scenario.mjs";
import { ensureBuilt } from "../lib/build.mjs";
import { checkout } from "../lib/checkout.mjs";
import { builtRelease, readReleases } from "../lib/release.mjs";
import { isInHistory, releasedCheckout } from "./lib/released-checkout.mjs";

const dataOnly = process.argv.includes("--data");
const rollingOnly = process.argv.includes("--rolling");
const from = process.argv.find((option) => option.startsWith("--from="))?.slice("--from=".length);
const only = process.argv
  .find((option) => option.startsWith("--journeys="))
  ?.slice("--journeys=".length)
  .split(",");

/** @typedef {{ release: import("../lib/release.mjs").Release, folder: string }} BuiltRelease */

/** The last release that differs from this version, or those from the wanted one on. */
async function previousReleases() {
  const present = await builtRelease();
  const earlier = (await readReleases()).filter(({ name }) => name !== present);
  return from === undefined ? earlier.slice(-1) : earlier.slice(earlier.findIndex(({ name }) => name === from));
}

/**
 * @param {readonly [BuiltRelease, ...BuiltRelease[]]} path the release that creates the data, and those that read it before this version
 * @param {import("../harness/scenario.mjs").Outcomes} outcomes
 */
async function upgradeFrom([{ release, folder }, ...between], outcomes) {
  // These modules can only be imported after the build.
  const [{ startPortal }, { createData, readAgain }, { checksOf, readChecksOf }, { openUpstream, upstreamKey }, { runReleasedJourneys }] =
    await Promise.all([
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
  const stops = (/** @type {string} */ name, /** @type {import("./lib/portal.mjs").Portal} */ portal) =>
    outcomes.check(`${name} stops`, async () => {
      const code = await portal.stop();
      if (code !== 0) throw new Error(`exit code ${code}`);
    });
  try {
    log(`Starting ${release.name} and creating data …`);
    const older = await startPortal(folder, "scripts/portal.mjs", variables);
    let created = await createData(older, home, { ...upstream, key: upstreamKey });
    await stops(release.name, older);
    for (const next of between) {
      log(`Starting ${next.release.name} on the same folder …`);
      const portal = await startPortal(next.folder, "scripts/portal.mjs", variables);
      for (const { name, run } of readChecksOf(portal, created)) await outcomes.check(`${next.release.name}: ${name}`, run);
      created = await readAgain(portal, created);
      await stops(next.release.name, portal);
    }
    log("Starting this version on the same folder …");
    const web = { FAIRWAY_UPGRADE_WEB: join(folder, "web/dist") };
    const portal = await startPortal(checkout, "scripts/upgrade/portal.mjs", { ...variables, ...web });
    for (const { name, run } of checksOf(portal, created)) await outcomes.check(name, run);
    if (!dataOnly && from === undefined) {
      log(`The journeys of ${release.name}, with its web app …`);
      outcomes.add(await runReleasedJourneys({ folder, port, home, ...(only === undefined ? {} : { only }) }));
    }
    await stops("this version", portal);
  } finally {
    upstream.close();
    await rm(home, { recursive: true, force: true });
  }
}

await runScenario(async (outcomes) => {
  await ensureBuilt(log);
  const releases = await previousReleases();
  const [first] = releases;
  const absent = releases.find((release) => !isInHistory(release));
  if (first === undefined || (from !== undefined && first.name !== from)) {
    outcomes.notRun.push(`docs/releases.tsv names no earlier release${from === undefined ? "" : ` ${from}`}`);
  } else if (absent !== undefined) outcomes.notRun.push(`this clone has no history back to ${absent.name} (${absent.commit})`);
  else {
    const start = { release: first, folder: await releasedCheckout(first, log) };
    /** @type {BuiltRelease[]} */
    const between = [];
    for (const release of releases.slice(1)) between.push({ release, folder: await releasedCheckout(release, log) });
    if (!rollingOnly) await upgradeFrom([start, ...between], outcomes);
    const check = outcomes.check.bind(outcomes);
    if (!dataOnly && from === undefined) await (await import("./lib/rolling.mjs")).rollingUpgrade({ ...start, check, log });
  }
});
