import type { LiveTopic } from "@fairway/contract/live";
import { create } from "zustand";

interface Live {
  readonly isHealthy: boolean;
  /** Whether there is a stream is known. */
  readonly isSettled: boolean;
  /** Of the web app that the gateway of the latest stream serves; null if unknown. */
  readonly build: string | null;
}

/** Whether a stream reports changes to this tab, so that little has to be polled. */
export const useLive = create<Live>(() => ({ isHealthy: false, isSettled: false, build: null }));

/** Polling interval while a stream reports changes, in case that it misses one. */
const safetyIntervalMs = 600_000;

/** The time between two polls: `ms` without a healthy stream. */
export const pollInterval = (ms: number): number => (useLive.getState().isHealthy ? Math.max(ms, safetyIntervalMs) : ms);

/** `id` is null if anything of the topic may have changed. */
type Listener = (id: string | null) => void;

interface Subscription {
  readonly topic: LiveTopic;
  readonly listener: Listener;
  readonly whileHidden: boolean;
  /** Changed while the tab was hidden. */
  isDue: boolean;
}

const subscriptions = new Set<Subscription>();

/**
 * Calls the listener when something of the topic has changed; in a hidden tab once it is visible again, unless `whileHidden`.
 * Returns the function that stops it.
 */
export function onLiveChange(topic: LiveTopic, listener: Listener, { whileHidden = false } = {}): () => void {
  const subscription: Subscription = { topic, listener, whileHidden, isDue: false };
  subscriptions.add(subscription);
  return () => void subscriptions.delete(subscription);
}

/** Tells what has changed while the tab was hidden. */
function onVisible(): void {
  if (document.visibilityState !== "visible") return;
  document.removeEventListener("visibilitychange", onVisible);
  for (const subscription of subscriptions) {
    if (!subscription.isDue) continue;
    subscription.isDue = false;
    subscription.listener(null);
  }
}

/** Tells this tab what has changed; a null topic = anything. */
export function notifyTab(topic: LiveTopic | null, id: string | null): void {
  for (const subscription of subscriptions) {
    if (topic !== null && subscription.topic !== topic) continue;
    if (document.visibilityState === "visible" || subscription.whileHidden) subscription.listener(topic === null ? null : id);
    else {
      subscription.isDue = true;
      document.addEventListener("visibilitychange", onVisible);
    }
  }
}

const settleTimeoutMs = 2_000;

/** Resolves once it is known whether there is a stream, or after two seconds: what is read then need not be read again. */
export function liveSettled(): Promise<void> {
  if (useLive.getState().isSettled) return Promise.resolve();
  return new Promise((resolve) => {
    const settle = () => {
      clearTimeout(timer);
      unsubscribe();
      resolve();
    };
    const timer = setTimeout(settle, settleTimeoutMs);
    const unsubscribe = useLive.subscribe(({ isSettled }) => {
      if (isSettled) settle();
    });
  });
}

/** Reading what changes again and again takes at least this long. */
const minWaitMs = 400;
/** Polling interval of running work while a stream reports changes. */
const watchedIntervalMs = 10_000;

/** Tells when something that runs is to be read again: once the stream says that it has changed, or after a while. */
export class LiveWatch {
  readonly #pollMs: number;
  readonly #stops: readonly (() => void)[];
  #isDue = false;
  #onDue = () => {};
  #onHealth = () => {};

  /** `pollMs`: the time between two polls without a healthy stream. */
  constructor(topic: LiveTopic, id: string, pollMs: number) {
    this.#pollMs = pollMs;
    const onChange = (changed: string | null) => {
      if (changed !== null && changed !== id) return;
      this.#isDue = true;
      this.#onDue();
    };
    this.#stops = [onLiveChange(topic, onChange, { whileHidden: true }), useLive.subscribe(() => this.#onHealth())];
  }

  /** Resolves when it is to be read. One wait at a time. */
  wait(): Promise<void> {
    return new Promise((resolve) => {
      let isSpaced = false;
      let limit: ReturnType<typeof setTimeout> | undefined;
      const end = () => {
        clearTimeout(limit);
        clearTimeout(spacing);
        this.#onDue = this.#onHealth = () => {};
        this.#isDue = false;
        resolve();
      };
      this.#onDue = () => {
        if (isSpaced && this.#isDue) end();
      };
      this.#onHealth = () => {
        clearTimeout(limit);
        limit = setTimeout(end, useLive.getState().isHealthy ? Math.max(watchedIntervalMs, this.#pollMs) : this.#pollMs);
      };
      const spacing = setTimeout(
        () => {
          isSpaced = true;
          this.#onDue();
        },
        Math.min(minWaitMs, this.#pollMs),
      );
      this.#onHealth();
    });
  }

  close(): void {
    for (const stop of this.#stops) stop();
  }
}
