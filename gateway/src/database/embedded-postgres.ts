import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, realpath } from "node:fs/promises";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import type { BaseLogger } from "pino";
import { StartFailure } from "#start-failure.ts";
import { type PostgresBinaries, postgresBinaries } from "./postgres-binaries.ts";
import { prepareCluster, superuser } from "./postgres-cluster.ts";
import { endOrphans } from "./postgres-orphans.ts";
import { type PostgresUser, commandLine, findPostgresUser, postgresEnvironment } from "./postgres-user.ts";

/** A PostgreSQL server of our own, reachable by this machine only. Decision 0007. */
export interface EmbeddedPostgres {
  /** With password: never log it. */
  readonly url: string;
  /** Resolves when the server has ended, whoever ended it. */
  readonly exited: Promise<void>;
  /** Ends it with all sessions rolled back and everything committed on disk. Safe to call twice. */
  stop(): Promise<void>;
}

const defaultSettings = { shared_buffers: "128MB", max_connections: "60", max_wal_size: "512MB" };

/**
 * Starts PostgreSQL on the data below `folder`, made at the first start. The caller holds the folder's lock: a server that is
 * still there is a leftover of an earlier run and is ended first. Throws StartFailure.
 */
export async function startEmbeddedPostgres(options: {
  folder: string;
  log: BaseLogger;
  /** PostgreSQL's own, over ours. */
  settings?: Readonly<Record<string, string>>;
  /** Ways to run it, the best first; every one there may be. */
  users?: readonly PostgresUser[];
}): Promise<EmbeddedPostgres> {
  await mkdir(options.folder, { recursive: true, mode: 0o700 });
  const folder = await realpath(options.folder);
  const binaries = await postgresBinaries();
  const user = await findPostgresUser(binaries.postgres, folder, options.users);
  const { data, password } = await prepareCluster(folder, binaries, user);
  await endOrphans(data, options.log);
  const settings = { ...defaultSettings, ...options.settings };
  // Between finding a free port and PostgreSQL's taking it, somebody else may take it.
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const server = startServer({ binaries, user, data, port, settings, log: options.log });
    const started = await server.started;
    if (started === "ready") {
      const url = `postgres://${superuser}:${password}@127.0.0.1:${port}/postgres`;
      return { url, exited: server.exited, stop: () => server.stop() };
    }
    await server.exited;
    if (attempt < 5 && /address already in use/i.test(started)) continue;
    throw new StartFailure(startSentence(data, started));
  }
}

function startSentence(data: string, said: string): string {
  if (/no space left on device/i.test(said)) return `There is no space left on the disk that holds ${data}.`;
  return `The database in ${data} did not start${said === "" ? "" : ` (${said})`}; its log has more.`;
}

interface Server {
  /** `ready`, or what the server said before it ended. */
  readonly started: Promise<string>;
  readonly exited: Promise<void>;
  stop(): Promise<void>;
}

function startServer(given: {
  binaries: PostgresBinaries;
  user: PostgresUser;
  data: string;
  port: number;
  settings: Readonly<Record<string, string>>;
  log: BaseLogger;
}): Server {
  const settings = { listen_addresses: "127.0.0.1", unix_socket_directories: "", ...given.settings };
  const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const line = commandLine(given.user, given.binaries.postgres, ["-D", given.data, "-p", String(given.port), ...args]);
  const child = spawn(...line, {
    cwd: given.data,
    uid: given.user.uid,
    gid: given.user.gid,
    env: postgresEnvironment(),
    stdio: ["ignore", "ignore", "pipe"],
    // A session of its own: Ctrl-C in the terminal is for the portal, which stops the database last.
    detached: true,
  });
  const exited = new Promise<void>((resolve) => {
    child.once("error", () => resolve());
    child.once("exit", () => resolve());
  });
  return { started: firstWord(child, given.log), exited, stop: () => stopServer(child, exited) };
}

function firstWord(child: ChildProcess, log: BaseLogger): Promise<string> {
  return new Promise((resolve) => {
    let complaint = "";
    child.once("error", (error) => resolve(error.message));
    child.once("close", () => resolve(complaint));
    if (!child.stderr) return;
    createInterface({ input: child.stderr }).on("line", (line) => {
      const [, level, message] = /\b(LOG|WARNING|ERROR|FATAL|PANIC|HINT|DETAIL):\s+(\S.*)$/.exec(line) ?? [];
      if (level === "FATAL" || level === "PANIC") log.error({ postgres: line });
      else log.debug({ postgres: line });
      if (message === undefined) return;
      if (message.includes("database system is ready to accept connections")) resolve("ready");
      // The first complaint is the cause (`could not bind … Address already in use`), the FATAL after it only says so.
      else if (level !== "HINT" && level !== "DETAIL" && (level !== "LOG" || /could not/.test(message))) complaint ||= message;
    });
  });
}

const fastShutdown = "SIGINT";
const immediateShutdown = "SIGQUIT";

async function stopServer(child: ChildProcess, exited: Promise<void>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return exited;
  child.kill(fastShutdown);
  // Loses nothing either: the next start replays the log.
  const impatience = setTimeout(() => child.kill(immediateShutdown), 30_000);
  await exited;
  clearTimeout(impatience);
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", resolve);
  });
  const address = probe.address();
  await new Promise((resolve) => {
    probe.close(resolve);
  });
  if (address === null || typeof address === "string") throw new Error("a TCP server without a port");
  return address.port;
}
