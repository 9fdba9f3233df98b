import { randomUUID } from "node:crypto";
import { subscriptionLimits } from "@fairway/contract/subscriptions";
import type { DatasetRef } from "@fairway/contract/datasets";
import type { Transaction } from "kysely";
import type { BaseLogger } from "pino";
import { type Job, type JobKind, wasInterruptedBy } from "#background/jobs.ts";
import { isMailAddress } from "#config/mail-settings.ts";
import type { LiveReporter } from "#database/live-changes.ts";
import type { Database } from "#database/schema.ts";
import { DatabaseUnavailable } from "#database/unavailable.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import { type Mail, MailFailed, type MailSender } from "#outbound/mail.ts";
import type { NewNotification, TransactionalNotifier } from "#personal/notify.ts";
import type { CanRead } from "#personal/readable-dataset.ts";
import { areSameKeys, type ScopeKeysOf } from "#personal/scope-keys.ts";
import { datasetsOf, gather, type Gathered, type Gathering, type Searches } from "./gather.ts";
import { messageOf, notReadyOf } from "./message.ts";
import { isMissed } from "./schedule.ts";
import { type ClaimedSubscription, type Digests, type Outcome, type SubscriptionStore, timesOf } from "./store.ts";
import type { FindSubject } from "./subjects.ts";

export interface MailingParts {
  readonly store: SubscriptionStore;
  readonly searches: Searches;
  readonly charts: Gathering["charts"];
  readonly canRead: CanRead;
  readonly scopeKeysOf: ScopeKeysOf;
  /** The user's current account; undefined if it is locked. */
  readonly findOwner: (userId: string) => Promise<SignedInUser | undefined>;
  readonly addressOf: (userId: string) => Promise<string | null>;
  readonly findSubject: FindSubject;
  /** Undefined = the portal sends no emails. */
  readonly mailSender: Pick<MailSender, "send"> | undefined;
  readonly portalTitle: () => Promise<string>;
  /** The portal's address, for links. */
  readonly publicUrl: string | undefined;
  /** Path of the page that ends a subscription, within the portal. */
  readonly endingPath: (subscriptionId: string) => string;
  readonly allowsRows: boolean;
  readonly notifier: Pick<TransactionalNotifier, "notifyWithin">;
  readonly live: LiveReporter;
  readonly log: Pick<BaseLogger, "info" | "warn" | "error">;
  readonly pollMs?: number | undefined;
  readonly gatherMs?: number | undefined;
  /** Between the attempts of one turn. */
  readonly retrySeconds?: readonly number[] | undefined;
}

/** Nothing can be sent until something changes. The message is a sentence for the owner. */
class Unsendable extends Error {
  /** Whether it can never be sent again. */
  readonly isFinal: boolean;
  constructor(message: string, { isFinal = false } = {}) {
    super(message);
    this.isFinal = isFinal;
  }
}

/** The attempt failed, and another one may not. The message is a sentence for the owner. */
class NotSent extends Error {}

interface Prepared {
  readonly mail: Mail;
  readonly gathered: Gathered;
  readonly digests: Digests | undefined;
  /** Whether it says the same as the last delivery. */
  readonly isUnchanged: boolean;
}

const attemptWaits = [120, 480, 1_920] as const;
const link = "/alerts/emails";

/** Sends what is due, on any of the gateways. */
export class Mailings implements JobKind<ClaimedSubscription> {
  readonly atOnce = 2;
  readonly pollMs: number;
  readonly #parts: MailingParts;

  constructor(parts: MailingParts) {
    this.#parts = parts;
    this.pollMs = parts.pollMs ?? 5_000;
  }

  claim(count: number): Promise<ClaimedSubscription[]> {
    return this.#parts.store.claim(count, randomUUID());
  }

