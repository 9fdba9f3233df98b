import type { TokenWrapper, UserClaims } from "@fairway/contract/auth";
import { GatewayError } from "../gateway/gateway-error.ts";
import { afterFailure, firstRefreshMs, firstRetryDelayMs } from "./retry-rule.ts";
import { expiresMs, toSessionRecord, type SessionRecord, type StoredSession } from "./session-record.ts";
import type { SessionStorage } from "./session-storage.ts";
import type { TabEvent, Tabs, TabsOptions } from "./tabs.ts";

/** Why the session of this tab ended. */
export type SessionEnd =
  /** The server ended it. Leads to Login and back. */
  | "expired"
  /** The user signed out, here or in another tab. Clears all state of the user. */
  | "signed-out"
  /** Another user signed in, here or in another tab. The page reloads as that user. */
  | "other-user";

export interface SessionState {
  readonly user: UserClaims | null;
  /** Renewals currently fail, but the session is still valid. */
  readonly failing: boolean;
}

export interface SessionOptions {
  storage: SessionStorage;
  openTabs(options: Pick<TabsOptions, "session" | "onEvent">): Tabs;
  /** POST /auth/refresh. Rejects with GatewayError. */
  refresh(refreshToken: string): Promise<TokenWrapper>;
  /** Ends the session on the server, best effort. Returns where the browser signs out as well, if anywhere. */
  endOnServer(session: SessionRecord): Promise<string | null>;
  /** `address`: where the browser signs out as well. */
  onEnd(reason: SessionEnd, address?: string | null): void;
}

interface ActivateOptions {
  /** The token was renewed by this tab and is sent to the others. */
  renewed: boolean;
  /** The page is about to be left for another one that continues the session. */
  leaving?: boolean;
}

/**
 * The session of one tab. Renews the token wrapper at half its lifetime and shares it with the other tabs, so that only one
 * tab renews. Calls take their token from `token()`.
 */
