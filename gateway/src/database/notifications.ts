import { setTimeout as wait } from "node:timers/promises";
import type { Duplex } from "node:stream";
import { Client, DatabaseError } from "pg";
import type { BaseLogger } from "pino";
import type { DatabaseLimits } from "./connection.ts";
import { gatewaySession, holdGatewayLock } from "./gateway-lock.ts";

/** Notifications of changes between the gateways of one database. */
export interface Notifications {
  /** Calls the listener for every notification on the channel. Resolves once the database listens. */
  on(channel: string, listener: (payload: string) => void): Promise<void>;
  /**
   * Calls the listener after reconnecting. Notifications in between are lost, so caches that depend on them have to be
   * cleared.
   */
  onReconnect(listener: () => void): void;
  /** Notifies every gateway, including this one. At most 7,999 bytes. Rejects while the database is unreachable. */
  notify(channel: string, payload: string): Promise<void>;
  /**
   * Resolves once the listeners of this gateway have heard of every change that was committed before the call. Rejects while the
   * database is unreachable.
   */
  caughtUp(): Promise<void>;
  close(): Promise<void>;
}

const minRetryDelayMs = 100;
const maxRetryDelayMs = 1_000;
const keepAliveMs = 10_000;
const closeTimeoutMs = 1_000;
/** Nobody listens to it. */
const caughtUpChannel = "caught_up";

type ConnectionLimits = Pick<DatabaseLimits, "databaseConnectMs" | "databaseStatementMs">;
const defaultConnectionLimits: ConnectionLimits = { databaseConnectMs: 10_000, databaseStatementMs: 60_000 };

/** Uses a dedicated connection, which is replaced whenever it breaks and says that a gateway runs. Rejects if the first one fails. */
export async function openNotifications(
  url: string,
  log: BaseLogger,
  limits: ConnectionLimits = defaultConnectionLimits,
): Promise<Notifications> {
  const connection = new NotificationConnection(url, log, limits);
  await connection.open();
  return connection;
}

class NotificationConnection implements Notifications {
  readonly #url: string;
  readonly #log: BaseLogger;
  readonly #limits: ConnectionLimits;
  readonly #listeners = new Map<string, ((payload: string) => void)[]>();
  readonly #reconnectListeners: (() => void)[] = [];
  readonly #closing = new AbortController();
  #client: Client | undefined;
  #reopening: Promise<void> = Promise.resolve();

  constructor(url: string, log: BaseLogger, limits: ConnectionLimits) {
    this.#url = url;
    this.#log = log;
    this.#limits = limits;
  }

  async open(): Promise<void> {
    const client = new Client({
      connectionString: this.#url,
      connectionTimeoutMillis: this.#limits.databaseConnectMs,
      query_timeout: this.#limits.databaseStatementMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveMs,
      application_name: gatewaySession,
    });
    // A broken connection emits `error`, `end` or both.
    client.on("error", (error) => this.#onDisconnect(client, error));
    client.on("end", () => this.#onDisconnect(client));
    client.on("notification", ({ channel, payload }) => this.#onNotification(channel, payload ?? ""));
    try {
      await client.connect();
      await holdGatewayLock(client);
      for (const channel of this.#listeners.keys()) await listen(client, channel);
    } catch (error) {
      void closeClient(client);
      throw error;
    }
    this.#client = client;
  }

  async on(channel: string, listener: (payload: string) => void): Promise<void> {
    const listeners = this.#listeners.get(channel);
    if (listeners) listeners.push(listener);
    else this.#listeners.set(channel, [listener]);
    const client = this.#client;
    // The next connection listens to all known channels.
    if (!client) return this.#reopening;
    try {
      await listen(client, channel);
    } catch (error) {
      this.#onDisconnect(client, error);
      await this.#reopening;
    }
  }

  onReconnect(listener: () => void): void {
    this.#reconnectListeners.push(listener);
  }

  async notify(channel: string, payload: string): Promise<void> {
    const client = this.#client;
    if (!client) throw new Error("the database connection for notifications is down");
    try {
      await client.query("select pg_notify($1, $2)", [channel, payload]);
    } catch (error) {
      // A server that does not respond does not send notifications either, so the connection counts as lost.
      if (!(error instanceof DatabaseError)) this.#onDisconnect(client, error);
      throw error;
    }
  }

  caughtUp(): Promise<void> {
    // A session that notifies is sent all earlier notifications before its statement ends.
    return this.notify(caughtUpChannel, "");
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const client = this.#client;
    this.#client = undefined;
    if (client) await closeClient(client);
    await this.#reopening;
  }

  #onNotification(channel: string, payload: string): void {
    for (const listener of this.#listeners.get(channel) ?? []) {
      try {
        listener(payload);
      } catch (error) {
        // A failing listener must not affect the others.
        this.#log.error({ err: error, channel }, "a notification listener failed");
      }
    }
  }

  #onReconnected(): void {
    for (const listener of this.#reconnectListeners) {
      try {
        listener();
      } catch (error) {
        this.#log.error({ err: error }, "a reconnect listener failed");
      }
    }
  }

  #onDisconnect(client: Client, error?: unknown): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    if (this.#closing.signal.aborted) return;
    this.#log.warn({ err: error }, "the database connection for notifications was lost");
    void closeClient(client);
    this.#reopening = this.#reopen();
  }

  async #reopen(): Promise<void> {
    for (let delayMs = minRetryDelayMs; !this.#closing.signal.aborted; delayMs = Math.min(delayMs * 2, maxRetryDelayMs)) {
      try {
        await this.open();
        this.#log.info("the database connection for notifications is restored");
        this.#onReconnected();
        return;
      } catch (error) {
        this.#log.debug({ err: error }, "the database connection for notifications is still down");
      }
      await wait(delayMs, undefined, { signal: this.#closing.signal }).catch(() => undefined);
    }
  }
}

/** Closes the connection without waiting long for an unresponsive server. */
async function closeClient(client: Client): Promise<void> {
  const { connection } = client as unknown as { connection: { stream: Duplex } };
  const timer = setTimeout(() => connection.stream.destroy(), closeTimeoutMs);
  await client.end().catch(() => undefined);
  clearTimeout(timer);
}

async function listen(client: Client, channel: string): Promise<void> {
  await client.query(`listen ${client.escapeIdentifier(channel)}`);
}
