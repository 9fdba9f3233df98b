import { passesRole } from "@fairway/contract/access";
import { liveHeartbeatMs } from "@fairway/contract/live";
import type { Limits } from "@fairway/contract/limits";
import type { BaseLogger } from "pino";
import { CoalescedRuns } from "#process/coalesced-runs.ts";
import { Refusal } from "#http/refusal.ts";
import type { Identity } from "#identity/identity.ts";
import type { LiveAudience, LiveChange } from "#database/live-changes.ts";
import { LiveStream, type StreamUser } from "./live-stream.ts";

export interface LiveStreamsParts {
  readonly identity: Pick<Identity, "usersOf" | "onSessionsChanged">;
  readonly limits: Pick<Limits, "liveStreams" | "liveStreamsPerUser">;
  /** Of the web app that this gateway serves; null if it serves none. */
  readonly build: string | null;
  /** Aborted once the portal is asked to stop. */
  readonly stopping: AbortSignal;
  readonly log: Pick<BaseLogger, "warn">;
  /** For tests. */
  readonly heartbeatMs?: number;
  readonly sessionCheckMs?: number;
}

/** Upper bound on how long a stream outlives its session if a NOTIFY is missed. */
const defaultSessionCheckMs = 60_000;
/** Of the lifetime of a token, what is left for coming back with the next one, at most. */
const maxRenewalMs = 30_000;
const renewalShare = 0.1;
/** Clients of a gateway that stops come back at random within this time. */
const returnMs = { min: 500, max: 5_000 };

/** The open streams of this gateway. */
export class LiveStreams {
  readonly #parts: LiveStreamsParts;
  readonly #open = new Set<LiveStream>();
  readonly #countByUser = new Map<string, number>();
  readonly #unchecked = new Set<LiveStream>();
  readonly #checks: CoalescedRuns;
  readonly #timers: readonly NodeJS.Timeout[];
  #isStopping = false;

  constructor(parts: LiveStreamsParts) {
    this.#parts = parts;
    const { identity, stopping, heartbeatMs = liveHeartbeatMs, sessionCheckMs = defaultSessionCheckMs } = parts;
    this.#checks = new CoalescedRuns(() => this.#checkSessions());
    identity.onSessionsChanged((mayHaveChanged) => this.#check([...this.#open].filter(({ user }) => mayHaveChanged(user))));
    this.#timers = [
      setInterval(() => this.#beat(), heartbeatMs).unref(),
      setInterval(() => this.#check([...this.#open]), sessionCheckMs).unref(),
    ];
    if (stopping.aborted) this.stop();
    else stopping.addEventListener("abort", () => this.stop(), { once: true });
  }

  get size(): number {
    return this.#open.size;
  }

  /** Opens a stream that ends before the token does. Refuses with `too-many-requests` and `not-ready`. */
  open(user: StreamUser, tokenEndsMs: number): LiveStream {
    this.#requireRoom(user.id);
    const leftMs = tokenEndsMs - Date.now();
    // At random, so that streams that were opened together do not come back together.
    const renewalMs = Math.min(maxRenewalMs, leftMs * renewalShare) * (1 + Math.random());
    const stream = new LiveStream(user, tokenEndsMs - renewalMs);
    this.#open.add(stream);
    this.#countByUser.set(user.id, this.#countOf(user.id) + 1);
    stream.body.once("close", () => this.#forget(stream));
    stream.send({ kind: "open", build: this.#parts.build });
    // The session may have ended since the call was admitted.
    this.#check([stream]);
    return stream;
  }

  publish(changes: readonly LiveChange[] | undefined): void {
    for (const stream of this.#open) {
      if (changes === undefined) stream.send({ kind: "everything" });
      else
        for (const { topic, id = null } of changes.filter((change) => isFor(change.audience, stream.user)))
          stream.send({ kind: "changed", topic, id });
    }
  }

  /** Ends all streams and refuses new ones. */
  stop(): void {
    this.#isStopping = true;
    for (const stream of this.#open) stream.end("stopping", returnMs.min + Math.random() * (returnMs.max - returnMs.min));
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.stop();
    for (const { body } of this.#open) body.destroy();
    await this.#checks.close();
  }

  #requireRoom(userId: string): void {
    const { liveStreams, liveStreamsPerUser } = this.#parts.limits;
    if (this.#isStopping) throw new Refusal("not-ready", "The portal is stopping.", { retryAfterSeconds: 2 });
    // Of several streams, one is always left to others.
    if (this.#countOf(userId) >= Math.max(1, Math.min(liveStreamsPerUser, liveStreams - 1))) {
      throw new Refusal("too-many-requests", "Too many browsers with your account get live changes already.", { retryAfterSeconds: 60 });
    }
    if (this.#open.size >= liveStreams) {
      throw new Refusal("not-ready", "The portal sends live changes to as many browsers as it can.", { retryAfterSeconds: 60 });
    }
  }

  #countOf(userId: string): number {
    return this.#countByUser.get(userId) ?? 0;
  }

  #forget(stream: LiveStream): void {
    if (!this.#open.delete(stream)) return;
    const { id } = stream.user;
    const left = this.#countOf(id) - 1;
    if (left > 0) this.#countByUser.set(id, left);
    else this.#countByUser.delete(id);
  }

  #beat(): void {
    for (const stream of this.#open) stream.beat();
  }

  #check(streams: readonly LiveStream[]): void {
    if (streams.length === 0) return;
    for (const stream of streams) this.#unchecked.add(stream);
    // The database is away: the regular check tries again, and what events are about is authorized anyway.
    this.#checks
      .request()
      .catch((error: unknown) =>
        this.#parts.log.warn({ err: error }, "the sessions of live streams could not be checked; they are checked again"),
      );
  }

  async #checkSessions(): Promise<void> {
    const streams = [...this.#unchecked];
    this.#unchecked.clear();
    const users = await this.#parts.identity.usersOf(streams.map(({ user }) => user.sessionId));
    for (const stream of streams) {
      const user = users.get(stream.user.sessionId);
      if (user === undefined || user.id !== stream.user.id) stream.end("ended");
      else {
        // The rules of datasets depend on both.
        if (!isSameReader(stream.user, user)) stream.send({ kind: "changed", topic: "datasets", id: null });
        stream.user = user;
      }
    }
  }
}

const isSameReader = (before: StreamUser, now: StreamUser): boolean =>
  isSameSet(before.roles, now.roles) && isSameSet(before.groupNames, now.groupNames);

const isSameSet = (some: readonly string[], others: readonly string[]): boolean =>
  JSON.stringify(some.toSorted()) === JSON.stringify(others.toSorted());

function isFor(audience: LiveAudience, { id, roles, lacksSecondFactor }: StreamUser): boolean {
  if (audience === "everyone") return true;
  if ("users" in audience) return audience.users.includes(id);
  return audience.roles.some((role) => passesRole(roles, role) && !(role === "admin" && lacksSecondFactor === true));
}
