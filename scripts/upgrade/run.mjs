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
import { log, runScenario } from "../harness/scenario.mjs";
import { ensureBuilt } from "../lib/build.mjs";
import { checkout } from "../lib/checkout.mjs";
import { builtRelease, readReleases } from "../lib/release.mjs";
import { isInHistory, releasedCheckout } from "./lib/released-checkout.mjs";

const dataOnly = process.argv.includes("--data");
const rollingOnly = process.argv.includes("--rolling");
const only = process.argv
  .find((option) => option.startsWith("--journeys="))
  ?.slice("--journeys=".length)
  .split(",");

/** The last release that differs from this version. */
async function previousRelease() {
  const present = await builtRelease();
  return (await readReleases()).findLast(({ name }) => name !== present);
}

/**
 * @param {import("../lib/release.mjs").Release} release
 * @param {string} folder
 * @param {import("../harness/scenario.mjs").Outcomes} outcomes
 */
async function upgradeFrom(release, folder, outcomes) {
  // These modules can only be imported after the build.
  const [{ startPortal }, { createData }, { checksOf }, { openUpstream, upstreamKey }, { runReleasedJourneys }] = await Promise.all([
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
    await outcomes.check(`${release.name} stops`, async () => {
      const code = await older.stop();
      if (code !== 0) throw new Error(`exit code ${code}`);
    });
    log("Starting this version on the same folder …");
    const web = { FAIRWAY_UPGRADE_WEB: join(folder, "web/dist") };
    const portal = await startPortal(checkout, "scripts/upgrade/portal.mjs", { ...variables, ...web });
    for (const { name, run } of checksOf(portal, created)) await outcomes.check(name, run);
    if (!dataOnly) {
      log(`The journeys of ${release.name}, with its web app …`);
      outcomes.add(await runReleasedJourneys({ folder, port, home, ...(only === undefined ? {} : { only }) }));
    }
    await outcomes.check("this version stops", async () => {
      const code = await portal.stop();
      if (code !== 0) throw new Error(`exit code ${code}`);
    });
  } finally {
    upstream.close();
    await rm(home, { recursive: true, force: true });
  }
}

await runScenario(async (outcomes) => {
  await ensureBuilt(log);
  const release = await previousRelease();
  if (release === undefined) outcomes.notRun.push("docs/releases.tsv names no earlier release");
  else if (!isInHistory(release)) outcomes.notRun.push(`this clone has no history back to ${release.name} (${release.commit})`);
  else {
    const folder = await releasedCheckout(release, log);
    if (!rollingOnly) await upgradeFrom(release, folder, outcomes);
    const check = outcomes.check.bind(outcomes);
    if (!dataOnly) await (await import("./lib/rolling.mjs")).rollingUpgrade({ release, folder, check, log });
  }
});
