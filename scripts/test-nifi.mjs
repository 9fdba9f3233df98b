// @ts-check
// Tests the client of NiFi and the deployments of flows with a real NiFi 1.18.0, which is downloaded by Maven if it is not
// installed. Needs Java 17 and unzip. Ends with `N passed, N failed`.
//   --record   also writes gateway/src/nifi/testing/nifi-1.18.0.json, with which the fake is compared
//   --serve    only starts NiFi, on port 8451 or --port=N, until it is interrupted
import { parseArgs } from "node:util";
import { log, runScenario, untilInterrupted } from "./harness/scenario.mjs";
import { installNifi, nifiFolder, startNifi } from "./lib/nifi.mjs";
import { runVitest } from "./lib/run-vitest.mjs";

const { values: options } = parseArgs({
  options: {
    record: { type: "boolean", default: false },
    serve: { type: "boolean", default: false },
    port: { type: "string", default: "8451" },
  },
});

await runScenario(async (outcomes) => {
  await installNifi(log);
  log(`Starting the NiFi in ${nifiFolder} …`);
  const { url, stop } = await startNifi(options.serve ? { port: Number(options.port) } : {});
  try {
    log(`NiFi is ready at ${url}`);
    if (options.serve) return await untilInterrupted();
    const env = { NIFI_URL: url, ...(options.record ? { FAIRWAY_RECORD_NIFI: "1" } : {}) };
    // A recording shows a NiFi that nobody else uses.
    const deployments = options.record ? [] : ["gateway/src/capabilities/flow-deployments/deployment-lifecycle.night.test.ts"];
    return outcomes.add(await runVitest(["gateway/src/nifi", ...deployments], env));
  } finally {
    await stop();
  }
});
