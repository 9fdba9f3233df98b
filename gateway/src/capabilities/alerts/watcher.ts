import { createHash, randomUUID } from "node:crypto";
import type { AlertCheck } from "@fairway/contract/alerts";
import type { Limits } from "@fairway/contract/limits";
import { goneDatasetText, isOwnCategory } from "@fairway/contract/own-datasets";
import { parseSavedQuery, type SavedSearch } from "@fairway/contract/saved-searches";
import type { Transaction } from "kysely";
import type { BaseLogger } from "pino";
import { type Job, type JobKind, wasInterruptedBy } from "#background/jobs.ts";
import type { Database } from "#database/schema.ts";
import { DatabaseUnavailable } from "#database/unavailable.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import type { LiveReporter } from "#database/live-changes.ts";
import type { TransactionalNotifier } from "#personal/notify.ts";
import type { CanRead } from "#personal/readable-dataset.ts";
import { areSameKeys, areWhole, type ScopeKeys, type ScopeKeysOf, searchedDatasets } from "#personal/scope-keys.ts";
import { EngineFailed } from "#query/engine.ts";
import type { NewDelivery } from "./deliveries.ts";
import { type AlertMemory, judge } from "./judge.ts";
import { runCheck, type Searches, type MonitoredSearch } from "./run-check.ts";
import { alertsLink, notificationOf, pausedText, resumedText, textOf, webhookBody, type WebhookEvent } from "./messages.ts";
import { searchLink } from "#personal/search-link.ts";
import type { AlertRow, AlertStore, ClaimedAlert, CheckOutcome } from "./store.ts";
import { watchedSummary } from "./watched-summary.ts";

export interface WatcherParts {
  readonly store: AlertStore;
  readonly searches: Searches;
  readonly canRead: CanRead;
  /** A search that is the user's own or shared with the user, on a dataset that they may read now. */
  readonly findSavedSearch: (user: SignedInUser, id: string) => Promise<SavedSearch | "gone" | "unreadable">;
  readonly scopeKeysOf: ScopeKeysOf;
  /** The user's current account; undefined if it is locked. */
  readonly findOwner: (userId: string) => Promise<SignedInUser | undefined>;
  readonly notifier: Pick<TransactionalNotifier, "notifyWithin">;
  /** Called when there may be messages for webhooks. */
  readonly onDeliveries: () => void;
  /** The portal's address, for links outside of it. */
  readonly publicUrl: string | undefined;
  readonly live: LiveReporter;
  readonly limits: Pick<Limits, "alertChecksAtOnce" | "alertCheckMs" | "alertLateHours">;
  readonly log: Pick<BaseLogger, "info" | "warn" | "error">;
  readonly pollMs?: number;
}

/** The search cannot be looked at until something changes. The message is a sentence for the owner. */
class Unwatchable extends Error {
  /** Whether it can be looked at again some day. */
  readonly isFinal: boolean;
  constructor(message: string, { isFinal = false } = {}) {
    super(message);
    this.isFinal = isFinal;
  }
}

/** So many failures in a row pause an alert, unless the first one says that nothing can be found. */
const failuresUntilPause = 3;
/** The engine was busy: soon, but not at once. */
const busySeconds = 20;
/**
 * Failing searches are looked at less and less often, up to this many minutes apart, but not more often than others; whether a
 * dataset is back costs no query and is looked at this often.
 */
const maxRetryMinutes = 60;

/** Looks at what is due, on any of the gateways. */
export class AlertWatcher implements JobKind<ClaimedAlert> {
  readonly atOnce: number;
  readonly pollMs: number | undefined;
  /** The lease of a check is longer. */
  readonly timeoutMs: number;
  readonly #parts: WatcherParts;
  /** Looks under way, by person. */
  readonly #runningOf = new Map<string, number>();

