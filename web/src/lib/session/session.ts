import type { TokenWrapper, UserClaims } from "@fairway/contract/auth";
import { GatewayError } from "../gateway-error.ts";
import { afterFailure, firstRefreshMs, firstRetryDelayMs } from "./retry-rule.ts";
import { expiresMs, recordOf, type SessionRecord, type StoredSession } from "./session-record.ts";
import type { SessionStorage } from "./session-storage.ts";
import type { TabNews, Tabs, TabSurroundings } from "./tabs.ts";

/** Why this tab no longer shows what it showed. */
export type SessionEnd =
  /** The server ended it: Login, with the way back. */
  | "expired"
  /** Chosen, here or in another tab: everything of the user goes. */
  | "signed-out"
  /** Somebody else signed in, here or in another tab: this one begins anew as theirs. */
  | "other-user";

export interface SessionState {
  readonly user: UserClaims | null;
  /** Refreshes fail at the moment; the session still holds. */
  readonly failing: boolean;
}

export interface SessionParts {
  storage: SessionStorage;
  openTabs(around: Pick<TabSurroundings, "session" | "heard">): Tabs;
  /** POST /auth/refresh. Rejects with GatewayError. */
  refresh(refreshToken: string): Promise<TokenWrapper>;
  /** POST /auth/logout, best effort. */
  endOnServer(refreshToken: string): Promise<void>;
  ended(how: SessionEnd): void;
}

/** How a session comes to this tab. */
interface How {
  /** It is new to the other tabs too. */
  renewed: boolean;
  /** This page is about to be left for one that goes on with it. */
  leaving?: boolean;
}

export type Session = ReturnType<typeof createSession>;

/**
 * The session of one tab. It renews the token wrapper at half its lifetime and shares it with the other tabs, so that
 * one of them renews for all. Calls take their token from `token()`.
 */