  async run(subscription: ClaimedSubscription, job: Job): Promise<void> {
    const startedMs = Date.now();
    try {
      if (await this.#endInterrupted(subscription, job)) return;
      await this.#deliver(subscription, job, startedMs);
    } catch (error) {
      if (wasInterruptedBy(job.signal, "closing")) return;
      if (error instanceof DatabaseUnavailable) await job.persist(() => this.#parts.store.postpone(subscription, 0));
      else await this.#fail(subscription, job, startedMs, this.#failureOf(error));
    }
  }

  release(subscription: ClaimedSubscription): Promise<void> {
    return this.#parts.store.postpone(subscription, 0);
  }

  couldNotLook(error: unknown): void {
    this.#parts.log.warn({ err: error }, "could not look for subscriptions to send; retrying");
  }

  /** Its lease ends, and the run is repeated, unless its email may have been accepted. */
  failed(error: unknown, { id }: ClaimedSubscription): void {
    this.#parts.log.error({ err: error, subscription: id }, "could not store what became of a subscription");
  }

  /** An email that was being sent when its gateway ended may have been accepted: it is not sent again. True if that was this run. */
  async #endInterrupted(subscription: ClaimedSubscription, { persist }: Job): Promise<boolean> {
    const { store } = this.#parts;
    const interrupted = await store.interrupted(subscription);
    if (interrupted === undefined) return false;
    const reason = "The portal stopped while it sent this email, which may have arrived.";
    const isThisRun = interrupted.is_asked || subscription.last_day === subscription.run_day;
    if (!isThisRun) {
      await store.endInterrupted(interrupted.id, reason);
      return false;
    }
    const outcome: Outcome = { kind: "unsure", reason, startedMs: Date.now(), deliveryId: interrupted.id };
    await persist(() => store.finish({ ...subscription, is_asked: interrupted.is_asked }, outcome));
    this.#notifyTabs(subscription);
    return true;
  }

  async #deliver(subscription: ClaimedSubscription, job: Job, startedMs: number): Promise<void> {
    const { store, mailSender, log } = this.#parts;
    const day = subscription.run_day;
    if (!subscription.is_asked && day !== null && isMissed(timesOf(subscription), day, startedMs)) {
      const reason = "The portal was not running at that time.";
      return this.#finish(subscription, job, { kind: "missed", startedMs, reason });
    }
    const prepared = await this.#prepare(subscription, job, startedMs);
    if (prepared === undefined) return;
    const { mail, gathered, digests, isUnchanged } = prepared;
    const stored = { startedMs, notReady: notReadyOf(gathered), ...(digests === undefined ? {} : { digests }) };
    if (isUnchanged) return this.#succeed(subscription, job, { ...stored, kind: "unchanged" });
    if (mailSender === undefined) throw new Unsendable("This portal sends no emails.");
    const deliveryId = await job.persist(() => store.markSending(subscription, startedMs));
    if (deliveryId === null) return;
    try {
      await mailSender.send(mail);
    } catch (error) {
      if (!(error instanceof MailFailed))
        log.error({ err: error, subscription: subscription.id }, "an email of a subscription could not be sent");
      else log.warn({ subscription: subscription.id, reason: error.message }, "an email of a subscription could not be sent");
      if (error instanceof MailFailed && !error.mayHaveArrived) {
        return this.#fail(subscription, job, startedMs, new NotSent("The mail server did not accept the email."), deliveryId);
      }
      const reason = "The connection to the mail server ended while the email was sent, which may have arrived.";
      return this.#finish(subscription, job, { ...stored, kind: "unsure", reason, deliveryId });
    }
    await this.#succeed(subscription, job, { ...stored, kind: "sent", deliveryId });
  }

  /** The email with the rights that its owner has right before it is sent; undefined if they changed meanwhile, so that it has to be made anew. */
  async #prepare(subscription: ClaimedSubscription, { signal, persist }: Job, nowMs: number): Promise<Prepared | undefined> {
    const {
      store,
      searches,
      charts,
      portalTitle,
      publicUrl,
      endingPath,
      allowsRows,
      gatherMs = subscriptionLimits.gatherSeconds * 1_000,
    } = this.#parts;
    const { owner, to, readable } = await this.#readable(subscription);
    const { scopeKeysOf } = this.#parts;
    const datasets = datasetsOf(readable.subject);
    const scopeKeys = await scopeKeysOf(owner, datasets);
    const isCompared = subscription.only_if_changed;
    const gathered = await gather(readable.subject, {
      searches,
      charts,
      owner,
      zone: subscription.zone,
      nowMs,
      isCompared,
      withFile: allowsRows && subscription.with_rows,
      signal: AbortSignal.any([signal, AbortSignal.timeout(gatherMs)]),
    });
    signal.throwIfAborted();
    requireSomething(gathered);
    // An outage does not cost what was gathered.
    const isAllowed = await persist(async () => {
      const now = await this.#readable(subscription);
      const isSameContent = now.to === to && now.readable.version === readable.version;
      return (
        isSameContent && areSameKeys(await scopeKeysOf(now.owner, datasets), scopeKeys) && (await this.#canReadAll(now.owner, datasets))
      );
    });
    if (!isAllowed) {
      await store.postpone(subscription, 1);
      return undefined;
    }
    const digests = isCompared ? digestsOf(gathered, subscription.digests) : undefined;
    const isReady = notReadyOf(gathered).length === 0;
    const isUnchanged = !subscription.is_asked && isReady && isCompared && isSame(digests, subscription.digests);
    const address = (path: string | null) => (path === null || publicUrl === undefined ? null : publicUrl + path);
    const mail = messageOf({
      to,
      name: subscription.name,
      portalTitle: await portalTitle(),
      link: address(readable.link),
      endingLink: address(endingPath(subscription.id)),
      zone: subscription.zone,
      nowMs,
      gathered,
    });
    return { mail, gathered, digests, isUnchanged };
  }

