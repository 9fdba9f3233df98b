import { type Kysely, sql } from "kysely";
import { CachedReads } from "#process/cached-read.ts";
import type { Database } from "#database/schema.ts";
import { SignedInUser } from "#http/signed-in-user.ts";
import { effectiveGroupNames, effectiveGroups, effectiveRoles } from "./accounts.ts";
import { type Announcements, type Log, announce } from "./announce.ts";
import type { SessionPurpose } from "./tables.ts";

const channel = "accounts";
// Resolution of a session's last use, which limits the number of writes.
const lastUsedResolutionSeconds = 60;

interface SessionStateOptions {
  /** Whether administration requires a session with a second factor. */
  readonly secondFactorForAdministrators?: boolean;
}

interface SessionRow extends Pick<SignedInUser, "id" | "username" | "sessionId"> {
  readonly roles: string[];
  readonly groups: string[];
  readonly groupNames: string[];
  readonly signedInAt: Date;
  readonly secondFactor: boolean;
}

interface State {
  readonly userId: string;
  /** Undefined if the session has ended, or its user is locked or deleted. */
  readonly user: SignedInUser | undefined;
}

/** Called with a function that reports whether a session may have changed on any gateway, in itself or by its user. */
export type SessionListener = (mayHaveChanged: (session: Pick<SignedInUser, "id" | "sessionId">) => boolean) => void;

/** Sessions with the current state of their users from the database, cached for some seconds. */
export class SessionStates {
  readonly #db: Kysely<Database>;
  readonly #announcements: Announcements;
  readonly #log: Log;
  readonly #states = new CachedReads<State>(20_000);
  readonly #userListeners: ((userId: string | undefined) => void)[] = [];
  readonly #sessionListeners: SessionListener[] = [];
  readonly #secondFactorForAdministrators: boolean;

  private constructor(db: Kysely<Database>, announcements: Announcements, log: Log, options: SessionStateOptions) {
    this.#secondFactorForAdministrators = options.secondFactorForAdministrators ?? false;
    this.#db = db;
    this.#announcements = announcements;
    this.#log = log;
  }

  static async open(
    db: Kysely<Database>,
    announcements: Announcements,
    log: Log,
    options: SessionStateOptions = {},
  ): Promise<SessionStates> {
    const states = new SessionStates(db, announcements, log, options);
    await announcements.on(channel, (payload) => {
      const [scope, id] = payload.split(":");
      states.#forgetAndNotify(scope, id ?? "");
    });
    announcements.onReconnect(() => {
      states.#forgetAndNotify("everyone", "");
    });
    return states;
  }

  /** The user of an ordinary session; undefined if it has ended. Synchronous if cached. */
  find(sessionId: string, userId: string): SignedInUser | undefined | Promise<SignedInUser | undefined> {
    const cached = this.#states.peek(sessionId);
    return cached === undefined ? this.#load(sessionId, userId) : matchingUser(userId, cached.user);
  }

  /** The user of a session for one step of a sign-in. Not cached, because it works once. */
  async findStep(purpose: Exclude<SessionPurpose, "ordinary">, sessionId: string, userId: string): Promise<SignedInUser | undefined> {
    return matchingUser(userId, await this.#read(purpose, sessionId));
  }

  /** Whether the portal requires a second factor of users with these roles. */
  requiresSecondFactor(roles: readonly string[]): boolean {
    return this.#secondFactorForAdministrators && roles.includes("admin");
  }

  /** Calls the listener with the id of a user who may have changed on any gateway; with undefined if any user may have changed. */
  onUserChanged(listener: (userId: string | undefined) => void): void {
    this.#userListeners.push(listener);
  }

  onSessionsChanged(listener: SessionListener): void {
    this.#sessionListeners.push(listener);
  }

  /** The users of these ordinary sessions by session, from the database; without those that have ended. */
  async usersOf(sessionIds: readonly string[]): Promise<Map<string, SignedInUser>> {
    const rows = await this.#select("ordinary")
      .where(sql<boolean>`sessions.id = any(${[...sessionIds]}::text[])`)
      .execute();
    return new Map(rows.map((row) => [row.sessionId, this.#userOf(row)]));
  }

  /** Call it after the change is committed: every gateway clears its cache. */
  async changed(scope: "user" | "session" | "everyone", id: string): Promise<void> {
    this.#forgetAndNotify(scope, id);
    await announce(this.#announcements, this.#log, channel, `${scope}:${id}`);
  }

  #forgetAndNotify(scope: string | undefined, id: string): void {
    this.#states.forget((state, sessionId) => scope === "everyone" || id === (scope === "user" ? state.userId : sessionId));
    if (scope === "user") this.#notifyListeners(id);
    if (scope === "everyone") this.#notifyListeners(undefined);
    for (const listener of this.#sessionListeners) {
      listener((session) => scope === "everyone" || id === (scope === "user" ? session.id : session.sessionId));
    }
  }

  #notifyListeners(userId: string | undefined): void {
    for (const listener of this.#userListeners) listener(userId);
  }

  async #load(sessionId: string, userId: string): Promise<SignedInUser | undefined> {
    const state = await this.#states.read(sessionId, async () => {
      const user = await this.#read("ordinary", sessionId);
      return { userId: user?.id ?? userId, user };
    });
    return matchingUser(userId, state?.user);
  }

  async #read(purpose: SessionPurpose, sessionId: string): Promise<SignedInUser | undefined> {
    const row = await this.#select(purpose).where("sessions.id", "=", sessionId).executeTakeFirst();
    if (!row) return undefined;
    if (row.isLastUseOutdated) await this.#updateLastUse(sessionId);
    return this.#userOf(row);
  }

  #select(purpose: SessionPurpose) {
    return this.#db
      .selectFrom("sessions")
      .innerJoin("users", "users.id", "sessions.user_id")
      .select(["users.id", "users.username", "sessions.id as sessionId"])
      .select(sql<Date>`coalesce(sessions.authenticated_at, sessions.signed_in_at)`.as("signedInAt"))
      .select("sessions.second_factor as secondFactor")
      .select(sql<boolean>`last_used_at < now() - make_interval(secs => ${lastUsedResolutionSeconds})`.as("isLastUseOutdated"))
      .select(effectiveRoles().as("roles"))
      .select(effectiveGroups().as("groups"))
      .select(effectiveGroupNames().as("groupNames"))
      .where("sessions.purpose", "=", purpose)
      .where("sessions.expires_at", ">", sql<Date>`now()`)
      .where("sessions.renewal_due", "=", false)
      .where("users.locked", "=", false);
  }

  #userOf({ signedInAt, secondFactor, ...user }: SessionRow): SignedInUser {
    const lacksSecondFactor = !secondFactor && this.requiresSecondFactor(user.roles);
    return SignedInUser.make({ ...user, signedInAtMs: signedInAt.getTime(), lacksSecondFactor });
  }

  async #updateLastUse(sessionId: string): Promise<void> {
    await this.#db
      .updateTable("sessions")
      .set({ last_used_at: sql<Date>`now()` })
      .where("id", "=", sessionId)
      .execute();
  }
}

/** The user of the session if the token names the same user. */
const matchingUser = (userId: string, user: SignedInUser | undefined) => (user?.id === userId ? user : undefined);
