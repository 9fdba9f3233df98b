// @ts-check
// Installs the other tools that `bench/peers.mjs` measures, in the versions of bench/peers/*.txt, into .build/bench-peers, and starts them on
// the same flights: Datasette on SQLite with indexes, Superset on DuckDB without its caches. Also by itself, once a benchmark has made
// the flights: node bench/set-up-peers.mjs
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { checkout } from "../scripts/lib/checkout.mjs";
import { answers, freePort, startServer } from "../scripts/lib/processes.mjs";
import { outputOf } from "../scripts/lib/programs.mjs";
import { duckDb } from "./lib/gateway-modules.mjs";
import { dataFolder } from "./lib/gateway-process.mjs";
import { PeerCaller } from "./lib/peer-caller.mjs";

/** @typedef {{ caller: PeerCaller, dataset: number, stop: () => Promise<void> }} RunningPeer `dataset`: its number in Superset, else 0 */
/** @typedef {{ name: string, version: string, start: () => Promise<RunningPeer> }} Peer */

const folder = `${checkout}/.build/bench-peers`;
const shared = `${checkout}/bench/peers`;
const password = "only-for-measurements";

/** Superset runs on 3.10 to 3.12. */
const pythons = ["python3.11", "python3.12", "python3.10"];

/** Two processes with four threads each; connections stay open between rounds. */
const gunicornOptions = ["--workers", "2", "--worker-class", "gthread", "--threads", "4", "--timeout", "120", "--keep-alive", "75"];

/** @type {readonly Peer[]} */
export const peers = [
  {
    name: "Datasette",
    version: "0.65.5",
    start: async () => {
      const bin = await installed("datasette");
      const database = await flightsAs("sqlite", "flights.db", `${bin}/python`);
      const port = await freePort();
      const origin = `http://127.0.0.1:${port}`;
      const settings = ["sql_time_limit_ms", "60000", "default_cache_ttl", "0", "max_returned_rows", "10000"];
      const options = settings.flatMap((value, index) => (index % 2 === 0 ? ["--setting", value] : [value]));
      const { stop } = await startServer({
        title: "Datasette",
        command: [`${bin}/datasette`, "serve", "--immutable", database, "--host", "127.0.0.1", "--port", String(port), ...options],
        cwd: folder,
        output: `${folder}/datasette.log`,
        isReady: () => answers(`${origin}/-/versions.json`),
        minutes: 2,
      });
      return ended(stop, { caller: new PeerCaller(origin), dataset: 0 });
    },
  },
  {
    name: "Superset",
    version: "6.1.0",
    start: async () => {
      const bin = await installed("superset");
      const database = await flightsAs("duckdb", "flights.duckdb", `${bin}/python`);
      const env = {
        SUPERSET_CONFIG_PATH: `${shared}/superset_config.py`,
        BENCH_SUPERSET_DATABASE: `${folder}/superset.db`,
        FLASK_APP: "superset.app:create_app()",
      };
      const superset = (/** @type {string[]} */ ...args) =>
        outputOf(`${bin}/superset`, args, { cwd: folder, env: { ...process.env, ...env } });
      await once("superset.db.ready", async () => {
        // Left over from a set-up that was interrupted.
        for (const left of ["superset.db", "superset.db-journal"]) await rm(`${folder}/${left}`, { force: true });
        await superset("db", "upgrade");
        const names = ["--username", "admin", "--firstname", "Admin", "--lastname", "Admin", "--email", "admin@bench.example"];
        await superset("fab", "create-admin", ...names, "--password", password);
        await superset("init");
        await superset("set-database-uri", "--database_name", "flights", "--uri", `duckdb:///${database}?access_mode=read_only`);
      });
      const port = await freePort();
      const origin = `http://127.0.0.1:${port}`;
      const { stop } = await startServer({
        title: "Superset",
        command: [`${bin}/gunicorn`, ...gunicornOptions, "--bind", `127.0.0.1:${port}`, "superset.app:create_app()"],
        cwd: folder,
        env,
        output: `${folder}/superset.log`,
        isReady: () => answers(`${origin}/health`),
        minutes: 5,
        ownGroup: true,
      });
      const caller = new PeerCaller(origin);
      const signedIn = await caller.call("POST", "/api/v1/security/login", { username: "admin", password, provider: "db" });
      caller.token = signedIn["access_token"];
      return ended(stop, { caller, dataset: await datasetOfSuperset(caller) });
    },
  },
];

/** @param {() => Promise<void>} stop @param {Omit<RunningPeer, "stop">} peer */
const ended = (stop, peer) => ({
  ...peer,
  stop: async () => {
    peer.caller.close();
    await stop();
  },
});

/** Its dataset over the table of flights, which is made once. @param {PeerCaller} caller */
async function datasetOfSuperset(caller) {
  const [known] = (await caller.call("GET", "/api/v1/dataset/"))["result"];
  if (known !== undefined) return known.id;
  const [database] = (await caller.call("GET", "/api/v1/database/"))["result"];
  const made = await caller.call("POST", "/api/v1/dataset/", { database: database.id, schema: "main", table_name: "flights" }, 201);
  return made["id"];
}

/** The folder of the programs of an environment with the pinned packages. @param {string} name */
async function installed(name) {
  const requirements = `${shared}/${name}.txt`;
  const bin = `${folder}/${name}/bin`;
  await once(
    `${name}.installed`,
    async () => {
      console.log(`  Installing ${name}; that takes some minutes …`);
      await outputOf(await python(), ["-m", "venv", "--clear", `${folder}/${name}`]);
      await outputOf(`${bin}/python`, ["-m", "pip", "install", "--disable-pip-version-check", "--quiet", "--requirement", requirements]);
    },
    await readFile(requirements, "utf8"),
  );
  return bin;
}

async function python() {
  for (const name of pythons) {
    const isThere = await outputOf(name, ["--version"]).then(
      () => true,
      () => false,
    );
    if (isThere) return name;
  }
  throw new Error(`none of ${pythons.join(", ")} is installed`);
}

/**
 * The measured flights as a database of another kind.
 * @param {"sqlite" | "duckdb"} kind @param {string} file @param {string} pythonProgram
 */
async function flightsAs(kind, file, pythonProgram) {
  const [target, texts] = [`${folder}/${file}`, `${folder}/flights.csv`];
  if (existsSync(target)) return target;
  console.log(`  Writing the flights as ${file} …`);
  if (!existsSync(texts)) {
    const connection = await (await duckDb.DuckDBInstance.create(":memory:")).connect();
    const source = `read_parquet('${dataFolder}/aviation/flights/rows.parquet')`;
    const rows = `select strftime(date, '%Y-%m-%dT%H:%M:%S') as date, origin, destination, delay, distance from ${source}`;
    await connection.run(`copy (${rows}) to '${texts}' (header)`);
    connection.closeSync();
  }
  await outputOf(pythonProgram, [`${shared}/flights.py`, kind, texts, target]);
  return target;
}

/**
 * Does something unless a file says that it was done, for the same reason.
 * @param {string} name @param {() => Promise<void>} work @param {string} reason
 */
async function once(name, work, reason = "") {
  const note = `${folder}/${name}`;
  const known = await readFile(note, "utf8").catch(() => undefined);
  if (known === reason) return;
  await mkdir(folder, { recursive: true });
  await work();
  await writeFile(note, reason);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const { name, version, start } of peers) {
    const { stop } = await start();
    await stop();
    console.log(`${name} ${version} is ready to be measured.`);
  }
  process.exit(0);
}