  constructor(parts: WatcherParts) {
    this.atOnce = parts.limits.alertChecksAtOnce;
    this.pollMs = parts.pollMs;
    this.timeoutMs = parts.limits.alertCheckMs;
    this.#parts = parts;
  }

  /** Of several slots, one is always left to others: slow checks of one person keep nobody waiting. */
  claim(count: number): Promise<ClaimedAlert[]> {
    const perUser = Math.max(1, this.#parts.limits.alertChecksAtOnce - 1);
    return this.#parts.store.claim(count, randomUUID(), { perUser, runningOf: this.#runningOf });
  }

  async run(alert: ClaimedAlert, job: Job): Promise<void> {
    const { user_id: userId } = alert;
    this.#runningOf.set(userId, (this.#runningOf.get(userId) ?? 0) + 1);
    try {
      await this.#check(alert, job);
    } finally {
      const left = (this.#runningOf.get(userId) ?? 1) - 1;
      if (left > 0) this.#runningOf.set(userId, left);
      else this.#runningOf.delete(userId);
    }
  }

  release(alert: ClaimedAlert): Promise<void> {
    return this.#parts.store.postpone(alert, 0);
  }

  couldNotLook(error: unknown): void {
    this.#parts.log.warn({ err: error }, "could not look for due alerts; retrying");
  }

  /** Its lease ends, and the check is repeated. */
  failed(error: unknown, alert: ClaimedAlert): void {
    this.#parts.log.error({ err: error, alert: alert.id }, "could not store what an alert found");
  }

  async #check(alert: ClaimedAlert, job: Job): Promise<void> {
    const { store, limits, log } = this.#parts;
    const startedMs = performance.now();
    try {
      await this.#runCheck(alert, job, startedMs);
    } catch (error) {
      if (wasInterruptedBy(job.signal, "closing")) return;
      if (error instanceof DatabaseUnavailable) await store.postpone(alert, 0);
      else if (error instanceof EngineFailed && (error.reason === "busy" || error.reason === "too-many")) {
        await store.postpone(alert, busySeconds);
      } else await this.#fail(alert, job, failureOf(error, job.signal, limits.alertCheckMs, log), performance.now() - startedMs);
    }
  }

  async #runCheck(alert: ClaimedAlert, { signal, persist }: Job, startedMs: number): Promise<void> {
    const { searches, store, limits, findOwner } = this.#parts;
    const watched = await this.#watched(alert);
    const scopeKeys = await this.#scopeKeysOf(watched);
    const key = memoryKey(alert);
    // No message may compare what the owner saw before with what they see now.
    const isSameScope = alert.scope_keys === null ? areWhole(scopeKeys) : areSameKeys(alert.scope_keys, scopeKeys);
    const before: AlertMemory | null = isSameScope && alert.memory?.of === key ? alert.memory : null;
    const result = await runCheck(searches, watched, before, limits.alertLateHours * 3_600_000, signal);
    // An outage does not cost what was found.
    const owner = await persist(() => findOwner(alert.user_id));
    if (owner === undefined || !areSameKeys(scopeKeys, await this.#scopeKeysOf({ ...watched, owner }))) return store.postpone(alert, 0);
    const { isFiring, message, memory } = judge(
      { condition: alert.condition, tellWhenOver: alert.tell_when_over, isMuted: alert.is_snoozed },
      key,
      before,
      result,
    );
    const isResumed = alert.paused_by === "portal";
    const isNews = isFiring !== alert.is_firing || alert.checked_at === null || !isSameScope;
    const found = { dataset: watched.dataset, rows: result.rows, newRows: message?.kind === "new-rows" ? message.newRows : null };
    const messages: Message[] = [
      ...(isResumed && !alert.is_snoozed ? [{ type: "alert.resumed" as const, text: resumedText(alert.name), link: alertsLink }] : []),
      ...(message === null
        ? []
        : [
            {
              type: message.kind === "over" || message.kind === "figure-over" ? ("alert.over" as const) : ("alert.firing" as const),
              text: textOf(message, {
                name: alert.name,
                condition: alert.condition,
                dataset: watched.dataset,
                savedSearch: alert.saved_search_name ?? "",
              }),
              link:
                searchLink(watched.dataset, watched.query, { newestFirst: result.newestFirst, summary: watchedSummary(alert.condition) }) ??
                alertsLink,
              found,
            },
          ]),
    ];
    const prepared = this.#prepare(alert, messages, scopeKeys);
    const outcome: CheckOutcome = {
      check: {
        kind: isResumed ? "resumed" : isFiring ? "firing" : "ok",
        told: messages.length > 0 ? channelsOf(alert) : [],
        reason: "",
        durationMs: performance.now() - startedMs,
        isChange: isResumed || messages.length > 0 || isNews,
      },
      isFiring,
      memory,
      seen: result,
      scopeKeys,
      failures: 0,
      ...prepared.stored,
      pause: null,
      next: "in-turn",
    };
    if (!(await persist(() => store.finish(alert, outcome)))) return;
    prepared.afterwards();
    if (messages.length > 0 || isResumed || isNews) this.#notifyTabs(alert);
  }

  #scopeKeysOf({ owner, dataset, query }: MonitoredSearch): Promise<ScopeKeys> {
    return this.#parts.scopeKeysOf(owner, searchedDatasets(dataset, query));
  }

  /** The search to check, with the rights that its owner has now. */
  async #watched(alert: ClaimedAlert): Promise<MonitoredSearch> {
    const { findOwner, canRead } = this.#parts;
    const dataset = { datasetCategory: alert.category, datasetId: alert.dataset_id };
    if (alert.query === null) throw new Unwatchable("Its saved search was deleted.", { isFinal: true });
    const owner = await findOwner(alert.user_id);
    if (owner === undefined) throw new Unwatchable("The account is locked.");
    if (!(await canRead(owner, dataset)))
      throw new Unwatchable(
        isOwnCategory(alert.category) ? goneDatasetText : "The dataset no longer exists, or you no longer have access to it.",
      );
    if (!(await hasSearch(this.#parts, owner, alert))) throw new Unwatchable("Its saved search is no longer shared with you.");
    const parsed = parseSavedQuery(alert.query);
    if (!("query" in parsed)) throw new Unwatchable("Its saved search can no longer be read.");
    return { owner, dataset, query: parsed.query, condition: alert.condition };
  }

  async #fail(alert: ClaimedAlert, { persist }: Job, failure: Unwatchable | string, durationMs: number): Promise<void> {
    const failures = alert.failures + 1;
    const reason = typeof failure === "string" ? failure : failure.message;
    const isFinal = typeof failure !== "string" && failure.isFinal;
    const isPaused = typeof failure !== "string" || failures >= failuresUntilPause || alert.paused_by === "portal";
    const isNews = isPaused && alert.paused_by !== "portal";
    const text = isFinal ? { title: `${alert.name} is paused`, text: reason } : pausedText(alert.name, reason);
    const messages: Message[] = isNews && !alert.is_snoozed ? [{ type: "alert.paused", text, link: alertsLink }] : [];
    const prepared = this.#prepare(alert, messages);
    const outcome: CheckOutcome = {
      check: {
        kind: isNews ? "paused" : "failed",
        told: messages.length > 0 ? channelsOf(alert) : [],
        reason,
        durationMs,
        isChange: isNews || !isPaused,
      },
      isFiring: isPaused ? false : alert.is_firing,
      failures,
      ...prepared.stored,
      pause: isPaused ? { by: "portal", reason } : null,
      next: isFinal
        ? null
        : 60 * (typeof failure === "string" ? retryMinutes(alert.every_minutes, failures) : Math.min(alert.every_minutes, maxRetryMinutes)),
    };
    if (!(await persist(() => this.#parts.store.finish(alert, outcome)))) return;
    prepared.afterwards();
    this.#notifyTabs(alert);
  }

  #deliveriesOf(alert: ClaimedAlert, messages: readonly Message[], scopeKeys: ScopeKeys | undefined): NewDelivery[] {
    if (!hasWebhook(alert)) return [];
    const { id, name } = alert;
    return messages.map((message) => ({
      id: `msg_${randomUUID()}`,
      body: webhookBody({ ...message, alert: { id, name } }, Date.now(), this.#parts.publicUrl),
      needsDataset: message.found !== undefined,
      ...(scopeKeys === undefined || message.found === undefined ? {} : { scopeKeys }),
    }));
  }

  /** Stores the messages for the portal, email and webhook together with the check, so that a gateway that ends meanwhile loses none. */
  #prepare(alert: ClaimedAlert, messages: readonly Message[], scopeKeys?: ScopeKeys) {
    const { notifier, onDeliveries } = this.#parts;
    const notifyTabs: (() => void)[] = [];
    const notify = async (transaction: Transaction<Database>) => {
      for (const { text, link, found } of messages) {
        const figures = found === undefined ? {} : { dataset: found.dataset, ...(scopeKeys === undefined ? {} : { scopeKeys }) };
        const notification = { ...notificationOf(alert, text, link), ...figures };
        notifyTabs.push(await notifier.notifyWithin(transaction, [alert.user_id], notification));
      }
    };
    const stored: Pick<CheckOutcome, "deliveries" | "notify"> = {
      deliveries: this.#deliveriesOf(alert, messages, scopeKeys),
      ...(messages.length > 0 && { notify }),
    };
    const afterwards = () => {
      for (const notify of notifyTabs) notify();
      if (messages.length > 0) onDeliveries();
    };
    return { stored, afterwards };
  }

  #notifyTabs({ user_id: userId }: ClaimedAlert): void {
    this.#parts.live.report({ topic: "alerts", audience: { users: [userId] } });
  }
}

/** Whether the search of an alert is its owner's own or still shared with its owner. */
export async function hasSearch(
  { findSavedSearch }: Pick<WatcherParts, "findSavedSearch">,
  user: SignedInUser,
  { saved_search_id: id, saved_search_owner: searchOwner }: AlertRow,
): Promise<boolean> {
  return id !== null && (searchOwner === user.id || typeof (await findSavedSearch(user, id)) !== "string");
}

type Message = Omit<WebhookEvent, "alert">;

const hasWebhook = ({ webhook_target: target, webhook_dead_at: deadAt }: ClaimedAlert): boolean => target !== null && deadAt === null;

const channelsOf = (alert: ClaimedAlert): AlertCheck["told"] => [
  "portal",
  ...(alert.email ? (["email"] as const) : []),
  ...(hasWebhook(alert) ? (["webhook"] as const) : []),
];

const memoryKey = ({ query, condition }: ClaimedAlert): string =>
  createHash("sha256")
    .update(JSON.stringify([query, condition]))
    .digest("base64url");

const retryMinutes = (everyMinutes: number, failures: number): number =>
  Math.max(everyMinutes, Math.min(maxRetryMinutes, everyMinutes * 2 ** Math.min(failures - 1, 6)));

/** A text for what may pass by itself. */
function failureOf(error: unknown, signal: AbortSignal, timeoutMs: number, log: WatcherParts["log"]): Unwatchable | string {
  if (error instanceof Unwatchable) return error;
  if (error instanceof Refusal) return new Unwatchable(error.message);
  if (wasInterruptedBy(signal, "timed-out")) return `The search took longer than ${timeoutMs / 1_000} s and was stopped.`;
  if (!(error instanceof EngineFailed)) {
    log.error({ err: error }, "an alert could not look at its search");
    return "Something went wrong on the server.";
  }
  return error.reason === "not-ready" || error.reason === "unsupported" ? new Unwatchable(error.message) : error.message;
}
