import { access } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { Config } from "#config/config.ts";
import { type DatabaseConnection, connectDatabase } from "#database/connection.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#database/embedded-postgres.ts";
import { checkDatabase } from "#database/external-database.ts";
import { lockFolder } from "#database/folder-lock.ts";
import { migrate } from "#database/migrate.ts";
import { type Notifications, openNotifications } from "#database/notifications.ts";
import { foldersOpenToOthers, openHome } from "#portal/home-folder.ts";
import type { SecurityLimits } from "#identity/security-limits.ts";
import { openLog } from "#log/log.ts";
import { isLoopback } from "#process/loopback.ts";
import { type MasterKey, masterKeyFile, openMasterKey } from "#secrets/master-key.ts";
import { requireStoredKey, settleReplacement, storedKeyId } from "#secrets/replacement.ts";
import { StartFailure } from "#process/start-failure.ts";
import { systemCode } from "#process/system-code.ts";
import { ShutdownStack, withTimeout } from "#process/shutdown-stack.ts";
import { useTracer } from "#tracing/trace.ts";

/** Basic resources that every part of the portal depends on. */
export interface Foundation {
  readonly config: Config;
  readonly log: Logger;
  readonly database: DatabaseConnection;
  readonly notifications: Notifications;
  readonly masterKey: MasterKey;
  /** Aborted when the portal is asked to stop, during its start or later. */
  readonly signal: AbortSignal;
  /** Prints a line to the terminal, not to the log. */
  readonly print: (line: string) => void;
}

/** The portal's HTTP app with all its parts, not yet listening. */
export interface Service {
  readonly app: FastifyInstance;
  /** Called with the address once the app listens. */
  readonly onListening?: (address: string) => void;
  /** Closes the parts. Called after the last request has finished. */
  close(): Promise<void>;
}

export interface Portal {
  /** Address that the portal listens on, such as `http://localhost:8080`. */
  readonly address: string;
  readonly log: Logger;
  /** Resolves with the reason if the portal can no longer work. Never resolves after `stop()`. */
  readonly broken: Promise<StartFailure>;
  /** Serves on for `drainSeconds` if it was asked to stop, lets running requests finish, then closes everything, the database last. Safe to call twice. */
  stop(): Promise<void>;
}

const drainMs = 10_000;
/** A receiver that does not answer must not delay a restart. */
const tracingDrainMs = 3_000;

interface PortalOptions {
  readonly config: Config;
  /** Opens all parts and builds the app. */
  readonly openService: (foundation: Foundation) => Promise<Service>;
  readonly print: (line: string) => void;
  /** Aborted to stop the portal, even during its start. */
  readonly signal: AbortSignal;
  /** Called after each step of the start. */
  readonly onStep?: (step: string, ms: number) => void;
}

/**
 * Opens everything from the folder to the listening socket. If it fails, closes what was already opened. Throws StartFailure
 * for problems that an operator can fix.
 */
export async function startPortal(options: PortalOptions): Promise<Portal> {
  const { home } = options.config;
  const shutdown = new ShutdownStack();
  try {
    await openHome(home);
    const { log, flush } = openLog(options.config);
    shutdown.defer(flush);
    await startTracing(options.config, log, shutdown);
    return await openPortal(options, log, shutdown).catch(async (error: unknown) => {
      if (!options.signal.aborted) log.fatal({ err: error }, "the portal could not start");
      // The first failure is the cause; failures of the shutdown are only logged.
      await shutdown.run().catch((failures: unknown) => {
        log.warn({ err: failures }, "some parts could not be closed");
        flush();
      });
      throw error;
    });
  } catch (error) {
    throw diskFailure(error, home) ?? error;
  }
}

