import { randomUUID } from "node:crypto";
import type { DatasetRef } from "@fairway/contract/datasets";
import type { Limits } from "@fairway/contract/limits";
import { type ColumnType, type Generated, type JSONColumnType, type Kysely, sql } from "kysely";
import type { BaseLogger } from "pino";
import type { Job, JobKind } from "#background/jobs.ts";
import type { Database } from "#database/schema.ts";
import { DatabaseUnavailable } from "#database/unavailable.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import type { LiveReporter } from "#database/live-changes.ts";
import type { MasterKey } from "#secrets/master-key.ts";
import type { AddressPolicy } from "#outbound/address-policy.ts";
import type { TransactionalNotifier } from "#personal/notify.ts";
import type { CanRead } from "#personal/readable-dataset.ts";
import { type ScopeKeys, type ScopeKeysOf, seesTheSame } from "#personal/scope-keys.ts";
import { lockUser } from "#personal/lock-user.ts";
import { asCaller, personOwner } from "#turns/caller.ts";
import { deadWebhookText, notificationOf } from "./messages.ts";
import { DeliveryFailed, postWebhook, type WebhookTimeouts } from "./webhook-call.ts";
import { decryptTarget } from "./webhook-target.ts";

declare module "#database/schema.ts" {
  interface Database {
    alert_webhooks: {
      alert_id: string;
      /** Encrypted, see `webhook-target.ts`. */
      target: string;
      /** Last delivery error; empty on success. */
      problem: Generated<string>;
      /** Set once it gets no messages any more. */
      dead_at: Date | null;
    };
    alert_deliveries: {
      id: string;
      alert_id: string;
      /** JSON. */
      body: string;
      /** Whether it reports rows, which its owner must be able to read. */
      needs_dataset: boolean;
      /** The parts of the datasets that its owner saw when it was made. */
      scope_keys: JSONColumnType<ScopeKeys> | null;
      attempts: Generated<number>;
      next_attempt_at: ColumnType<Date, Date | undefined, Date>;
      claim: string | null;
      claimed_until: Date | null;
      created_at: ColumnType<Date, never, never>;
    };
  }
}

/** Of one alert, while its webhook does not answer; older ones are dropped. */
const maxWaiting = 100;

export interface NewDelivery {
  readonly id: string;
  readonly body: string;
  readonly needsDataset: boolean;
  readonly scopeKeys?: ScopeKeys;
}

/** Hands a message over to the webhook of an alert, if it has one that gets messages. */
export async function addDeliveries(db: Kysely<Database>, alertId: string, deliveries: readonly NewDelivery[]): Promise<void> {
  for (const { id, body, needsDataset, scopeKeys } of deliveries) {
    await sql`
      insert into alert_deliveries (id, alert_id, body, needs_dataset, scope_keys)
      select ${id}, alert_id, ${body}, ${needsDataset}, ${scopeKeys === undefined ? null : JSON.stringify(scopeKeys)}::jsonb from alert_webhooks where alert_id = ${alertId} and dead_at is null`.execute(
      db,
    );
  }
  if (deliveries.length === 0) return;
  await sql`
    delete from alert_deliveries where id in (
      select id from alert_deliveries where alert_id = ${alertId} order by created_at desc, id offset ${maxWaiting}
    )`.execute(db);
}

export interface DeliveryParts {
  readonly db: Kysely<Database>;
  readonly masterKey: MasterKey;
  /** Addresses that webhooks may have. */
  readonly addresses: AddressPolicy;
  readonly canRead: CanRead;
  readonly scopeKeysOf: ScopeKeysOf;
  readonly findOwner: (userId: string) => Promise<SignedInUser | undefined>;
  readonly notifier: Pick<TransactionalNotifier, "notifyWithin">;
  readonly live: LiveReporter;
  readonly limits: Pick<Limits, "alertWebhookAttempts">;
  readonly log: Pick<BaseLogger, "warn" | "error">;
  readonly pollMs?: number;
  /** The pause after the first attempt; each further one is four times as long. */
  readonly retrySeconds?: number;
  /** Of one attempt. Together well below the lease, which nobody renews. */
  readonly timeouts?: WebhookTimeouts;
}

