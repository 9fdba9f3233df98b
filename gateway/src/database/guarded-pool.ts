import type { Duplex } from "node:stream";
import { DatabaseError, Pool, type PoolClient, type QueryConfig, type QueryResult, type QueryResultRow } from "pg";
import type { Outage } from "./outage.ts";
import { type SpanDescription, traced } from "#tracing/trace.ts";
import type { StatementNames } from "./statement-names.ts";
import { DatabaseUnavailable, connectionFailure, statementFailure } from "./unavailable.ts";

export interface PoolOptions {
  readonly url: string;
  readonly maxConnections: number;
  /** Maximum wait for a free or new connection. */
  readonly connectMs: number;
  /** Maximum duration of a statement, including waits for locks. */
  readonly statementMs: number;
  readonly outage: Outage;
  /** Names under which parameterized statements are prepared once per connection. Default: planned on each execution. */
  readonly statementNames?: StatementNames;
  /**
   * A statement that is answered immediately. Sent while another one runs for longer than a second, so that an unreachable
   * server is detected before a long `statementMs`.
   */
  readonly probe?: () => Promise<unknown>;
}

/** The server cancels a slow statement itself and keeps the connection. An unresponsive one is closed after this grace period. */
const graceMs = 250;
const probeIntervalMs = 1_000;
const keepAliveMs = 10_000;
/** Extra time for a connection after its caller has timed out, so that it can still be used by others. */
const lateConnectMs = 5_000;
/** Connections that were not used for so long are closed. */
const idleConnectionMs = 300_000;

/** A pool with a timeout on every wait. Rejects with DatabaseUnavailable if the failure is not the statement's fault. */
export class GuardedPool {
  readonly maxConnections: number;
  readonly #options: PoolOptions;
  readonly #pool: Pool;
  readonly #guarded = new WeakMap<PoolClient, GuardedClient>();

  constructor(options: PoolOptions) {
    this.#options = options;
    this.maxConnections = options.maxConnections;
    this.#pool = new Pool({
      connectionString: options.url,
      max: options.maxConnections,
      connectionTimeoutMillis: options.connectMs + lateConnectMs,
      // A new connection costs both sides more than many statements.
      idleTimeoutMillis: idleConnectionMs,
      // Detects a server whose machine disappeared without closing the connection.
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveMs,
    });
    // The pool handles errors of idle connections only. An unhandled error of one in use would end the process.
    this.#pool.on("connect", (client) => this.#guarded.set(client, new GuardedClient(client, options)));
    this.#pool.on("error", (error) => options.outage.failed(connectionFailure(error)));
  }

  async connect(): Promise<GuardedClient> {
    const client = await this.#acquire().catch((error: unknown) => {
      const unavailable = connectionFailure(error);
      this.#options.outage.failed(unavailable);
      throw unavailable;
    });
    const guarded = this.#guarded.get(client);
    if (guarded === undefined) throw new Error("the pool returned an unknown connection");
    try {
      await guarded.prepare();
    } catch (error) {
      guarded.release(true);
      throw error;
    }
    return guarded;
  }

  async query<Row extends QueryResultRow>(statement: string | QueryConfig, values?: unknown[]): Promise<QueryResult<Row>> {
    const client = await this.connect();
    try {
      return await client.query<Row>(statement, values);
    } finally {
      client.release();
    }
  }

  /** Current numbers of connections, and of callers that wait for one. */
  get metrics(): { readonly open: number; readonly busy: number; readonly waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { open: totalCount, busy: totalCount - idleCount, waiting: waitingCount };
  }

  end(): Promise<void> {
    return this.#pool.end();
  }

  #acquire(): Promise<PoolClient> {
    const { outage, connectMs } = this.#options;
    return new Promise((resolve, reject) => {
      let isLate = false;
      const before = outage.responses;
      const cancelTimeout = afterEventLoopTime(connectMs, () => {
        isLate = true;
        reject(new DatabaseUnavailable(outage.responses > before ? "busy" : "away", new Error("no connection in time")));
      });
      const connected = this.#pool.connect().then((client) => {
        if (isLate) client.release();
        else resolve(client);
      });
      connected.catch(reject).finally(cancelTimeout);
    });
  }
}

/** A connection checked out of the pool. */
export class GuardedClient {
  readonly #client: PoolClient;
  readonly #options: PoolOptions;
  #broken: Error | undefined;
  #isPrepared = false;
  /** A cached plan no longer matches the columns of its table. */
  #isOutdated = false;
  #isInTransaction = false;

