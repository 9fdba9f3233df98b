// @ts-check
// Tests the client of NiFi and the deployments of flows with a real NiFi 1.18.0, which is downloaded by Maven if it is not installed. Needs Java 17 and unzip.
// Ends with `N passed, N failed`.
//   --record   also writes gateway/src/nifi/testing/nifi-1.18.0.json, with which the fake is compared
//   --serve    only starts NiFi, on port 8451 or --port=N, until it is interrupted
import { once } from "node:events";
import { parseArgs } from "node:util";
import { Failure } from "./lib/failure.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { installNifi, nifiFolder, startNifi } from "./lib/nifi.mjs";
import { runVitest } from "./lib/run-vitest.mjs";

const { values: options } = parseArgs({
  options: {
    record: { type: "boolean", default: false },
    serve: { type: "boolean", default: false },
    port: { type: "string", default: "8451" },
  },
});

let total = { passed: 0, failed: 0 };
try {
  await ensureInstalled(console.log, { forTests: true });
  await installNifi(console.log);
  console.log(`Starting the NiFi in ${nifiFolder} …`);
  const nifi = await startNifi(options.serve ? { port: Number(options.port) } : {});
  try {
    console.log(`NiFi is ready at ${nifi.url}`);
    if (options.serve) await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
    else total = await runTests(nifi.url);
  } finally {
    await nifi.stop();
  }
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.error(error.message);
  total = { passed: 0, failed: 1 };
}
if (!options.serve) console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;

/** @param {string} url */
function runTests(url) {
  const env = { NIFI_URL: url, ...(options.record ? { FAIRWAY_RECORD_NIFI: "1" } : {}) };
  // A recording shows a NiFi that nobody else uses.
  const tests = [
    "gateway/src/nifi",
    ...(options.record ? [] : ["gateway/src/capabilities/flow-deployments/deployment-lifecycle.night.test.ts"]),
  ];
  return runVitest(tests, env);
}
