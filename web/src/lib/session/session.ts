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

/**
 * The session of one tab. It renews the token wrapper at half its lifetime and shares it with the other tabs, so that
 * one of them renews for all. Calls take their token from `token()`.
 */
export class Session {
  readonly #parts: SessionParts;
  readonly #tabs: Tabs;
  readonly #listeners = new Set<() => void>();
  #record: SessionRecord | null = null;
  #state: SessionState = { user: null, failing: false };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #dueMs = Number.POSITIVE_INFINITY;
  #retryDelayMs = 0;
  #renewing: Promise<void> | null = null;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#tabs = parts.openTabs({ session: () => this.#record, heard: (news) => this.#onNews(news) });
  }

  getState(): SessionState {
    return this.#state;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Finds the session to go on with: another tab's, or the one that this tab stored, which is renewed first.
   * Null: nobody is signed in. Whatever makes that first renewal fail, the person signs in again.
   */
  async start(): Promise<UserClaims | null> {
    const { storage } = this.#parts;
    const own = storage.read();
    const theirs = await this.#tabs.ask();
    if (theirs && (!own || theirs.stored.receivedMs >= own.stored.receivedMs)) {
      this.#hold(theirs, { renewed: false });
      return theirs.user;
    }
    if (!own) return null;
    if (own.stored.fresh === true) {
      this.#hold({ ...own, stored: withoutMark(own.stored) }, { renewed: false });
      return own.user;
    }
    const renewed = await this.#tabs.alone(() => this.#renewStored(own));
    if (renewed) this.#hold(renewed, { renewed: true });
    else storage.clear();
    return renewed?.user ?? null;
  }

  /** Takes up what a login answered; `leaving` where another page goes on with it. False when it carries no user. */
  signIn(wrapper: TokenWrapper, { leaving }: { leaving: boolean }): boolean {
    const next = recordOf(wrapper, Date.now());
    if (!next) return false;
    this.#take(next, { renewed: true, leaving });
    return true;
  }

  /** Ends the session here, in every tab and on the server. */
  async signOut(): Promise<void> {
    const refreshToken = this.#record?.stored.refresh_token;
    this.#drop();
    this.#tabs.tell({ kind: "signed-out" });
    if (refreshToken !== undefined) await this.#parts.endOnServer(refreshToken);
    this.#parts.ended("signed-out");
  }

  /** The access token, renewed first when it has ended. Rejects with GatewayError when that cannot be done now. */
  async token(): Promise<string | undefined> {
    if (this.#record && Date.now() >= expiresMs(this.#record)) await this.renew();
    return this.#record?.stored.access_token;
  }

  /**
   * Fetches a newer token, as when what it says of the user has changed. One renewal at a time in this tab, and one among
   * all tabs. Rejects with the refresh's failure; a 401 ends the session.
   */
  renew(): Promise<void> {
    this.#renewing ??= this.#renewNow().finally(() => {
      this.#renewing = null;
    });
    return this.#renewing;
  }

  /** A call with `token` was answered 401. True: there is a newer one now. */
  async refused(token: string): Promise<boolean> {
    if (this.#record?.stored.access_token === token) {
      try {
        await this.renew();
      } catch (error) {
        if (error instanceof GatewayError) return false;
        throw error;
      }
    }
    return this.#record !== null && this.#record.stored.access_token !== token;
  }

  /** The tab or the machine woke up, or the network came back: what is due is done now. */
  resume(): void {
    if (this.#record && (Date.now() >= this.#dueMs || this.#state.failing)) this.renew().catch(ignoreGatewayError);
  }

  #setState(next: SessionState): void {
    this.#state = next;
    for (const listener of this.#listeners) listener();
  }

  /** Takes a session up as this tab's own. */
  #hold(next: SessionRecord, { renewed, leaving = false }: How): void {
    this.#record = next;
    // The page that follows goes on with it as it is.
    this.#parts.storage.write(leaving ? { ...next.stored, fresh: true } : next.stored);
    this.#retryDelayMs = firstRetryDelayMs(next.stored.expires_in);
    this.#schedule(Math.max(0, next.stored.receivedMs + firstRefreshMs(next.stored.expires_in) - Date.now()));
    this.#tabs.setSignedIn(true);
    this.#setState({ user: next.user, failing: false });
    if (renewed) this.#tabs.tell({ kind: "session", stored: next.stored });
  }

  /** Takes up a session that came from elsewhere. Another user's begins this tab anew. */
  #take(next: SessionRecord, how: How): void {
    const anotherUser = this.#record !== null && this.#record.user.sub !== next.user.sub;
    this.#hold(next, anotherUser ? { ...how, leaving: true } : how);
    if (anotherUser) this.#parts.ended("other-user");
  }

  /** Forgets the session. `state.user` stays: the screen is theirs until the page is left. */
  #drop(): void {
    clearTimeout(this.#timer);
    this.#dueMs = Number.POSITIVE_INFINITY;
    this.#record = null;
    this.#parts.storage.clear();
    this.#tabs.setSignedIn(false);
    this.#setState({ ...this.#state, failing: false });
  }

  #end(how: SessionEnd): void {
    this.#drop();
    this.#parts.ended(how);
  }

  #onNews(news: TabNews): void {
    if (news.kind === "signed-out") {
      if (this.#record) this.#end("signed-out");
      return;
    }
    const next = recordOf(news.stored, news.stored.receivedMs);
    if (next && this.#isNewer(next)) this.#take(next, { renewed: false });
  }

  #isNewer(next: SessionRecord): boolean {
    return this.#record === null || next.stored.receivedMs > this.#record.stored.receivedMs;
  }

  #schedule(waitMs: number): void {
    clearTimeout(this.#timer);
    this.#dueMs = Date.now() + waitMs;
    this.#timer = setTimeout(() => void this.#renewOnSchedule(), waitMs);
  }

  async #renewOnSchedule(): Promise<void> {
    try {
      await this.renew();
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      if (this.#record === null) return;
      const next = afterFailure(error.status, this.#retryDelayMs);
      if (next.end) return this.#end("expired");
      this.#retryDelayMs = next.nextDelayMs;
      this.#schedule(next.waitMs);
      this.#setState({ ...this.#state, failing: true });
    }
  }

  async #renewNow(): Promise<void> {
    const before = this.#record;
    if (before === null) return;
    await this.#tabs.alone(async () => {
      // Another tab may have renewed while this one slept or waited for its turn.
      const theirs = await this.#tabs.ask();
      if (this.#record !== before) return;
      if (theirs && this.#isNewer(theirs)) return this.#take(theirs, { renewed: false });
      const wrapper = await this.#refreshOrEnd(before);
      // Signed out, or renewed by another tab, while the answer was on its way.
      if (wrapper === null || this.#record !== before) return;
      const next = recordOf(wrapper, Date.now());
      if (next) this.#take(next, { renewed: true });
      else this.#end("expired");
    });
  }

  async #refreshOrEnd(before: SessionRecord): Promise<TokenWrapper | null> {
    try {
      return await this.#parts.refresh(before.stored.refresh_token);
    } catch (error) {
      if (!(error instanceof GatewayError) || error.status !== 401) throw error;
      if (this.#record === before) this.#end("expired");
      return null;
    }
  }

  async #renewStored(own: SessionRecord): Promise<SessionRecord | null> {
    try {
      return recordOf(await this.#parts.refresh(own.stored.refresh_token), Date.now());
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
