import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, realpath } from "node:fs/promises";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import type { BaseLogger } from "pino";
import { StartFailure } from "#process/start-failure.ts";
import { type PostgresBinaries, postgresBinaries } from "./postgres-binaries.ts";
import { prepareCluster, superuser } from "./postgres-cluster.ts";
import { endOrphans } from "./postgres-orphans.ts";
import { type PostgresUser, commandLine, findPostgresUser, postgresEnvironment } from "./postgres-user.ts";

/** The embedded PostgreSQL server, reachable from this machine only. Decision 0007. */
export interface EmbeddedPostgres {
  /** Contains the password: never log it. */
  readonly url: string;
  /** Resolves when the server has ended for any reason. */
  readonly exited: Promise<void>;
  /** Shuts it down: open transactions are rolled back, committed data is on disk. Safe to call twice. */
  stop(): Promise<void>;
}

const defaultSettings = { shared_buffers: "128MB", max_connections: "60", max_wal_size: "512MB" };

/**
 * Starts PostgreSQL with the data below `folder`, which is created on first start. The caller holds the folder's lock, so a
 * server that still runs there is an orphan of an earlier run and is ended first. Throws StartFailure.
 */
export async function startEmbeddedPostgres(options: {
  folder: string;
  log: BaseLogger;
  /** PostgreSQL settings that override the defaults. */
  settings?: Readonly<Record<string, string>>;
  /** Candidate users, in order of preference. Default: all possible ones. */
  users?: readonly PostgresUser[];
}): Promise<EmbeddedPostgres> {
  await mkdir(options.folder, { recursive: true, mode: 0o700 });
  const folder = await realpath(options.folder);
  const binaries = await postgresBinaries();
  const user = await findPostgresUser(binaries.postgres, folder, options.users);
  const { data, password } = await prepareCluster(folder, binaries, user);
  await endOrphans(data, options.log);
  const settings = { ...defaultSettings, ...options.settings };
  // Retries, because another process may take the free port before PostgreSQL does.
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const server = startServer({ binaries, user, data, port, settings, log: options.log });
    const startMessage = await server.started;
    if (startMessage === "ready") {
      const url = `postgres://${superuser}:${password}@127.0.0.1:${port}/postgres`;
      return { url, exited: server.exited, stop: () => server.stop() };
    }
    await server.exited;
    if (attempt < 5 && /address already in use/i.test(startMessage)) continue;
    throw new StartFailure(startFailureText(data, startMessage));
  }
}

function startFailureText(data: string, message: string): string {
  if (/no space left on device/i.test(message)) return `There is no space left on the disk that holds ${data}.`;
  return `The database in ${data} did not start${message === "" ? "" : ` (${message})`}; its log has more.`;
}

interface Server {
  /** `ready`, or the server's error message. */
  readonly started: Promise<string>;
  readonly exited: Promise<void>;
  stop(): Promise<void>;
}

function startServer(options: {
  binaries: PostgresBinaries;
  user: PostgresUser;
  data: string;
  port: number;
  settings: Readonly<Record<string, string>>;
  log: BaseLogger;
}): Server {
  const settings = { listen_addresses: "127.0.0.1", unix_socket_directories: "", ...options.settings };
  const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const line = commandLine(options.user, options.binaries.postgres, ["-D", options.data, "-p", String(options.port), ...args]);
  const child = spawn(...line, {
    cwd: options.data,
    uid: options.user.uid,
    gid: options.user.gid,
    env: postgresEnvironment(),
    stdio: ["ignore", "ignore", "pipe"],
    // A separate session, so that Ctrl-C in the terminal signals only the portal, which stops the database last.
    detached: true,
  });
  const exited = new Promise<void>((resolve) => {
    child.once("error", () => resolve());
    child.once("exit", () => resolve());
  });
  return { started: startMessage(child, options.log), exited, stop: () => stopServer(child, exited) };
}

function startMessage(child: ChildProcess, log: BaseLogger): Promise<string> {
  return new Promise((resolve) => {
    let firstError = "";
    child.once("error", (error) => resolve(error.message));
    child.once("close", () => resolve(firstError));
    if (!child.stderr) return;
    createInterface({ input: child.stderr }).on("line", (line) => {
      const [, level, message] = /\b(LOG|WARNING|ERROR|FATAL|PANIC|HINT|DETAIL):\s+(\S.*)$/.exec(line) ?? [];
      if (level === "FATAL" || level === "PANIC") log.error({ postgres: line });
      else log.debug({ postgres: line });
      if (message === undefined) return;
      if (message.includes("database system is ready to accept connections")) resolve("ready");
      // The first error is the cause (`could not bind … Address already in use`); the FATAL after it is generic.
      else if (level !== "HINT" && level !== "DETAIL" && (level !== "LOG" || /could not/.test(message))) firstError ||= message;
    });
  });
}

const fastShutdown = "SIGINT";
const immediateShutdown = "SIGQUIT";

async function stopServer(child: ChildProcess, exited: Promise<void>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return exited;
  child.kill(fastShutdown);
  // Also loses nothing: the next start replays the write-ahead log.
  const shutdownTimer = setTimeout(() => child.kill(immediateShutdown), 30_000);
  await exited;
  clearTimeout(shutdownTimer);
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
  if (address === null || typeof address === "string") throw new Error("the TCP server has no port");
  return address.port;
}
