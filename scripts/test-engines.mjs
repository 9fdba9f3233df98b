// @ts-check
// Tests the engine and its client with a real Trino 476 and a real Presto 0.287, which are downloaded by Maven if they are not installed.
//   --only=trino   one of the servers
//   --record       also writes the recordings in gateway/src/query/presto/testing/, with which the fake is compared
//   --serve        only starts the servers, on the ports 8461 and 8462, until it is interrupted
//   --folder=PATH  keeps their lakes and logs below a folder
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { checkout } from "./lib/checkout.mjs";
import { Failure } from "./lib/failure.mjs";
import { installSqlServer, serverNames, startSqlServer } from "./lib/sql-servers.mjs";

const ports = { trino: 8461, presto: 8462 };
const { values: options } = parseArgs({
  options: {
    only: { type: "string" },
    record: { type: "boolean", default: false },
    serve: { type: "boolean", default: false },
    folder: { type: "string" },
  },
});

/** @type {import("./lib/sql-servers.mjs").RunningServer[]} */
const running = [];
try {
  const wanted = serverNames.filter((name) => options.only === undefined || options.only === name);
  if (wanted.length === 0) throw new Failure(`--only takes ${serverNames.join(" or ")}.`);
  for (const name of wanted) await installSqlServer(name, console.log);
  // One after another: two servers that start at once take longer on a small machine.
  for (const name of wanted) {
    console.log(`Starting ${name} …`);
    const started = Date.now();
    const folder = options.folder === undefined ? undefined : join(options.folder, name);
    const server = await startSqlServer(name, { ...(options.serve && { port: ports[name] }), ...(folder && { folder }) });
    running.push(server);
    const { secure } = server;
    if (options.serve && secure !== undefined) console.log(`Over HTTPS with sign-in: TRINO_SECURE='${JSON.stringify(secure)}'`);
    console.log(`${server.title} is ready at ${server.url} after ${Math.round((Date.now() - started) / 1_000)} s`);
  }
  if (options.serve) await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  else process.exitCode = await runTests();
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await Promise.all(running.map((server) => server.stop()));
}

async function runTests() {
  const servers = running.flatMap(({ name, url, lake, locationRoot, secure }) => {
    const prefix = name.toUpperCase();
    return [
      [`${prefix}_URL`, url],
      [`${prefix}_LAKE`, lake],
      [`${prefix}_LOCATION`, locationRoot],
      [`${prefix}_SECURE`, secure && JSON.stringify(secure)],
    ];
  });
  const env = { ...process.env, ...Object.fromEntries(servers), ...(options.record ? { FAIRWAY_RECORD_SQL_SERVERS: "1" } : {}) };
  const vitest = join(checkout, "node_modules", ".bin", "vitest");
  const [code] = await once(spawn(vitest, ["run", "gateway/src/query/presto"], { cwd: checkout, env, stdio: "inherit" }), "close");
  return code ?? 1;
}