  constructor(client: PoolClient, options: PoolOptions) {
    this.#client = client;
    this.#options = options;
    client.on("error", (error) => (this.#broken ??= error));
    connectionOf(client).on("readyForQuery", ({ status }) => (this.#isInTransaction = status !== "I"));
  }

  /** Uses a session setting, because some poolers refuse connection parameters. */
  async prepare(): Promise<void> {
    if (this.#isPrepared) return;
    await this.query(`set statement_timeout = ${this.#options.statementMs}`);
    this.#isPrepared = true;
  }

  async query<Row extends QueryResultRow>(statement: string | QueryConfig, values?: unknown[]): Promise<QueryResult<Row>> {
    const stopTimeouts = this.#startTimeouts();
    try {
      const result = await traced(
        () => describeStatement(statement),
        () => this.#run<Row>(statement, values),
      );
      this.#options.outage.succeeded();
      return result;
    } catch (error) {
      const unavailable = this.#broken === undefined ? statementFailure(error) : connectionFailure(error);
      if (unavailable === undefined) throw error;
      this.#options.outage.failed(unavailable);
      throw unavailable;
    } finally {
      stopTimeouts();
    }
  }

  /** `destroy`: closes the connection because of its unfinished state. */
  release(destroy = false): void {
    this.#client.release(destroy || this.#isOutdated || this.#broken !== undefined);
  }

  async #run<Row extends QueryResultRow>(statement: string | QueryConfig, values: unknown[] | undefined): Promise<QueryResult<Row>> {
    const name = typeof statement === "string" && values ? this.#options.statementNames?.nameOf(statement) : undefined;
    if (name === undefined) return this.#client.query<Row>(statement, values);
    const wasInTransaction = this.#isInTransaction;
    try {
      return await this.#client.query<Row>({ name, text: statement as string, values: values ?? [] });
    } catch (error) {
      if (!isOutdatedPlan(error)) throw error;
      // A newer gateway changed the table. Outside a transaction, the statement can be repeated; within one, the caller's retry gets a new connection.
      this.#isOutdated = true;
      if (wasInTransaction) throw error;
      return this.#client.query<Row>(statement, values);
    }
  }

  #startTimeouts(): () => void {
    let isDone = false;
    const { probe, statementMs, outage } = this.#options;
    const cancelTimeout = afterEventLoopTime(statementMs + graceMs, () => this.#disconnect("no response in time"));
    const probeTimer =
      probe &&
      setInterval(() => {
        const before = outage.responses;
        probe().catch(() => {
          if (!isDone && outage.responses === before) this.#disconnect("the server does not respond");
        });
      }, probeIntervalMs);
    return () => {
      isDone = true;
      cancelTimeout();
      clearInterval(probeTimer);
    };
  }

  /** Closes the connection immediately: its statement rejects, and the pool opens another one. */
  #disconnect(reason: string): void {
    this.#broken ??= new Error(reason);
    // The driver's `end()` would wait for a server that may not respond.
    connectionOf(this.#client).stream.destroy();
  }
}

const maxStatementCharacters = 2_000;

/** Values are parameters and never part of the text. */
function describeStatement(statement: string | QueryConfig): SpanDescription {
  const text = typeof statement === "string" ? statement : statement.text;
  const [operation = ""] = /[a-z]+/i.exec(text) ?? [];
  return {
    name: operation.toUpperCase(),
    kind: "client",
    attributes: { "db.system.name": "postgresql", "db.query.text": text.slice(0, maxStatementCharacters) },
  };
}

interface WireConnection {
  readonly stream: Duplex;
  /** `status` is `I` outside a transaction. */
  on(event: "readyForQuery", listener: (message: { status: string }) => void): void;
}

/** The driver's internal connection, which its types omit. */
const connectionOf = (client: PoolClient) => (client as unknown as { connection: WireConnection }).connection;

/** "cached plan must not change result type"; the code alone also covers other unsupported features. */
const isOutdatedPlan = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === "0A000" && error.routine === "RevalidateCachedQuery";

const timerSlices = 10;

/**
 * Calls `onTimeout` after a time during which the event loop was running. While it is blocked, responses cannot be read even if
 * they have arrived, so each such period counts as at most a tenth of the timeout. Returns a function that cancels it.
 */
function afterEventLoopTime(timeoutMs: number, onTimeout: () => void): () => void {
  let remaining = timerSlices;
  const wait = () =>
    setTimeout(() => {
      remaining -= 1;
      if (remaining > 0) timer = wait();
      else onTimeout();
    }, timeoutMs / timerSlices);
  let timer = wait();
  return () => clearTimeout(timer);
}
