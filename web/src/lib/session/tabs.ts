import { type SessionRecord, sessionRecord, type StoredSession } from "./session-record.ts";

/** What tabs of one browser tell each other. */
export type TabNews = { kind: "session"; stored: StoredSession } | { kind: "signed-out" };
type Message = TabNews | { kind: "ask"; id: string } | { kind: "answer"; id: string; stored: StoredSession };

/** The other tabs of this browser. */
export interface Tabs {
  /** The newest session among the others; null when none answers. */
  ask(): Promise<SessionRecord | null>;
  tell(news: TabNews): void;
  /** Only signed-in tabs count as ones to wait for. */
  setSignedIn(signedIn: boolean): void;
  /** Runs alone among all tabs. */
  alone<T>(run: () => Promise<T>): Promise<T>;
  close(): void;
}

export interface TabSurroundings {
  /** This tab's session, for others that ask. */
  session: () => SessionRecord | null;
  heard: (news: TabNews) => void;
  /** Missing where the page is not served securely (http on a host other than localhost). */
  locks: Pick<LockManager, "request" | "query"> | undefined;
}

const presenceLock = "fairway.signed-in-tab";
const refreshLock = "fairway.refresh";

// A tab that the browser has put to sleep does not answer at all.
const longestAnswerMs = 300;
// Without locks nobody knows whether there is anyone to wait for.
const blindAnswerMs = 150;

export function openTabs({ session, heard, locks }: TabSurroundings): Tabs {
  const channel = new BroadcastChannel("fairway.session");
  const waiting = new Map<string, (stored: StoredSession) => void>();
  let leave: (() => void) | null = null;

  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel has no target origin: it never leaves ours
  const send = (message: Message) => channel.postMessage(message);

  channel.addEventListener("message", ({ data }: MessageEvent<Message>) => {
    if (data.kind === "ask") {
      const own = session();
      if (own) send({ kind: "answer", id: data.id, stored: own.stored });
    } else if (data.kind === "answer") waiting.get(data.id)?.(data.stored);
    else heard(data);
  });

  /** How many other signed-in tabs there are; undefined where that cannot be known. */
  async function others(): Promise<number | undefined> {
    const held = (await locks?.query())?.held;
    return held && held.filter((lock) => lock.name === presenceLock).length - (leave ? 1 : 0);
  }

  return {
    ask: async () => {
      const expected = await others();
      if (expected === 0) return null;
      const id = Array.from(crypto.getRandomValues(new Uint32Array(2))).join("-");
      const answers: StoredSession[] = [];
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, expected === undefined ? blindAnswerMs : longestAnswerMs);
        waiting.set(id, (stored) => {
          answers.push(stored);
          if (answers.length < (expected ?? 1)) return;
          clearTimeout(timer);
          resolve();
        });
        send({ kind: "ask", id });
      });
      waiting.delete(id);
      return newest(answers.map(sessionRecord));
    },
    tell: send,
    setSignedIn: (signedIn) => {
      if (signedIn === (leave !== null)) return;
      leave?.();
      leave = null;
      if (!signedIn) return;
      const { promise, resolve } = withResolvers();
      leave = resolve;
      // Held for as long as the tab is signed in. It also keeps the browser from freezing the tab, so that it can answer.
      void locks?.request(presenceLock, { mode: "shared" }, () => promise);
    },
    alone: (run) => (locks ? (locks.request(refreshLock, run) as ReturnType<typeof run>) : run()),
    close: () => {
      leave?.();
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
