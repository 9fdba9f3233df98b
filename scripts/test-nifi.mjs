// @ts-check
// Tests the client of NiFi and the deployments of flows with a real NiFi 1.18.0, which is downloaded by Maven if it is not installed. Needs Java 17 and unzip.
//   --record   also writes gateway/src/nifi/testing/nifi-1.18.0.json, with which the fake is compared
//   --serve    only starts NiFi, on port 8451 or --port=N, until it is interrupted
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { checkout } from "./lib/checkout.mjs";
import { Failure } from "./lib/failure.mjs";
import { installNifi, nifiFolder, startNifi } from "./lib/nifi.mjs";

const { values: options } = parseArgs({
  options: {
    record: { type: "boolean", default: false },
    serve: { type: "boolean", default: false },
    port: { type: "string", default: "8451" },
  },
});

try {
  await installNifi(console.log);
  console.log(`Starting the NiFi in ${nifiFolder} …`);
  const nifi = await startNifi(options.serve ? { port: Number(options.port) } : {});
  try {
    console.log(`NiFi is ready at ${nifi.url}`);
    if (options.serve) await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
    else process.exitCode = await runTests(nifi.url);
  } finally {
    await nifi.stop();
  }
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

/** @param {string} url */
async function runTests(url) {
  const env = { ...process.env, NIFI_URL: url, ...(options.record ? { FAIRWAY_RECORD_NIFI: "1" } : {}) };
  const vitest = join(checkout, "node_modules", ".bin", "vitest");
  // A recording shows a NiFi that nobody else uses.
  const tests = ["gateway/src/nifi", ...(options.record ? [] : ["gateway/src/capabilities/flow-deployments/deployment-lifecycle.test.ts"])];
  const [code] = await once(spawn(vitest, ["run", ...tests], { cwd: checkout, env, stdio: "inherit" }), "close");
  return code ?? 1;
}
