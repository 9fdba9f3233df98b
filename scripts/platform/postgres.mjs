// @ts-check
// A PostgreSQL of its own, as an organization would run it: the oldest one that Debian installed, or the one that the portal
// brings.
import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { access, mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { checkDatabase } from "@fairway/gateway/database/external-database";
import { postgresBinaries } from "@fairway/gateway/database/postgres-binaries";
import { commandLine, findPostgresUser, giveFolder, postgresEnvironment } from "@fairway/gateway/database/postgres-user";
import { Failure } from "../lib/failure.mjs";
import { end, endWithThis, freePort, isRunning } from "../lib/processes.mjs";

const run = promisify(execFile);
const debianFolder = "/usr/lib/postgresql";
const oldestSupported = 15;
const startMs = 60_000;

/** @typedef {Awaited<ReturnType<typeof startPostgres>>} Postgres */

/** @param {string} folder where its data and log are kept */
export async function startPostgres(folder) {
  const { initdb, postgres, title } = await findBinaries();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const user = await findPostgresUser(postgres, folder);
  const [data, password, passwordFile] = [join(folder, "data"), randomBytes(16).toString("hex"), join(folder, "password")];
  await mkdir(data, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  await giveFolder(folder, user);
  const options = { cwd: folder, uid: user.uid, gid: user.gid, env: postgresEnvironment() };
  const access = ["--username", "fairway", "--pwfile", passwordFile, "--auth", "scram-sha-256"];
  await run(...commandLine(user, initdb, ["--pgdata", data, ...access, "--encoding", "UTF8", "--locale", "C.UTF-8"]), options);
  const port = await freePort();
  const url = `postgres://fairway:${password}@127.0.0.1:${port}/postgres`;
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    // Two gateways, and room for a third while one is replaced.
    max_connections: "200",
    max_wal_size: "512MB",
  };
  const args = ["-D", data, "-p", String(port), ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
  const log = createWriteStream(join(folder, "log"), { flags: "a" });

  const start = () => {
    const child = spawn(...commandLine(user, postgres, args), { ...options, stdio: ["ignore", "ignore", "pipe"], detached: true });
    child.stderr.pipe(log, { end: false });
    endWithThis(child, "SIGQUIT");
    return child;
  };

  let server = start();
  /** After a kill, it does not start before the last process of the former server has ended. */
  const ready = async () => {
    for (const endMs = Date.now() + startMs; Date.now() < endMs;) {
      if (!isRunning(server)) server = start();
      const problem = await checkDatabase(url).catch((error) => error);
      if (problem === undefined) return;
      await sleep(50);
    }
    throw new Failure(`PostgreSQL did not start:\n${(await readFile(join(folder, "log"), "utf8")).slice(-2_000)}`);
  };
  await ready();
  return {
    title,
    url,
    kill: () => end(server, "SIGKILL"),
    restart: async () => {
      server = start();
      await ready();
    },
    stop: async () => {
      await end(server, "SIGINT");
      log.end();
    },
  };
}

async function findBinaries() {
  const versions = (await readdir(debianFolder).catch(() => [])).map(Number).filter((version) => version >= oldestSupported);
  for (const version of versions.toSorted((one, other) => one - other)) {
    const programs = join(debianFolder, String(version), "bin");
    const [initdb, postgres] = [join(programs, "initdb"), join(programs, "postgres")];
    const isThere = await access(initdb).then(
      () => true,
      () => false,
    );
    if (isThere) return { initdb, postgres, title: `Debian's PostgreSQL ${version}` };
  }
  return { ...(await postgresBinaries()), title: "the PostgreSQL that the portal brings" };
}