export class Session {
  readonly #options: SessionOptions;
  readonly #tabs: Tabs;
  readonly #listeners = new Set<() => void>();
  #record: SessionRecord | null = null;
  #state: SessionState = { user: null, failing: false };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #dueMs = Number.POSITIVE_INFINITY;
  #retryDelayMs = 0;
  #renewing: Promise<void> | null = null;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#tabs = options.openTabs({ session: () => this.#record, onEvent: (event) => this.#onTabEvent(event) });
  }

  getState(): SessionState {
    return this.#state;
  }

  /** False before the session starts and after it has ended. */
  get isActive(): boolean {
    return this.#record !== null;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Finds the session to continue: another tab's, or the one this tab stored, which is renewed first.
   * Null if nobody is signed in or if that first renewal fails for any reason.
   */
  async start(): Promise<UserClaims | null> {
    const { storage } = this.#options;
    const own = storage.read();
    const theirs = await this.#tabs.requestSession();
    if (theirs && (!own || theirs.stored.receivedMs >= own.stored.receivedMs)) {
      this.#activate(theirs, { renewed: false });
      return theirs.user;
    }
    if (!own) return null;
    if (own.stored.fresh === true) {
      this.#activate({ ...own, stored: withoutFreshMark(own.stored) }, { renewed: false });
      return own.user;
    }
    const renewed = await this.#tabs.runExclusive(() => this.#renewStored(own));
    if (renewed) this.#activate(renewed, { renewed: true });
    else storage.clear();
    return renewed?.user ?? null;
  }

  /** Starts a session from a login response; `leaving` if another page continues it. Returns false if the token names no user. */
  signIn(wrapper: TokenWrapper, { leaving }: { leaving: boolean }): boolean {
    const next = toSessionRecord(wrapper, Date.now());
    if (!next) return false;
    this.#adopt(next, { renewed: true, leaving });
    return true;
  }

  /** Ends the session here, in every tab and on the server. */
  async signOut(): Promise<void> {
    const record = this.#record;
    this.#drop();
    this.#tabs.broadcast({ kind: "signed-out" });
    const address = record && (await this.#options.endOnServer(record));
    this.#options.onEnd("signed-out", address);
  }

  /** The access token, renewed first if it has expired. Rejects with GatewayError if the renewal fails. */
  async token(): Promise<string | undefined> {
    if (this.#record && Date.now() >= expiresMs(this.#record)) await this.renew();
    return this.#record?.stored.access_token;
  }

  /**
   * Fetches a newer token, for example after the user's claims have changed. Runs once at a time in this tab and among all
   * tabs. Rejects if the refresh fails; a 401 ends the session.
   */
  renew(): Promise<void> {
    this.#renewing ??= this.#renewNow().finally(() => {
      this.#renewing = null;
    });
    return this.#renewing;
  }

  /** Called after a 401 to a call with `token`. Resolves to true if a newer token is available. */
  async onUnauthorized(token: string): Promise<boolean> {
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

  /** Renews at once if due. Called when the tab or the device wakes up or the network is back. */
  resume(): void {
    if (this.#record && (Date.now() >= this.#dueMs || this.#state.failing)) this.renew().catch(ignoreGatewayError);
  }

  #setState(next: SessionState): void {
    this.#state = next;
    for (const listener of this.#listeners) listener();
  }

  /** Makes a session the current one of this tab. */
  #activate(next: SessionRecord, { renewed, leaving = false }: ActivateOptions): void {
    this.#record = next;
    // Marks the session so that the next page does not renew it.
    this.#options.storage.write(leaving ? { ...next.stored, fresh: true } : next.stored);
    this.#retryDelayMs = firstRetryDelayMs(next.stored.expires_in);
    this.#schedule(Math.max(0, next.stored.receivedMs + firstRefreshMs(next.stored.expires_in) - Date.now()));
    this.#tabs.setSignedIn(true);
    this.#setState({ user: next.user, failing: false });
    if (renewed) this.#tabs.broadcast({ kind: "session", stored: next.stored });
  }

  /** Switches to a new session. Reloads the page if it belongs to another user. */
  #adopt(next: SessionRecord, options: ActivateOptions): void {
    const anotherUser = this.#record !== null && this.#record.user.sub !== next.user.sub;
    this.#activate(next, anotherUser ? { ...options, leaving: true } : options);
    if (anotherUser) this.#options.onEnd("other-user");
  }

  /** Clears the session. `state.user` stays, because the screen is theirs until the page is left. */
  #drop(): void {
    clearTimeout(this.#timer);
    this.#dueMs = Number.POSITIVE_INFINITY;
    this.#record = null;
    this.#options.storage.clear();
    this.#tabs.setSignedIn(false);
    this.#setState({ ...this.#state, failing: false });
  }

  #end(reason: SessionEnd): void {
    this.#drop();
    this.#options.onEnd(reason);
  }

  #onTabEvent(event: TabEvent): void {
    if (event.kind === "signed-out") {
      if (this.#record) this.#end("signed-out");
      return;
    }
    const next = toSessionRecord(event.stored, event.stored.receivedMs);
    if (next && this.#isNewer(next)) this.#adopt(next, { renewed: false });
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
    const previous = this.#record;
    if (previous === null) return;
    await this.#tabs.runExclusive(async () => {
      // Another tab may have renewed while this one was frozen or waited for the lock.
      const theirs = await this.#tabs.requestSession();
      if (this.#record !== previous) return;
      if (theirs && this.#isNewer(theirs)) return this.#adopt(theirs, { renewed: false });
      const wrapper = await this.#refreshOrEnd(previous);
      // The user signed out or another tab renewed during the request.
      if (wrapper === null || this.#record !== previous) return;
      const next = toSessionRecord(wrapper, Date.now());
      if (next) this.#adopt(next, { renewed: true });
      else this.#end("expired");
    });
  }

  async #refreshOrEnd(record: SessionRecord): Promise<TokenWrapper | null> {
    try {
      return await this.#options.refresh(record.stored.refresh_token);
    } catch (error) {
      if (!(error instanceof GatewayError) || error.status !== 401) throw error;
      if (this.#record === record) this.#end("expired");
      return null;
    }
  }

  async #renewStored(own: SessionRecord): Promise<SessionRecord | null> {
    try {
      return toSessionRecord(await this.#options.refresh(own.stored.refresh_token), Date.now());
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      // Navigating away aborts requests. Wait for the page to unload instead of clearing the session.
      if (error.status === 0) await new Promise((resolve) => setTimeout(resolve, 250));
      return null;
    }
  }
}

/** Removes the mark that skips the first renewal. */
function withoutFreshMark(stored: StoredSession): StoredSession {
  const { fresh, ...rest } = stored;
  return fresh === undefined ? stored : rest;
}

// For renewals outside the schedule, which continues if they fail.
function ignoreGatewayError(error: unknown): void {
  if (!(error instanceof GatewayError)) throw error;
}