export function createSession(parts: SessionParts) {
  let record: SessionRecord | null = null;
  let state: SessionState = { user: null, failing: false };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let dueMs = Number.POSITIVE_INFINITY;
  let retryDelayMs = 0;
  let renewing: Promise<void> | null = null;
  const listeners = new Set<() => void>();
  const tabs = parts.openTabs({ session: () => record, heard });

  function setState(next: SessionState): void {
    state = next;
    for (const listener of listeners) listener();
  }

  function schedule(waitMs: number): void {
    clearTimeout(timer);
    dueMs = Date.now() + waitMs;
    timer = setTimeout(() => void renewOnSchedule(), waitMs);
  }

  /** Takes a session up as this tab's own. */
  function hold(next: SessionRecord, { renewed, leaving = false }: How): void {
    record = next;
    // The page that follows goes on with it as it is.
    parts.storage.write(leaving ? { ...next.stored, fresh: true } : next.stored);
    retryDelayMs = firstRetryDelayMs(next.stored.expires_in);
    schedule(Math.max(0, next.stored.receivedMs + firstRefreshMs(next.stored.expires_in) - Date.now()));
    tabs.setSignedIn(true);
    setState({ user: next.user, failing: false });
    if (renewed) tabs.tell({ kind: "session", stored: next.stored });
  }

  /** Takes up a session that came from elsewhere, as long as it is of the same user. */
  function take(next: SessionRecord, how: How): void {
    const anotherUser = record !== null && record.user.sub !== next.user.sub;
    hold(next, anotherUser ? { ...how, leaving: true } : how);
    if (anotherUser) parts.ended("other-user");
  }

  /** Forgets the session. `state.user` stays: the screen is theirs until the page is left. */
  function drop(): void {
    clearTimeout(timer);
    dueMs = Number.POSITIVE_INFINITY;
    record = null;
    parts.storage.clear();
    tabs.setSignedIn(false);
    setState({ ...state, failing: false });
  }

  function end(how: SessionEnd): void {
    drop();
    parts.ended(how);
  }

  function heard(news: TabNews): void {
    if (news.kind === "signed-out") {
      if (record) end("signed-out");
      return;
    }
    const next = recordOf(news.stored, news.stored.receivedMs);
    if (next && isNewer(next)) take(next, { renewed: false });
  }

  const isNewer = (next: SessionRecord): boolean => record === null || next.stored.receivedMs > record.stored.receivedMs;

  /** One renewal at a time in this tab, and one among all tabs. Rejects with the refresh's failure; a 401 ends the session. */
  function renew(): Promise<void> {
    renewing ??= renewNow().finally(() => {
      renewing = null;
    });
    return renewing;
  }

  async function renewNow(): Promise<void> {
    const before = record;
    if (before === null) return;
    await tabs.alone(async () => {
      // Another tab may have renewed while this one slept or waited for its turn.
      const theirs = await tabs.ask();
      if (record !== before) return;
      if (theirs && isNewer(theirs)) return take(theirs, { renewed: false });
      const wrapper = await refreshOrEnd(before);
      // Signed out, or renewed by another tab, while the answer was on its way.
      if (wrapper === null || record !== before) return;
      const next = recordOf(wrapper, Date.now());
      if (next) take(next, { renewed: true });
      else end("expired");
    });
  }

  async function refreshOrEnd(before: SessionRecord): Promise<TokenWrapper | null> {
    try {
      return await parts.refresh(before.stored.refresh_token);
    } catch (error) {
      if (!(error instanceof GatewayError) || error.status !== 401) throw error;
      if (record === before) end("expired");
      return null;
    }
  }

  async function renewOnSchedule(): Promise<void> {
    try {
      await renew();
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      if (record === null) return;
      const next = afterFailure(error.status, retryDelayMs);
      if (next.end) return end("expired");
      retryDelayMs = next.nextDelayMs;
      schedule(next.waitMs);
      setState({ ...state, failing: true });
    }
  }

  return {
    getState: (): SessionState => state,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    /**
     * Finds the session to go on with: another tab's, or the one that this tab stored, which is renewed first.
     * Null: nobody is signed in. Whatever makes that first renewal fail, the person signs in again.
     */
    start: async (): Promise<UserClaims | null> => {
      const own = parts.storage.read();
      const theirs = await tabs.ask();
      if (theirs && (!own || theirs.stored.receivedMs >= own.stored.receivedMs)) {
        hold(theirs, { renewed: false });
        return theirs.user;
      }
      if (!own) return null;
      if (own.stored.fresh === true) {
        hold({ ...own, stored: withoutMark(own.stored) }, { renewed: false });
        return own.user;
      }
      const renewed = await tabs.alone(() => renewStored(own));
      if (renewed) hold(renewed, { renewed: true });
      else parts.storage.clear();
      return renewed?.user ?? null;
    },

    /** Takes up what a login answered; `leaving` where another page goes on with it. False when it carries no user. */
    signIn: (wrapper: TokenWrapper, { leaving }: { leaving: boolean }): boolean => {
      const next = recordOf(wrapper, Date.now());
      if (!next) return false;
      take(next, { renewed: true, leaving });
      return true;
    },

    /** Ends the session here, in every tab and on the server. */
    signOut: async (): Promise<void> => {
      const refreshToken = record?.stored.refresh_token;
      drop();
      tabs.tell({ kind: "signed-out" });
      if (refreshToken !== undefined) await parts.endOnServer(refreshToken);
      parts.ended("signed-out");
    },

    /** The access token, renewed first when it has ended. Rejects with GatewayError when that cannot be done now. */
    token: async (): Promise<string | undefined> => {
      if (record && Date.now() >= expiresMs(record)) await renew();
      return record?.stored.access_token;
    },

    /** What the token says of the user has changed: a newer one is fetched. Rejects with GatewayError when that cannot be done now. */
    renew,

    /** A call with `token` was answered 401. True: there is a newer one now. */
    refused: async (token: string): Promise<boolean> => {
      if (record?.stored.access_token === token) {
        try {
          await renew();
        } catch (error) {
          if (error instanceof GatewayError) return false;
          throw error;
        }
      }
      return record !== null && record.stored.access_token !== token;
    },

    /** The tab or the machine woke up, or the network came back: what is due is done now. */
    resume: (): void => {
      if (record && (Date.now() >= dueMs || state.failing)) renew().catch(ignoreGatewayError);
    },
  };

  async function renewStored(own: SessionRecord): Promise<SessionRecord | null> {
    try {
      return recordOf(await parts.refresh(own.stored.refresh_token), Date.now());
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      // A page that is being left loses its requests: give it the moment to go, rather than forget the session.
      if (error.status === 0) await new Promise((resolve) => setTimeout(resolve, 250));
      return null;
    }
  }
}

/** The first renewal is skipped once. */
function withoutMark(stored: StoredSession): StoredSession {
  const { fresh, ...rest } = stored;
  return fresh === undefined ? stored : rest;
}

// Extra tries beside the schedule: their failure changes nothing, the schedule goes on.
function ignoreGatewayError(error: unknown): void {
  if (!(error instanceof GatewayError)) throw error;
}