interface Claimed {
  readonly id: string;
  readonly alert_id: string;
  readonly body: string;
  readonly needs_dataset: boolean;
  readonly scope_keys: ScopeKeys | null;
  readonly attempts: number;
  readonly claim: string;
  readonly user_id: string;
  readonly name: string;
  readonly email: boolean;
  readonly category: string;
  readonly dataset_id: string;
  readonly target: string;
}

const leaseSeconds = 60;
const maxPauseSeconds = 21_600;
/** After what is not the receiver's fault. */
const failedSeconds = 5;

/** Posts messages to webhooks, on any of the gateways. Decision 0605. */
export class Deliveries implements JobKind<Claimed> {
  /** They wait for others rather than work. So many people would have to name webhooks that hang before anyone else waits. */
  readonly atOnce = 32;
  readonly pollMs: number | undefined;
  readonly #parts: DeliveryParts;

  constructor(parts: DeliveryParts) {
    this.pollMs = parts.pollMs;
    this.#parts = parts;
  }

  /**
   * Webhooks that hang must not keep others waiting: one delivery of each user at a time, oldest first, and those of users with a
   * webhook that failed last.
   */
  async claim(count: number): Promise<Claimed[]> {
    const isFree = sql<boolean>`(alert_deliveries.claimed_until is null or alert_deliveries.claimed_until <= now())`;
    const { rows } = await sql<Claimed>`
      with chosen as (
        select distinct on (alerts.user_id) alert_deliveries.id, next_attempt_at, exists (
          select from alert_webhooks failing join alerts of on of.id = failing.alert_id
          where of.user_id = alerts.user_id and failing.problem <> ''
        ) as has_failed
        from alert_deliveries join alerts on alerts.id = alert_id
        where next_attempt_at <= now() and ${isFree} and not exists (
          select from alert_deliveries busy join alerts of on of.id = busy.alert_id
          where of.user_id = alerts.user_id and busy.claimed_until > now()
        )
        order by alerts.user_id, next_attempt_at, alert_deliveries.created_at, alert_deliveries.id
      ), locked as (
        select id from alert_deliveries
        where id in (select id from chosen order by has_failed, next_attempt_at limit ${count}) and ${isFree} for update skip locked
      )
      update alert_deliveries set claim = ${randomUUID()}, claimed_until = now() + make_interval(secs => ${leaseSeconds})
      from alerts, alert_webhooks
      where alert_deliveries.id in (select id from locked) and alerts.id = alert_deliveries.alert_id
        and alert_webhooks.alert_id = alert_deliveries.alert_id
      returning alert_deliveries.id, alert_deliveries.alert_id, body, needs_dataset, alert_deliveries.scope_keys, attempts, alert_deliveries.claim, user_id, name, email,
        category, dataset_id, target`.execute(this.#parts.db);
    return rows;
  }

  async run(delivery: Claimed, job: Job): Promise<void> {
    try {
      if (await this.#isAllowed(delivery)) await this.#post(delivery, job);
      else await this.#drop(delivery);
    } catch (error) {
      if (error instanceof DeliveryFailed) return job.persist(() => this.#fail(delivery, error));
      if (job.signal.aborted) return;
      await this.#giveBack(delivery, failedSeconds);
      if (!(error instanceof DatabaseUnavailable)) {
        this.#parts.log.error({ err: error, alert: delivery.alert_id }, "a message could not be sent to a webhook");
      }
    }
  }

  release(delivery: Claimed): Promise<void> {
    return this.#giveBack(delivery, 0);
  }

  couldNotLook(error: unknown): void {
    this.#parts.log.warn({ err: error }, "could not look for messages to webhooks; retrying");
  }

  /** Its lease ends, and the message is sent again, with the same id. */
  failed(error: unknown): void {
    this.#parts.log.error({ err: error }, "could not store what became of a message");
  }

  /** Retries may come hours later: by then, the owner may have lost the dataset, or see something else of it. */
  async #isAllowed({ user_id: userId, needs_dataset: needsDataset, scope_keys: scopeKeys, ...alert }: Claimed): Promise<boolean> {
    const { findOwner, canRead, scopeKeysOf } = this.#parts;
    const owner = await findOwner(userId);
    if (owner === undefined) return false;
    const dataset: DatasetRef = { datasetCategory: alert.category, datasetId: alert.dataset_id };
    return !needsDataset || ((await canRead(owner, dataset)) && seesTheSame(scopeKeysOf, owner, dataset, scopeKeys));
  }

  async #post(delivery: Claimed, { signal, persist }: Job): Promise<void> {
    const { masterKey, addresses, db, timeouts } = this.#parts;
    const target = decryptTarget(masterKey, delivery.alert_id, delivery.target);
    if (target === undefined) throw new DeliveryFailed("was stored with another master key", { isFinal: true });
    // Its lookup takes its turn as that of its owner.
    await asCaller({ owner: personOwner(delivery.user_id) }, () => postWebhook(addresses, target, delivery, signal, timeouts));
    await persist(async () => {
      await db
        .updateTable("alert_webhooks")
        .set({ problem: "" })
        .where("alert_id", "=", delivery.alert_id)
        .where("problem", "<>", "")
        .execute();
      await this.#drop(delivery);
    });
  }

  async #drop({ id, claim }: Claimed): Promise<void> {
    await this.#parts.db.deleteFrom("alert_deliveries").where("id", "=", id).where("claim", "=", claim).execute();
  }

