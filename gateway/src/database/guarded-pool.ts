import type { Duplex } from "node:stream";
import { DatabaseError, Pool, type PoolClient, type QueryConfig, type QueryResult, type QueryResultRow } from "pg";
import type { Outage } from "./outage.ts";
import { type SpanDescription, traced } from "#tracing/trace.ts";
import { asPortal } from "#turns/caller.ts";
import { type Turn, TurnRefused, Turns } from "#turns/turns.ts";
import type { StatementNames } from "./statement-names.ts";
import { DatabaseUnavailable, connectionFailure, statementFailure } from "./unavailable.ts";

export interface PoolOptions {
  readonly url: string;
  readonly maxConnections: number;
  /** Of these, connections of one caller; one is always left to others. Default: all but one. */
  readonly connectionsPerCaller?: number;
  /** Maximum wait for a free or new connection, besides the wait for the caller's own calls. */
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
/** Callers wait so long for their own calls, in a line of at most so many. */
const ownLineMs = 30_000;
const ownLineLength = 3_000;
/** Connections that were not used for so long are closed. */
const idleConnectionMs = 300_000;

/**
 * A pool with a timeout on every wait. Rejects with DatabaseUnavailable if the failure is not the statement's fault. Each caller has
 * at most a share of the connections, and waits for more behind their own calls only. Decision 0640.
 */
export class GuardedPool {
  readonly maxConnections: number;
  readonly #turns: Turns;
  readonly #options: PoolOptions;
  readonly #pool: Pool;
  readonly #guarded = new WeakMap<PoolClient, GuardedClient>();
  #ending: Promise<void> | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.maxConnections = options.maxConnections;
    const perOwner = options.connectionsPerCaller ?? options.maxConnections;
    this.#turns = new Turns(
      { turns: options.maxConnections, perOwner, queue: Infinity, queuePerOwner: ownLineLength, waitMs: options.connectMs },
      { subject: "The database", work: "calls" },
      {
        startTimer: afterEventLoopTime,
        // A server that does not respond is noticed as fast as ever.
        patience: ({ isOwn, waitedMs }) => (isOwn && waitedMs < ownLineMs && options.outage.isResponding ? options.connectMs : 0),
      },
    );
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
    const { outage } = this.#options;
    const before = outage.responses;
    const failed = (unavailable: DatabaseUnavailable): never => {
      outage.failed(unavailable);
      throw unavailable;
    };
    const turn = await this.#turns.take().catch((error: unknown) => {
      if (!(error instanceof TurnRefused)) throw error;
      // Not an outage: only the caller's own calls are too many.
      if (error.isOwn && outage.isResponding) throw new DatabaseUnavailable("own-calls", error);
      return failed(new DatabaseUnavailable(outage.responses > before ? "busy" : "away", error));
    });
    const client = await this.#acquire(turn).catch((error: unknown) => failed(connectionFailure(error)));
    const guarded = this.#guarded.get(client);
    if (guarded === undefined) throw new Error("the pool returned an unknown connection");
    guarded.lend(turn);
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
    return { open: totalCount, busy: totalCount - idleCount, waiting: waitingCount + this.#turns.waiting };
  }

  /** May be called more than once. */
  end(): Promise<void> {
    this.#ending ??= this.#pool.end();
    return this.#ending;
  }

  /** The turn ends with the connection: here if there is none, otherwise when it is released. */
  #acquire(turn: Turn): Promise<PoolClient> {
    const { outage, connectMs } = this.#options;
    return new Promise((resolve, reject) => {
      let isLate = false;
      const before = outage.responses;
      const cancelTimeout = afterEventLoopTime(connectMs, () => {
        isLate = true;
        reject(new DatabaseUnavailable(outage.responses > before ? "busy" : "away", new Error("no connection in time")));
      });
      const connected = this.#pool.connect().then((client) => {
        if (!isLate) return resolve(client);
        client.release();
        turn.end();
      });
      connected
        .catch((error: unknown) => {
          turn.end();
          reject(error);
        })
        .finally(cancelTimeout);
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
  #turn: Turn | undefined;

  constructor(client: PoolClient, options: PoolOptions) {
    this.#client = client;
    this.#options = options;
    client.on("error", (error) => (this.#broken ??= error));
    connectionOf(client).on("readyForQuery", ({ status }) => (this.#isInTransaction = status !== "I"));
  }

  /** Call it for each checkout. */
  lend(turn: Turn): void {
    this.#turn = turn;
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
    this.#turn?.end();
  }

  async #run<Row extends QueryResultRow>(statement: string | QueryConfig, values: unknown[] | undefined): Promise<QueryResult<Row>> {
    const wasInTransaction = this.#isInTransaction;
    const canName = typeof statement === "string" && values !== undefined && !(wasInTransaction && answersEveryColumn.test(statement));
    const name = canName ? this.#options.statementNames?.nameOf(statement) : undefined;
    if (name === undefined) return this.#client.query<Row>(statement, values);
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
        asPortal(probe).catch(() => {
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

/**
 * A newer gateway that adds a column outdates plans of such statements. In a transaction, they cannot be repeated and would fail, so they
 * have none there.
 */
const answersEveryColumn = /(?:\breturning\s|\bselect\s|\.)\s*\*/i;

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
