import { setTimeout as wait } from "node:timers/promises";
import type { Duplex } from "node:stream";
import { Client, DatabaseError } from "pg";
import type { BaseLogger } from "pino";
import type { DatabaseLimits } from "./connection.ts";

/** How gateways on one database tell each other what changed. */
export interface Notifications {
  /** Calls `hear` for every notification on the channel; resolves once the database listens. */
  on(channel: string, hear: (payload: string) => void): Promise<void>;
  /**
   * Calls `hear` after a lost connection is back: notifications of the time between are lost, so that whatever they keep
   * fresh has to be dropped.
   */
  onReconnect(hear: () => void): void;
  /** Tells every gateway, this one too. At most 7,999 bytes. Rejects while the database cannot be reached. */
  notify(channel: string, payload: string): Promise<void>;
  close(): Promise<void>;
}

const firstPauseMs = 100;
const longestPauseMs = 1_000;
const keepAliveMs = 10_000;
const goodbyeMs = 1_000;

type LineLimits = Pick<DatabaseLimits, "databaseConnectMs" | "databaseStatementMs">;
const patient: LineLimits = { databaseConnectMs: 10_000, databaseStatementMs: 60_000 };

/** One connection of its own, replaced whenever it breaks. Rejects when the first one cannot be made. */
export async function openNotifications(url: string, log: BaseLogger, limits: LineLimits = patient): Promise<Notifications> {
  const line = new NotificationLine(url, log, limits);
  await line.open();
  return line;
}

class NotificationLine implements Notifications {
  readonly #url: string;
  readonly #log: BaseLogger;
  readonly #limits: LineLimits;
  readonly #hearers = new Map<string, ((payload: string) => void)[]>();
  readonly #reconnectHearers: (() => void)[] = [];
  readonly #closing = new AbortController();
  #client: Client | undefined;
  #reopening: Promise<void> = Promise.resolve();

  constructor(url: string, log: BaseLogger, limits: LineLimits) {
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
      application_name: "fairway notifications",
    });
    // A connection that breaks says `error`, `end` or both.
    client.on("error", (error) => this.#lost(client, error));
    client.on("end", () => this.#lost(client));
    client.on("notification", ({ channel, payload }) => this.#hear(channel, payload ?? ""));
    try {
      await client.connect();
      for (const channel of this.#hearers.keys()) await listen(client, channel);
    } catch (error) {
      void endQuickly(client);
      throw error;
    }
    this.#client = client;
  }

  async on(channel: string, hear: (payload: string) => void): Promise<void> {
    const hearers = this.#hearers.get(channel);
    if (hearers) hearers.push(hear);
    else this.#hearers.set(channel, [hear]);
    const client = this.#client;
    // Without a connection the next one listens to every known channel.
    if (!client) return this.#reopening;
    try {
      await listen(client, channel);
    } catch (error) {
      this.#lost(client, error);
      await this.#reopening;
    }
  }

  onReconnect(hear: () => void): void {
    this.#reconnectHearers.push(hear);
  }

  async notify(channel: string, payload: string): Promise<void> {
    const client = this.#client;
    if (!client) throw new Error("the database connection for notifications is down");
    try {
      await client.query("select pg_notify($1, $2)", [channel, payload]);
    } catch (error) {
      // A server that does not answer here tells us nothing either: what it would have told counts as lost.
      if (!(error instanceof DatabaseError)) this.#lost(client, error);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const client = this.#client;
    this.#client = undefined;
    if (client) await endQuickly(client);
    await this.#reopening;
  }

  #hear(channel: string, payload: string): void {
    for (const hear of this.#hearers.get(channel) ?? []) {
      try {
        hear(payload);
      } catch (error) {
        // One deaf listener must not keep the others from hearing.
        this.#log.error({ err: error, channel }, "a notification was not taken");
      }
    }
  }

  #tellReconnected(): void {
    for (const hear of this.#reconnectHearers) {
      try {
        hear();
      } catch (error) {
        this.#log.error({ err: error }, "a listener did not take the news of the new connection");
      }
    }
  }

  #lost(client: Client, error?: unknown): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    if (this.#closing.signal.aborted) return;
    this.#log.warn({ err: error }, "the database connection for notifications was lost");
    void endQuickly(client);
    this.#reopening = this.#reopen();
  }

  async #reopen(): Promise<void> {
    for (let pauseMs = firstPauseMs; !this.#closing.signal.aborted; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      try {
        await this.open();
        this.#log.info("the database connection for notifications is back");
        this.#tellReconnected();
        return;
      } catch (error) {
        this.#log.debug({ err: error }, "the database connection for notifications is not back yet");
      }
      await wait(pauseMs, undefined, { signal: this.#closing.signal }).catch(() => undefined);
    }
  }
}

/** Ends the connection. A server that is silent is not waited for. */
async function endQuickly(client: Client): Promise<void> {
  const { connection } = client as unknown as { connection: { stream: Duplex } };
  const impatience = setTimeout(() => connection.stream.destroy(), goodbyeMs);
  await client.end().catch(() => undefined);
  clearTimeout(impatience);
}

async function listen(client: Client, channel: string): Promise<void> {
  await client.query(`listen ${client.escapeIdentifier(channel)}`);
}