  async #giveBack({ id, claim }: Claimed, seconds: number): Promise<void> {
    const free = { claim: null, claimed_until: null, next_attempt_at: sql<Date>`now() + make_interval(secs => ${seconds})` };
    await this.#parts.db.updateTable("alert_deliveries").set(free).where("id", "=", id).where("claim", "=", claim).execute();
  }

  async #fail(delivery: Claimed, failure: DeliveryFailed): Promise<void> {
    const { db, limits, notifier, live, retrySeconds = 10 } = this.#parts;
    const attempts = delivery.attempts + 1;
    const isDead = failure.isFinal || attempts >= limits.alertWebhookAttempts;
    const pauseSeconds = Math.min(maxPauseSeconds, retrySeconds * 4 ** (attempts - 1));
    const notifyTabs = await db.transaction().execute(async (trx) => {
      if (isDead) await lockUser(trx, delivery.user_id);
      const { numUpdatedRows } = await trx
        .updateTable("alert_deliveries")
        .set({ attempts, claim: null, claimed_until: null, next_attempt_at: sql<Date>`now() + make_interval(secs => ${pauseSeconds})` })
        .where("id", "=", delivery.id)
        .where("claim", "=", delivery.claim)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) return undefined;
      const webhook = trx.updateTable("alert_webhooks").where("alert_id", "=", delivery.alert_id);
      if (!isDead) {
        await webhook.set({ problem: failure.message }).execute();
        return undefined;
      }
      const { numUpdatedRows: died } = await webhook
        .set({ problem: failure.message, dead_at: sql<Date>`now()` })
        .where("dead_at", "is", null)
        .executeTakeFirstOrThrow();
      await trx.deleteFrom("alert_deliveries").where("alert_id", "=", delivery.alert_id).execute();
      if (died === 0n) return undefined;
      const text = deadWebhookText(delivery.name, failure.message);
      return notifier.notifyWithin(trx, [delivery.user_id], notificationOf(delivery, text));
    });
    notifyTabs?.();
    live.report({ topic: "alerts", audience: { users: [delivery.user_id] } });
  }
}
