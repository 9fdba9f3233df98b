import type { LiveTopic } from "@fairway/contract/live";
import { notifyTab, useLive } from "#lib/live/live-changes.ts";
import { logFailure } from "#lib/browser/log.ts";
import { followStream, silenceMs } from "./follow-stream.ts";

/** Messages of the tab that reads the stream to the others of its browser. */
type Message =
  | { kind: "state"; isHealthy: boolean; build: string | null }
  | { kind: "told"; topic: LiveTopic | null; id: string | null }
  /** Sent by a tab that has just opened; the reading one sends its state. */
  | { kind: "ask" };

/** The reading tab may wait this long before it tries the next stream. */
const silenceWhileDownMs = 150_000;
/** So that not all tabs take over at once. */
const maxStaggerMs = 5_000;
/** Time over which all browsers spread their requests after a change that concerns everyone. */
const scatterMs = 1_500;

/**
 * Follows the user's live changes, with one stream for all tabs of the browser: the tab that holds a lock reads it and notifies the others.
 * A tab that hears nothing takes over. Returns the function that ends it; undefined without locks, on plain http.
 */
export function shareStream(userId: string): (() => void) | undefined {
  if (!("locks" in navigator)) return undefined;
  const tab = new SharingTab(userId);
  return () => tab.close();
}

class SharingTab {
  readonly #lock: string;
  readonly #channel: BroadcastChannel;
  readonly #closing = new AbortController();
  #isReading = false;
  #silence: ReturnType<typeof setTimeout> | undefined;

  constructor(userId: string) {
    this.#lock = `fairway.live.${userId}`;
    this.#channel = new BroadcastChannel(this.#lock);
    this.#channel.addEventListener("message", ({ data }: MessageEvent<Message>) => this.#onMessage(data));
    this.#waitForSilence(silenceMs);
    this.#send({ kind: "ask" });
    void this.#requestLock();
  }

  close(): void {
    this.#closing.abort();
    clearTimeout(this.#silence);
    this.#channel.close();
    useLive.setState({ isHealthy: false, isSettled: false });
  }

  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel has no target origin: messages stay within the origin
  readonly #send = (message: Message) => this.#channel.postMessage(message);

  /** Waits for the lock, and reads the stream as long as this tab holds it. `steal` takes it from a tab that is frozen. */
  async #requestLock(steal = false): Promise<void> {
    const losing = new AbortController();
    const read = () => this.#read(AbortSignal.any([this.#closing.signal, losing.signal]));
    try {
      // The API refuses a signal together with `steal`, which waits for nothing.
      await navigator.locks.request(this.#lock, steal ? { steal } : { signal: this.#closing.signal }, read);
    } catch (error) {
      losing.abort();
      if (this.#closing.signal.aborted) return;
      if (!(error instanceof DOMException)) logFailure("The live changes could not be followed", error);
      // Another tab has taken over.
      this.#waitForSilence(silenceMs);
      void this.#requestLock();
    }
  }

  async #read(signal: AbortSignal): Promise<void> {
    clearTimeout(this.#silence);
    this.#isReading = true;
    const setHealthy = (isHealthy: boolean) => {
      setLive({ isHealthy, isSettled: true });
      this.#sendState();
    };
    const notifyAll = (topic: LiveTopic | null, id: string | null) => {
      if (signal.aborted) return;
      notifyTab(topic, id);
      this.#send({ kind: "told", topic, id });
    };
    try {
      await followStream(
        {
          onOpen: (build) => {
            useLive.setState({ build });
            notifyAll(null, null);
            setHealthy(true);
          },
          onChange: (message) => {
            if (message.kind === "changed" && message.topic !== "notices") notifyAll(message.topic, message.id);
            else
              setTimeout(
                () => (message.kind === "changed" ? notifyAll(message.topic, message.id) : notifyAll(null, null)),
                Math.random() * scatterMs,
              );
          },
          onAlive: () => this.#sendState(),
          onDown: () => setHealthy(false),
        },
        signal,
      );
    } finally {
      this.#isReading = false;
    }
  }

  #sendState(): void {
    const { isHealthy, build } = useLive.getState();
    this.#send({ kind: "state", isHealthy, build });
  }

  #onMessage(message: Message): void {
    if (message.kind === "ask") {
      if (this.#isReading && useLive.getState().isSettled) this.#sendState();
      return;
    }
    if (this.#isReading) return;
    if (message.kind === "told") return notifyTab(message.topic, message.id);
    const { isHealthy, build } = message;
    const wasHealthy = useLive.getState().isHealthy;
    setLive({ isHealthy, isSettled: true, build });
    // Data that this tab read before it listened may be outdated.
    if (isHealthy && !wasHealthy) notifyTab(null, null);
    this.#waitForSilence(isHealthy ? silenceMs : silenceWhileDownMs);
  }

  #waitForSilence(ms: number): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(
      () => {
        setLive({ isHealthy: false, isSettled: true });
        void this.#requestLock(true);
      },
      ms + Math.random() * maxStaggerMs,
    );
  }
}

/** Subscribers are called only if something is different. */
function setLive(next: Partial<ReturnType<typeof useLive.getState>>): void {
  const current = useLive.getState();
  if (Object.entries(next).some(([name, value]) => current[name as keyof typeof current] !== value)) useLive.setState(next);
}
