import { setTimeout as wait } from "node:timers/promises";
import { liveTopics, type LiveTopic } from "@fairway/contract/live";
import type { BaseLogger } from "pino";
import { z } from "zod";
import type { Notifications } from "#database/notifications.ts";
import { asPortal } from "#turns/caller.ts";

/** Recipients: these users, the holders of any of these roles, or everyone signed in. */
export type LiveAudience = { readonly users: readonly string[] } | { readonly roles: readonly string[] } | "everyone";

/** Something has changed. What it is now has to be fetched, so that this says nothing that its audience may not know. */
export interface LiveChange {
  readonly topic: LiveTopic;
  /** Id of the changed thing; undefined = anything of the topic. */
  readonly id?: string | undefined;
  readonly audience: LiveAudience;
}

/** The seam for parts whose changes open tabs should show. */
export interface LiveReporter {
  /** Call it after the change is committed. It is passed on within a moment, together with others. Never throws. */
  report(change: LiveChange): void;
}

/** Called with changes that any gateway has reported; with undefined if some may have been missed. */
type Listener = (changes: readonly LiveChange[] | undefined) => void;

export interface LiveChangesParts {
  readonly notifications: Pick<Notifications, "on" | "onReconnect" | "notify">;
  readonly log: Pick<BaseLogger, "warn">;
  /** For tests. */
  readonly coalesceMs?: number;
}

const channel = "live";
const defaultCoalesceMs = 250;
const retryMs = 1_000;
/** PostgreSQL allows 7,999. */
const maxPayloadBytes = 7_500;
const maxUsersPerItem = 100;
/** More changes within one interval are passed on as one that names none of them. */
const maxPending = 1_000;

const item = z.object({
  t: z.enum([...liveTopics, "*"]),
  i: z.string().optional(),
  /** Neither users nor roles: everyone. */
  u: z.array(z.string()).optional(),
  r: z.array(z.string()).optional(),
});
type Item = z.infer<typeof item>;
const items = z.array(z.unknown());

/** Changes for open tabs, passed on between the gateways of one database. Decision 0510. */
export class LiveChanges implements LiveReporter {
  readonly #parts: LiveChangesParts;
  readonly #listeners: Listener[] = [];
  readonly #closing = new AbortController();
  #pending = new Map<string, Item>();
  #sending: Promise<void> | undefined;

  private constructor(parts: LiveChangesParts) {
    this.#parts = parts;
  }

  static async open(parts: LiveChangesParts): Promise<LiveChanges> {
    const changes = new LiveChanges(parts);
    await parts.notifications.on(channel, (payload) => changes.#onPayload(payload));
    parts.notifications.onReconnect(() => changes.#publish(undefined));
    return changes;
  }

  report({ topic, id, audience }: LiveChange): void {
    if (audience === "everyone") return this.#add({ t: topic, i: id });
    if ("roles" in audience) return this.#add({ t: topic, i: id, r: [...audience.roles] });
    for (let from = 0; from < audience.users.length; from += maxUsersPerItem) {
      this.#add({ t: topic, i: id, u: audience.users.slice(from, from + maxUsersPerItem) });
    }
  }

  subscribe(listener: Listener): void {
    this.#listeners.push(listener);
  }

  /** Passes on what is pending, if the database takes it. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#sending;
  }

  #add(change: Item): void {
    if (this.#pending.size >= maxPending) this.#pending = new Map([["*", { t: "*" }]]);
    else if (!this.#pending.has("*")) this.#pending.set(JSON.stringify(change), change);
    this.#sending ??= asPortal(() => this.#sendPending());
  }

  async #sendPending(): Promise<void> {
    const { coalesceMs = defaultCoalesceMs } = this.#parts;
    let hasFailed = false;
    while (this.#pending.size > 0) {
      await this.#pause(hasFailed ? retryMs : coalesceMs);
      const changes = this.#pending;
      this.#pending = new Map();
      hasFailed = !(await this.#send([...changes.values()]));
      if (!hasFailed) continue;
      if (this.#closing.signal.aborted) return;
      // Some of them may have been sent. A second notification is harmless.
      this.#pending = new Map([...changes, ...this.#pending]);
    }
    // Not in a `finally` of the promise: a change reported before it ran would wait for the next one.
    this.#sending = undefined;
  }

  async #send(changes: readonly Item[]): Promise<boolean> {
    try {
      for (const payload of payloadsOf(changes)) await this.#parts.notifications.notify(channel, payload);
      return true;
    } catch (error) {
      this.#parts.log.warn({ err: error }, "open tabs could not be told of changes yet");
      return false;
    }
  }

  async #pause(ms: number): Promise<void> {
    await wait(ms, undefined, { signal: this.#closing.signal }).catch(() => undefined);
  }

  #onPayload(payload: string): void {
    // A gateway of another release may know further topics.
    const received = items.parse(JSON.parse(payload)).flatMap((one) => item.safeParse(one).data ?? []);
    if (received.some(({ t }) => t === "*")) this.#publish(undefined);
    else this.#publish(received.flatMap(({ t, ...rest }) => (t === "*" ? [] : [changeOf(t, rest)])));
  }

  #publish(changes: readonly LiveChange[] | undefined): void {
    for (const listener of this.#listeners) listener(changes);
  }
}

const changeOf = (topic: LiveTopic, { i: id, u: users, r: roles }: Omit<Item, "t">): LiveChange => ({
  topic,
  id,
  audience: users ? { users } : roles ? { roles } : "everyone",
});

/** As many changes in each payload as fit. */
function payloadsOf(changes: readonly Item[]): string[] {
  const payloads: string[] = [];
  let texts: string[] = [];
  let bytes = 2;
  for (const text of changes.map((change) => JSON.stringify(change))) {
    const size = Buffer.byteLength(text) + 1;
    if (bytes + size > maxPayloadBytes && texts.length > 0) {
      payloads.push(`[${texts.join(",")}]`);
      texts = [];
      bytes = 2;
    }
    texts.push(text);
    bytes += size;
  }
  payloads.push(`[${texts.join(",")}]`);
  return payloads;
}
