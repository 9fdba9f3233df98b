// @ts-check
// `npm run test:platform`: runs the browser journeys against two gateways behind a balancer, on a PostgreSQL of their own.
// Ends with `N passed, N failed`. Decision 0541.
//   --journeys=login,…  runs only these journeys
//   --serve             only starts the platform, until it is interrupted
//   --port=N            of the balancer (default: a free one)
import { once } from "node:events";
import { parseArgs } from "node:util";
import { ensureBuilt } from "./lib/build.mjs";
import { Failure } from "./lib/failure.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { journeysOfOwnPortals, runJourneys } from "./platform/journeys.mjs";

const { values: options } = parseArgs({
  options: {
    journeys: { type: "string", default: "" },
    serve: { type: "boolean", default: false },
    port: { type: "string" },
  },
});
const journeyNames = options.journeys.split(",").filter((name) => name !== "");
const total = { passed: 0, failed: 0 };
const log = (/** @type {string} */ line) => console.log(line);
const interrupted = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);

try {
  await ensureInstalled(log);
  await ensureBuilt(log);
  // These modules can only be imported after the build.
  const [{ openPlatform }, { checkDemo }] = await Promise.all([
    import("./platform/open-platform.mjs"),
    import("./platform/demo-check.mjs"),
  ]);
  const platform = await openPlatform({ log, ...(options.port === undefined ? {} : { port: Number(options.port) }) });
  try {
    const work = options.serve ? interrupted : test(platform, checkDemo);
    await Promise.race([work, interrupted]);
  } finally {
    await platform.stop();
  }
} catch (error) {
  total.failed += 1;
  console.error(error instanceof Failure ? error.message : error);
}
/**
 * @param {import("./platform/open-platform.mjs").RunningPlatform} platform
 * @param {typeof import("./platform/demo-check.mjs").checkDemo} checkDemo
 */
async function test(platform, checkDemo) {
  const { gateways, balancer } = platform;
  await check("the demo was built once and is served by both gateways", () => checkDemo(platform));
  for (const name of await journeysOfOwnPortals()) log(`  ${name} starts a portal of its own, as it does in other runs.`);
  const journeys = await runJourneys(platform, journeyNames);
  total.passed += journeys.passed;
  total.failed += journeys.failed;
  await check("both gateways took part", async () => {
    const counts = gateways.map(({ name, port }) => `${name} accepted ${balancer.accepted.get(port) ?? 0} connections`);
    log(`  ${counts.join(", ")}`);
    if (gateways.some(({ port }) => !balancer.accepted.has(port))) throw new Error(counts.join(", "));
  });
  for (const gateway of gateways) {
    await check(`gateway ${gateway.name} stops`, async () => {
      const code = await gateway.stop();
      if (code !== 0) throw new Error(`exit code ${code}: ${gateway.logFile}`);
    });
  }
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

log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);