/** Loads the library only if traces are sent. */
async function startTracing({ tracing }: Config, log: Logger, shutdown: ShutdownStack): Promise<void> {
  if (tracing === undefined) return;
  const { openTracing } = await import("#tracing/open-tracing.ts");
  const { tracer, close } = openTracing(tracing, log);
  useTracer(tracer);
  shutdown.defer(async () => {
    useTracer(undefined);
    await withTimeout(tracingDrainMs, close()).catch((error: unknown) => log.warn({ err: error }, "the last traces could not be sent"));
  });
  log.info({ receiver: new URL(tracing.url).origin, service: tracing.serviceName }, "traces are sent");
}

async function openPortal(
  { config, print, signal, openService, onStep }: PortalOptions,
  log: Logger,
  shutdown: ShutdownStack,
): Promise<Portal> {
  let stepStarted = performance.now();
  const stepDone = (step: string) => {
    onStep?.(step, performance.now() - stepStarted);
    stepStarted = performance.now();
  };
  for (const warning of config.warnings) log.warn(warning);
  for (const folder of await foldersOpenToOthers(config.home)) {
    log.warn({ folder }, "other users of this machine may read or write this folder: restrict it with chmod go-rw");
  }
  if (config.allowedHosts === undefined) log.info("requests may name any host: set ALLOWED_HOSTS to the names of this portal");
  if (config.databaseUrl === undefined) {
    const lock = await lockFolder(config.home);
    shutdown.defer(() => lock.release());
  }
  // Fails early, before slow steps. Listening checks again.
  await checkPort(config);
  await openKey(config);
  signal.throwIfAborted();
  const server = config.databaseUrl === undefined ? await startEmbeddedPostgres({ folder: join(config.home, "postgres"), log }) : undefined;
  if (server) shutdown.defer(() => server.stop());
  const url = server?.url ?? (await externalDatabase(config));
  stepDone("Database");
  await migrateDatabase(url, config.securityLimits);
  stepDone("Migrations");
  const database = connectDatabase(url, { limits: config.securityLimits, log });
  shutdown.defer(() => withTimeout(drainMs, database.close()));
  const notifications = await openNotifications(url, log, config.securityLimits);
  shutdown.defer(() => withTimeout(drainMs, notifications.close()));
  // From here on, no command replaces the key.
  const masterKey = await fittingKey(config, database);
  const keyReplaced = onceKeyReplaced(masterKey, database, notifications, log);
  signal.throwIfAborted();

  const service = await openService({ config, log, database, notifications, masterKey, signal, print });
  stepDone("Data and services");
  shutdown.defer(() => service.close());
  shutdown.defer(() => drain(service.app));
  signal.throwIfAborted();
  const address = await listen(service.app, config);
  log.info({ address }, "ready");
  service.onListening?.(address);
  let isStopping = false;
  const stop = async () => {
    isStopping = true;
    log.info("stopping");
    // Still serves, but is not ready: load balancers turn away before the first connection is refused.
    if (signal.aborted) await wait(config.drainSeconds * 1_000);
    await shutdown.run();
  };
  let stopped: Promise<void> | undefined;
  return {
    address,
    log,
    broken: Promise.race([databaseFailure(server, () => isStopping), keyReplaced]),
    stop: () => (stopped ??= stop()),
  };
}

async function migrateDatabase(url: string, limits: SecurityLimits): Promise<void> {
  const migrationLimits = { ...limits, databaseStatementMs: limits.databaseMigrationMs };
  const database = connectDatabase(url, { limits: migrationLimits, maxConnections: 2 });
  try {
    await migrate(database.db as never);
  } finally {
    await withTimeout(drainMs, database.close());
  }
}

/** Refuses to create a new key for an existing database, which would make its encrypted data unreadable. */
async function openKey(config: Config): Promise<MasterKey> {
  const exists = (path: string) =>
    access(path).then(
      () => true,
      () => false,
    );
  const file = masterKeyFile(config.home);
  if (config.masterKey === undefined && !(await exists(file)) && (await exists(join(config.home, "postgres/data")))) {
    throw new StartFailure(
      `${config.home} contains a database, but its master key is missing: put ${file} back, or set FAIRWAY_MASTER_KEY.`,
    );
  }
  return openMasterKey(config);
}

