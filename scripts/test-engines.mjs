// @ts-check
// Tests the engine, its client and access rules with a real Trino 476 and a real Presto 0.287, one after the other. Downloads them by
// Maven and writes a table of 20 million rows if they are not there. Ends with `N passed, N failed`.
//   --only=trino   one of the servers
//   --part=faults  only the tests of a server that is killed; --part=suites: all others
//   --record       also writes the recordings in gateway/src/query/presto/testing/, with which the fake is compared
//   --serve        only starts the servers, on the ports 8461 and 8462, until it is interrupted
//   --folder=PATH  keeps their lakes and logs below a folder
import { createServer } from "node:http";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { listen } from "./lib/processes.mjs";
import { log, runScenario, untilInterrupted } from "./harness/scenario.mjs";
import { ensureServerBuilt } from "./lib/build.mjs";
import { Failure } from "./lib/failure.mjs";
import { runVitest } from "./lib/run-vitest.mjs";
import { installSqlServer, serverNames, startSqlServer } from "./lib/sql-servers.mjs";

/** @typedef {import("./lib/sql-servers.mjs").RunningServer} RunningServer */

const ports = { trino: 8461, presto: 8462 };
/** Relative to the lake. */
const lakeFolder = "fairway";
const parts = /** @type {const} */ (["suites", "faults"]);
const { values: options } = parseArgs({
  options: {
    only: { type: "string" },
    part: { type: "string" },
    record: { type: "boolean", default: false },
    serve: { type: "boolean", default: false },
    folder: { type: "string" },
  },
});

await runScenario(async (outcomes) => {
  const names = serverNames.filter((name) => options.only === undefined || options.only === name);
  if (names.length === 0) throw new Failure(`--only takes ${serverNames.join(" or ")}.`);
  const wantedParts = parts.filter((part) => options.part === undefined || options.part === part);
  if (wantedParts.length === 0) throw new Failure(`--part takes ${parts.join(" or ")}.`);
  await ensureServerBuilt(log);
  for (const name of names) await installSqlServer(name, log);
  // Can only be imported after the build.
  const { linkFiles, sqlLake } = await import("./lib/sql-lake.mjs");
  const files = await sqlLake(log);
  /** @type {Set<RunningServer>} */
  const running = new Set();
  try {
    // One at a time: each takes up to 3 GB of memory and, while it starts, both cores of a small machine.
    for (const name of names) {
      const server = await started(name);
      running.add(server);
      await linkFiles(files, join(server.lake, lakeFolder));
      if (options.serve) continue;
      // A failure does not hide those of the parts after it.
      for (const part of wantedParts) outcomes.add(await (part === "faults" ? runFaults(server) : runSuites(server, files)));
      await server.stop();
      running.delete(server);
    }
    if (options.serve) await untilInterrupted();
  } finally {
    await Promise.all([...running].map((server) => server.stop()));
  }
});

/** @param {import("./lib/sql-servers.mjs").ServerName} name */
async function started(name) {
  log(`Starting ${name} …`);
  const startedMs = Date.now();
  const folder = options.folder === undefined ? undefined : join(options.folder, name);
  const server = await startSqlServer(name, { ...(options.serve && { port: ports[name] }), ...(folder && { folder }) });
  const { secure } = server;
  if (options.serve && secure !== undefined) log(`Over HTTPS with sign-in: TRINO_SECURE='${JSON.stringify(secure)}'`);
  log(`${server.title} is ready at ${server.url} after ${Math.round((Date.now() - startedMs) / 1_000)} s`);
  return server;
}

/**
 * @param {RunningServer} server
 * @param {string} files
 */
function runSuites({ name, url, locationRoot, secure }, files) {
  const prefix = name.toUpperCase();
  const tests = ["gateway/src/query/presto/", "gateway/src/portal/twins.test.ts"];
  return runTests(tests, {
    [`${prefix}_URL`]: url,
    [`${prefix}_LAKE_FILES`]: files,
    [`${prefix}_LAKE_LOCATION`]: `${locationRoot}/${lakeFolder}`,
    ...(secure && { [`${prefix}_SECURE`]: JSON.stringify(secure) }),
    ...(options.record && { FAIRWAY_RECORD_SQL_SERVERS: "1" }),
  });
}

/** @param {RunningServer} server */
async function runFaults({ name, url, ...server }) {
  const requests = /** @type {const} */ (["kill", "start", "pause", "resume"]);
  const control = createServer((request, response) => {
    const wanted = requests.find((one) => request.url === `/${one}`);
    const work = wanted === undefined ? Promise.reject(new Failure("There is no such request.")) : server[wanted]();
    work.then(
      () => response.end(),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  try {
    const env = { FAULTS_SERVER: name, FAULTS_URL: url, FAULTS_CONTROL: `http://127.0.0.1:${await listen(control)}` };
    return await runTests(["gateway/src/query/presto/configured-engine.test.ts"], env, ["--testNamePattern", "that is killed"]);
  } finally {
    control.close();
  }
}

/**
 * One file after another, so that none waits for the only server. Each test is named as it ends: all of them take long.
 * @param {readonly string[]} files
 * @param {NodeJS.ProcessEnv} env
 * @param {readonly string[]} args
 */
function runTests(files, env, args = []) {
  return runVitest(["--project=gateway", ...files, "--no-file-parallelism", ...args], env);
}
