// @ts-check
import { checkDemo } from "./demo-check.mjs";
import { killServers, limitsOfFaults, tablesOfFaults } from "./faults.mjs";
import { journeysOfOwnPortals, runJourneys } from "./journeys.mjs";
import { openPlatform } from "./open-platform.mjs";
import { installQueryServer } from "./query-server.mjs";
import { sharedStateChecks } from "./shared-state.mjs";
import { installS3 } from "./s3-server.mjs";

/**
 * Starts the platform and tests it.
 * @param {{ log: (line: string) => void, serve: boolean, journeys: readonly string[], faults?: number, port?: number }} options
 * `faults`: kills servers so many times instead of running journeys
 * @returns {Promise<number>} how many tests failed
 */
export async function runPlatform({ log, serve, journeys, faults, port }) {
  const total = { passed: 0, failed: 0 };
  /** @type {string[]} */
  const notRun = [];

  /**
   * @param {string} name
   * @param {() => Promise<void>} work
   */
  const check = async (name, work) => {
    try {
      await work();
      total.passed += 1;
      log(`✓ ${name}`);
    } catch (error) {
      total.failed += 1;
      log(`✗ ${name}\n${error instanceof Error ? error.message : String(error)}`);
    }
  };

  /** @param {import("./open-platform.mjs").RunningPlatform} platform */
  const runAllJourneys = async (platform) => {
    for (const name of await journeysOfOwnPortals()) log(`  ${name} starts a portal of its own, as it does in other runs.`);
    const { passed, failed, flaky } = await runJourneys(platform, journeys);
    total.passed += passed;
    total.failed += failed;
    if (flaky > 0) log(`  ${flaky} journeys passed only when they were repeated.`);
  };

  const s3Program = await installS3(log);
  if (s3Program === undefined) notRun.push("filesets on S3 (neither versitygw nor Go to build it is installed)");
  const lake = await installQueryServer(log).catch((error) => {
    notRun.push(`datasets as tables of Trino (${error instanceof Error ? error.message : error})`);
    return undefined;
  });
  const ofFaults = faults === undefined ? {} : { variables: limitsOfFaults, filesets: ["public-data"], tables: tablesOfFaults };
  const platform = await openPlatform({ log, s3Program, lake, ...ofFaults, ...(port === undefined ? {} : { port }) });
  try {
    // Until it is interrupted.
    if (serve) await new Promise(() => undefined);
    const { gateways, balancer } = platform;
    await check("the demo was built once and is served by both gateways", () => checkDemo(platform));
    for (const [name, run] of await sharedStateChecks(platform)) await check(name, run);
    if (faults === undefined) await runAllJourneys(platform);
    else {
      await check(`servers that are killed ${faults} times lose and disturb nothing`, async () => {
        const problems = await killServers(platform, { rounds: faults, log });
        if (problems.length > 0) throw new Error(problems.join("\n"));
      });
    }
    await check("both gateways took part", async () => {
      const counts = gateways.map(
        ({ name, port: gatewayPort }) => `${name} accepted ${balancer.accepted.get(gatewayPort) ?? 0} connections`,
      );
      log(`  ${counts.join(", ")}`);
      if (balancer.accepted.size < gateways.length) throw new Error(counts.join(", "));
    });
    for (const gateway of gateways) {
      await check(`gateway ${gateway.name} stops`, async () => {
        const code = await gateway.stop();
        if (code !== 0) throw new Error(`exit code ${code}`);
      });
    }
  } finally {
    await platform.stop();
  }
  for (const what of notRun) log(`not run: ${what}`);
  log(`\n${total.passed} passed, ${total.failed} failed`);
  return total.failed;
}