/** The key that the database is encrypted with, after a replacement that was interrupted has been finished. */
async function fittingKey(config: Config, { pool }: DatabaseConnection): Promise<MasterKey> {
  const storedId = await storedKeyId(pool);
  if (config.masterKey === undefined) await settleReplacement(config.home, storedId);
  const key = await openMasterKey(config);
  requireStoredKey(key, storedId);
  return key;
}

/** Resolves if the key was replaced while this gateway was cut off from the database. */
function onceKeyReplaced(
  key: MasterKey,
  { pool }: DatabaseConnection,
  notifications: Pick<Notifications, "onReconnect">,
  log: Logger,
): Promise<StartFailure> {
  return new Promise((resolve) => {
    notifications.onReconnect(() => {
      storedKeyId(pool).then(
        (storedId) => {
          if (storedId !== undefined && storedId !== key.id)
            resolve(new StartFailure("The master key was replaced: start the portal again."));
        },
        (error: unknown) => log.warn({ err: error }, "the master key could not be compared with the database's"),
      );
    });
  });
}

async function externalDatabase(config: Config): Promise<string> {
  if (config.databaseUrl === undefined) throw new Error("neither an embedded nor an external database");
  await checkDatabase(config.databaseUrl);
  return config.databaseUrl;
}

async function checkPort({ host, port }: Config): Promise<void> {
  if (port === 0) return;
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once("error", (error) => reject(listenFailure(error, host, port)));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()));
  });
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  const address = await app.listen({ host, port }).catch((error: unknown) => {
    throw listenFailure(error, host, port);
  });
  const { hostname, port: actualPort } = new URL(address);
  // The address to open in a browser; the listening address may not work there (0.0.0.0).
  const isLocal = isLoopback(host) || host === "0.0.0.0" || host === "::";
  return `http://${isLocal ? "localhost" : hostname}:${actualPort || "80"}`;
}

function listenFailure(error: unknown, host: string, port: number): unknown {
  const sentences: Record<string, string> = {
    EADDRINUSE: `Port ${port} is already in use: stop the program that listens there, or set PORT to another one.`,
    EACCES: `Port ${port} may not be used by this user: set PORT to one above 1023.`,
    EADDRNOTAVAIL: `HOST ${host} is not an address of this machine.`,
    ENOTFOUND: `HOST ${host} is not a name that this machine knows.`,
    EAI_AGAIN: `HOST ${host} is not a name that this machine knows.`,
  };
  const sentence = sentences[systemCode(error) ?? ""];
  return sentence === undefined ? error : new StartFailure(sentence, { cause: error });
}

/** Refuses new requests, waits for running ones up to `drainMs`, then aborts them. */
async function drain(app: FastifyInstance): Promise<void> {
  const { server } = app;
  // Otherwise, a connection whose last request ends after the close started would be kept alive.
  const idleTimer = setInterval(() => server.closeIdleConnections(), 50);
  const drainTimer = setTimeout(() => server.closeAllConnections(), drainMs);
  await app.close();
  clearInterval(idleTimer);
  clearTimeout(drainTimer);
}

function databaseFailure(server: EmbeddedPostgres | undefined, isStopping: () => boolean): Promise<StartFailure> {
  return new Promise((resolve) => {
    void server?.exited.then(() => {
      if (!isStopping()) resolve(new StartFailure("The database process ended unexpectedly; nothing that was saved is lost."));
    });
  });
}

/** `53100` is PostgreSQL's code for a full disk. */
const diskFullCodes = new Set(["ENOSPC", "EDQUOT", "53100"]);

function diskFailure(error: unknown, home: string): StartFailure | undefined {
  if (!(error instanceof Error) || error instanceof StartFailure) return undefined;
  if (!diskFullCodes.has(systemCode(error) ?? "")) return diskFailure(error.cause, home);
  return new StartFailure(`There is no space left on the disk that holds ${home}, or on the database's.`, { cause: error });
}
