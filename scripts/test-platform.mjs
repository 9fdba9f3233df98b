// @ts-check
// `npm run test:platform`: runs the browser journeys against two gateways behind a balancer, on a PostgreSQL, an S3 server and a Trino
// of their own, which has the demo's datasets as tables. Ends with `N passed, N failed`. Decision 0541.
//   --journeys=login,…  runs only these journeys
//   --faults            kills the servers in turn under load instead, and reads back what they acknowledged
//   --rounds=N          so many times (default 25: each of the five servers five times)
//   --balancer=nginx    nginx, or haproxy, in front of the gateways; not with --faults
//   --serve             only starts the platform, until it is interrupted
//   --port=N            of the balancer (default: a free one)
import { parseArgs } from "node:util";
import { log, runScenario } from "./harness/scenario.mjs";
import { ensureBuilt } from "./lib/build.mjs";
import { Failure } from "./lib/failure.mjs";

const { values: options } = parseArgs({
  options: {
    journeys: { type: "string", default: "" },
    faults: { type: "boolean", default: false },
    balancer: { type: "string" },
    rounds: { type: "string", default: "25" },
    serve: { type: "boolean", default: false },
    port: { type: "string" },
  },
});

await runScenario(async (outcomes) => {
  // A proxy notices a kill only by its next check, so that calls may fail meanwhile.
  if (options.faults && options.balancer !== undefined) throw new Failure("--faults has a balancer of its own.");
  await ensureBuilt(log);
  // Can only be imported after the build.
  const { runPlatform } = await import("./platform/run.mjs");
  await runPlatform(outcomes, {
    log,
    serve: options.serve,
    proxy: options.balancer,
    journeys: options.journeys.split(",").filter((name) => name !== ""),
    ...(options.faults ? { faults: Number(options.rounds) } : {}),
    ...(options.port === undefined ? {} : { port: Number(options.port) }),
  });
});
