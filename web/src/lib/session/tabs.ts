import { type SessionRecord, parseSessionRecord, type StoredSession } from "./session-record.ts";

/** Events that tabs of one browser send each other. */
export type TabEvent = { kind: "session"; stored: StoredSession } | { kind: "signed-out" };
type Message = TabEvent | { kind: "ask"; id: string } | { kind: "answer"; id: string; stored: StoredSession };

/** The other tabs of this browser. */
export interface Tabs {
  /** The newest session of the other tabs; null if none responds. */
  requestSession(): Promise<SessionRecord | null>;
  broadcast(event: TabEvent): void;
  /** Only signed-in tabs are waited for. */
  setSignedIn(signedIn: boolean): void;
  /** Runs in one tab at a time. */
  runExclusive<T>(run: () => Promise<T>): Promise<T>;
  close(): void;
}

export interface TabsOptions {
  /** This tab's session, for other tabs that request it. */
  session: () => SessionRecord | null;
  onEvent: (event: TabEvent) => void;
  /** Undefined outside a secure context (http on a host other than localhost). */
  locks: Pick<LockManager, "request" | "query"> | undefined;
}

const presenceLock = "fairway.signed-in-tab";
const refreshLock = "fairway.refresh";

// A frozen tab does not respond at all.
const responseTimeoutMs = 300;
// Without locks the number of other tabs is unknown.
const responseTimeoutWithoutLocksMs = 150;

export function openTabs({ session, onEvent, locks }: TabsOptions): Tabs {
  const channel = new BroadcastChannel("fairway.session");
  const pendingRequests = new Map<string, (stored: StoredSession) => void>();
  let releasePresence: (() => void) | null = null;

  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel has no target origin: messages stay within the origin
  const send = (message: Message) => channel.postMessage(message);

  channel.addEventListener("message", ({ data }: MessageEvent<Message>) => {
    if (data.kind === "ask") {
      const own = session();
      if (own) send({ kind: "answer", id: data.id, stored: own.stored });
    } else if (data.kind === "answer") pendingRequests.get(data.id)?.(data.stored);
    else onEvent(data);
  });

  /** The number of other signed-in tabs; undefined without locks. */
  async function countOthers(): Promise<number | undefined> {
    const held = (await locks?.query())?.held;
    return held && held.filter((lock) => lock.name === presenceLock).length - (releasePresence ? 1 : 0);
  }

  return {
    requestSession: async () => {
      const expected = await countOthers();
      if (expected === 0) return null;
      const id = Array.from(crypto.getRandomValues(new Uint32Array(2))).join("-");
      const responses: StoredSession[] = [];
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, expected === undefined ? responseTimeoutWithoutLocksMs : responseTimeoutMs);
        pendingRequests.set(id, (stored) => {
          responses.push(stored);
          if (responses.length < (expected ?? 1)) return;
          clearTimeout(timer);
          resolve();
        });
        send({ kind: "ask", id });
      });
      pendingRequests.delete(id);
      return newest(responses.map(parseSessionRecord));
    },
    broadcast: send,
    setSignedIn: (signedIn) => {
      if (signedIn === (releasePresence !== null)) return;
      releasePresence?.();
      releasePresence = null;
      if (!signedIn) return;
      const { promise, resolve } = withResolvers();
      releasePresence = resolve;
      // Held while the tab is signed in. It also keeps the browser from freezing the tab, so that it can respond.
      void locks?.request(presenceLock, { mode: "shared" }, () => promise);
    },
    runExclusive: (run) => (locks ? (locks.request(refreshLock, run) as ReturnType<typeof run>) : run()),
    close: () => {
      releasePresence?.();
      channel.close();
    },
  };
}

const newest = (records: readonly (SessionRecord | null)[]): SessionRecord | null =>
  records.reduce((best, record) => (record && (!best || record.stored.receivedMs > best.stored.receivedMs) ? record : best), null);

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
