import type { Duplex } from "node:stream";
import { DatabaseError, Pool, type PoolClient, type QueryConfig, type QueryResult, type QueryResultRow } from "pg";
import type { Outage } from "./outage.ts";
import type { StatementNames } from "./statement-names.ts";
import { DatabaseUnavailable, unavailableBy, unconnectedBy } from "./unavailable.ts";

export interface PoolOptions {
  readonly url: string;
  readonly maxConnections: number;
  /** Longest wait for a connection, whether a free one or a new one. */
  readonly connectMs: number;
  /** Longest time for one statement, locks that it waits for included. */
  readonly statementMs: number;
  readonly outage: Outage;
  /** Statements with parameters are planned once per connection under these names. Default: anew each time, for their values. */
  readonly statementNames?: StatementNames;
  /**
   * A statement that any server answers at once. Asked while one runs for longer than a second, so that a long limit does not
   * mean a long wait for a server that is gone.
   */
  readonly probe?: () => Promise<unknown>;
}

/** The server ends a slow statement itself, and keeps the connection. Only one that is silent is cut off, this much later. */
const graceMs = 250;
const probeEveryMs = 1_000;
const keepAliveMs = 10_000;
/** A connection that nobody waits for any longer may still come; it is given up this much later. */
const lateMs = 5_000;

/** A pool whose every wait has an end. Rejects with DatabaseUnavailable where the statement is not to blame. */
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
      connectionTimeoutMillis: options.connectMs + lateMs,
      // A server that vanished with its machine closes nothing.
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveMs,
    });
    // The pool listens to idle connections alone; one that breaks while it is in use would end the process.
    this.#pool.on("connect", (client) => this.#guarded.set(client, new GuardedClient(client, options)));
    this.#pool.on("error", (error) => options.outage.failed(unconnectedBy(error)));
  }

  async connect(): Promise<GuardedClient> {
    const client = await this.#acquire().catch((error: unknown) => {
      const unavailable = unconnectedBy(error);
      this.#options.outage.failed(unavailable);
      throw unavailable;
    });
    const guarded = this.#guarded.get(client);
    if (guarded === undefined) throw new Error("a connection that the pool did not announce");
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

  end(): Promise<void> {
    return this.#pool.end();
  }

  #acquire(): Promise<PoolClient> {
    const { outage, connectMs } = this.#options;
    return new Promise((resolve, reject) => {
      let isLate = false;
      const before = outage.answers;
      const stopWaiting = afterRunning(connectMs, () => {
        isLate = true;
        reject(new DatabaseUnavailable(outage.answers > before ? "busy" : "away", new Error("no connection in time")));
      });
      const connected = this.#pool.connect().then((client) => {
        if (isLate) client.release();
        else resolve(client);
      });
      connected.catch(reject).finally(stopWaiting);
    });
  }
}

/** A connection on loan. */
export class GuardedClient {
  readonly #client: PoolClient;
  readonly #options: PoolOptions;
  #broken: Error | undefined;
  #isPrepared = false;
  /** A plan that it keeps answers other columns than its table has by now. */
  #isOutdated = false;
  #isInTransaction = false;

  constructor(client: PoolClient, options: PoolOptions) {
    this.#client = client;
    this.#options = options;
    client.on("error", (error) => (this.#broken ??= error));
    connectionOf(client).on("readyForQuery", ({ status }) => (this.#isInTransaction = status !== "I"));
  }

  /** A setting of the session: parameters of the connection are refused by some poolers in between. */
  async prepare(): Promise<void> {
    if (this.#isPrepared) return;
    await this.query(`set statement_timeout = ${this.#options.statementMs}`);
    this.#isPrepared = true;
  }

  async query<Row extends QueryResultRow>(statement: string | QueryConfig, values?: unknown[]): Promise<QueryResult<Row>> {
    const stopWatching = this.#watch();
    try {
      const result = await this.#run<Row>(statement, values);
      this.#options.outage.answered();
      return result;
    } catch (error) {
      const unavailable = this.#broken === undefined ? unavailableBy(error) : unconnectedBy(error);
      if (unavailable === undefined) throw error;
      this.#options.outage.failed(unavailable);
      throw unavailable;
    } finally {
      stopWatching();
    }
  }

  /** `destroy`: nobody else may use it, because of what it is in the middle of. */
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
      // A newer gateway changed the table. Outside a transaction nothing was done yet; within one, the caller's next try gets a new connection.
      this.#isOutdated = true;
      if (wasInTransaction) throw error;
      return this.#client.query<Row>(statement, values);
    }
  }

  #watch(): () => void {
    let isOver = false;
    const { probe, statementMs, outage } = this.#options;
    const stopWaiting = afterRunning(statementMs + graceMs, () => this.#cut("no answer in time"));
    const probing =
      probe &&
      setInterval(() => {
        const before = outage.answers;
        probe().catch(() => {
          if (!isOver && outage.answers === before) this.#cut("the server does not answer");
        });
      }, probeEveryMs);
    return () => {
      isOver = true;
      stopWaiting();
      clearInterval(probing);
    };
  }

  /** Ends the connection at once: its statement rejects, and the pool makes another. */
  #cut(reason: string): void {
    this.#broken ??= new Error(reason);
    // The driver's own `end()` says goodbye first, and waits for a server that may be silent.
    connectionOf(this.#client).stream.destroy();
  }
}

interface WireConnection {
  readonly stream: Duplex;
  /** `status` is `I` outside a transaction. */
  on(event: "readyForQuery", listener: (message: { status: string }) => void): void;
}

/** What the driver has below its client, and its types leave out. */
const connectionOf = (client: PoolClient) => (client as unknown as { connection: WireConnection }).connection;

/** "cached plan must not change result type", and no other feature that is not supported. */
const isOutdatedPlan = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === "0A000" && error.routine === "RevalidateCachedQuery";

const slices = 10;

/**
 * Calls `over` after a time in which the event loop ran. While it is held up, answers cannot be read, however long they are
 * there already: such a time counts as a tenth of the limit at most. Answers a function that cancels it.
 */
function afterRunning(ms: number, over: () => void): () => void {
  let left = slices;
  const wait = () =>
    setTimeout(() => {
      left -= 1;
      if (left > 0) timer = wait();
      else over();
    }, ms / slices);
  let timer = wait();
  return () => clearTimeout(timer);
}
