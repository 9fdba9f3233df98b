// @ts-check
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { journeyFiles, runJourneys } from "../harness/journeys.mjs";
import { untilInterrupted } from "../harness/scenario.mjs";
import { checkout } from "../lib/checkout.mjs";
import { checkDemo } from "./demo-check.mjs";
import { killServers, limitsOfFaults, tablesOfFaults } from "./faults.mjs";
import { openPlatform } from "./open-platform.mjs";
import { installQueryServer } from "./query-server.mjs";
import { sharedStateChecks } from "./shared-state.mjs";
import { installS3 } from "./s3-server.mjs";

/** Of one journey. Two gateways and their servers share the machine, and the time only matters for failures. */
const journeyMs = 360_000;
const expectMs = 60_000;

/**
 * Starts the platform and tests it.
 * @param {import("../harness/scenario.mjs").Outcomes} outcomes
 * @param {{ log: (line: string) => void, serve: boolean, journeys: readonly string[], faults?: number, port?: number, proxy?: string | undefined }} options
 * `faults`: kills servers so many times instead of running journeys
 */
export async function runPlatform(outcomes, { log, serve, journeys, faults, port, proxy }) {
  /** @param {import("./open-platform.mjs").RunningPlatform} platform */
  const runAllJourneys = async ({ balancer, home, postgres }) => {
    for (const [name, file] of journeyFiles(checkout)) {
      if ((await readFile(file, "utf8")).includes("startProductionPortal("))
        log(`  ${name} starts a portal of its own, as it does in other runs.`);
    }
    const where = { port: balancer.port, home, databaseUrl: postgres.url };
    const counted = await runJourneys(checkout, { names: journeys, ...where, expectMs, args: [`--timeout=${journeyMs}`] });
    outcomes.add(counted);
    if (counted.flaky > 0) log(`  ${counted.flaky} journeys passed only when they were repeated.`);
  };

  const s3Program = await installS3(log);
  if (s3Program === undefined) outcomes.notRun.push("filesets on S3 (neither versitygw nor Go to build it is installed)");
  const lake = await installQueryServer(log).catch((error) => {
    outcomes.notRun.push(`datasets as tables of Trino (${error instanceof Error ? error.message : error})`);
    return undefined;
  });
  const ofFaults = faults === undefined ? {} : { variables: limitsOfFaults, filesets: ["public-data"], tables: tablesOfFaults };
  const platform = await openPlatform({ log, s3Program, lake, proxy, ...ofFaults, ...(port === undefined ? {} : { port }) });
  try {
    if (serve) {
      await untilInterrupted();
      return;
    }
    const { gateways, balancer } = platform;
    await outcomes.check("the demo was built once and is served by both gateways", () => checkDemo(platform));
    for (const [name, run] of await sharedStateChecks(platform)) await outcomes.check(name, run);
    if (faults === undefined) await runAllJourneys(platform);
    else {
      await outcomes.check(`servers that are killed ${faults} times lose and disturb nothing`, async () => {
        const problems = await killServers(platform, { rounds: faults, log });
        if (problems.length === 0) return;
        const lines = (await readFile(join(platform.home, "logs/fairway.log"), "utf8")).split("\n");
        // Exports that failed for a reason that nobody expected have the error in the log alone.
        const failures = lines.filter((line) => line.includes('"export failed"') && line.includes("Something went wrong"));
        throw new Error([...problems, ...failures.slice(-5)].join("\n"));
      });
    }
    await outcomes.check("both gateways took part", async () => {
      const accepted = await balancer.accepted();
      const what = proxy === undefined ? "connections" : `requests of ${proxy}`;
      const counts = gateways.map(({ name, port: gatewayPort }) => `${name} accepted ${accepted.get(gatewayPort) ?? 0} ${what}`);
      log(`  ${counts.join(", ")}`);
      if (accepted.size < gateways.length) throw new Error(counts.join(", "));
    });
    for (const gateway of gateways) {
      await outcomes.check(`gateway ${gateway.name} stops`, async () => {
        const code = await gateway.stop();
        if (code !== 0) throw new Error(`exit code ${code}`);
      });
    }
  } finally {
    await platform.stop();
  }
}