  /** Content and recipient as they are now. */
  async #readable({ user_id: userId, board_id: boardId, saved_search_id: savedSearchId }: ClaimedSubscription) {
    const { findOwner, addressOf, findSubject, mailSender } = this.#parts;
    if (mailSender === undefined) throw new Unsendable("This portal sends no emails.");
    const owner = await findOwner(userId);
    if (owner === undefined) throw new Unsendable("The account is locked.");
    const to = await addressOf(userId);
    if (to === null || !isMailAddress(to)) throw new Unsendable("Your account has no email address.");
    const readable = await findSubject(owner, boardId === null ? { savedSearchId: savedSearchId ?? "" } : { boardId });
    const noun = boardId === null ? "saved search" : "board";
    if (readable === "gone") throw new Unsendable(`Its ${noun} was deleted.`, { isFinal: true });
    if (readable === "unreadable") throw new Unsendable(`You no longer have access to its ${noun}.`);
    return { owner, to, readable };
  }

  async #canReadAll(owner: SignedInUser, datasets: readonly DatasetRef[]): Promise<boolean> {
    const readable = await Promise.all(datasets.map((dataset) => this.#parts.canRead(owner, dataset)));
    return readable.every(Boolean);
  }

  async #fail(
    subscription: ClaimedSubscription,
    job: Job,
    startedMs: number,
    failure: Unsendable | NotSent,
    deliveryId?: string,
  ): Promise<void> {
    const { retrySeconds = attemptWaits } = this.#parts;
    const outcome = { kind: "failed", reason: failure.message, startedMs, ...(deliveryId === undefined ? {} : { deliveryId }) } as const;
    if (subscription.is_asked) return this.#finish(subscription, job, outcome);
    const wait = failure instanceof NotSent ? retrySeconds[subscription.attempts] : undefined;
    if (wait !== undefined) return this.#finish(subscription, job, { ...outcome, retrySeconds: wait });
    const isFinal = failure instanceof Unsendable && failure.isFinal;
    const pause = { reason: failure.message, isFinal };
    const text = isFinal ? failure.message : `${failure.message} It is tried again on the next chosen day.`;
    const message = { title: `${subscription.name} is paused`, text, link, email: "at-once" } as const;
    return this.#finish(subscription, job, { ...outcome, pause }, subscription.is_paused ? undefined : message);
  }

  /** A turn that could be taken ends a pause. */
  async #succeed(subscription: ClaimedSubscription, job: Job, outcome: Outcome): Promise<void> {
    const { is_paused: isPaused, is_asked: isAsked, name } = subscription;
    if (!isPaused || isAsked) return this.#finish(subscription, job, outcome);
    return this.#finish(subscription, job, { ...outcome, pause: null }, { title: `${name} is active again`, link, email: "never" });
  }

  /** Stores the outcome, and the message for the portal together with it, so that a gateway that ends meanwhile loses none. */
  async #finish(subscription: ClaimedSubscription, { persist }: Job, outcome: Outcome, message?: NewNotification): Promise<void> {
    const { store, notifier } = this.#parts;
    let notifyTabs = () => {};
    const notify = async (transaction: Transaction<Database>, notification: NewNotification) => {
      notifyTabs = await notifier.notifyWithin(transaction, [subscription.user_id], notification);
    };
    const stored = await persist(() =>
      store.finish(subscription, { ...outcome, ...(message !== undefined && { notify: (trx) => notify(trx, message) }) }),
    );
    if (stored) notifyTabs();
    this.#notifyTabs(subscription);
  }

  #notifyTabs({ user_id: userId }: ClaimedSubscription): void {
    this.#parts.live.report({ topic: "alerts", audience: { users: [userId] } });
  }

  #failureOf(error: unknown): Unsendable | NotSent {
    if (error instanceof Unsendable || error instanceof NotSent) return error;
    if (error instanceof Refusal) return new Unsendable(error.message);
    this.#parts.log.error({ err: error }, "a subscription could not be gathered");
    return new NotSent("Something went wrong on the server.");
  }
}

/** A message has to say something of its data. */
function requireSomething({ parts }: Gathered): void {
  const searched = parts.filter(({ content }) => content.kind !== "text");
  if (searched.length > 0 && searched.every(({ content }) => content.kind === "not-ready")) {
    throw new NotSent(`Nothing was ready within ${subscriptionLimits.gatherSeconds} seconds.`);
  }
  const [only] = parts;
  if (only?.key === "search" && only.content.kind === "problem") throw new NotSent(only.content.text);
}

/** Parts that were not ready keep the digest of before. */
const digestsOf = ({ parts }: Gathered, before: Digests | null): Digests =>
  Object.fromEntries(
    parts.flatMap(({ key, digest }) => {
      const known = digest ?? before?.[key];
      return known === undefined ? [] : [[key, known]];
    }),
  );

const isSame = (one: Digests | undefined, other: Digests | null): boolean => {
  const keys = Object.keys({ ...one, ...other });
  return one !== undefined && other !== null && keys.every((key) => one[key] === other[key]);
};
