import { type Kysely, sql } from "kysely";
import { CachedReads } from "#cached-read.ts";
import type { Database } from "#database/schema.ts";
import type { SignedInUser } from "#http/handlers.ts";
import { effectiveRoles } from "./accounts.ts";
import { type Announcements, type Log, announce } from "./announce.ts";
import type { SessionPurpose } from "./tables.ts";

const channel = "accounts";
// How exactly a session's last use is known; what is in use is written down once in this time.
const lastUsedSeconds = 60;

interface SessionStateOptions {
  /** Administration is closed to sessions that proved a password only. */
  readonly secondFactorForAdministrators?: boolean;
}

interface State {
  readonly userId: string;
  /** Undefined: the session is over, or its user locked or deleted. */
  readonly user: SignedInUser | undefined;
}

/** Whose session is whose, and what its user may do now: as the database has it, cached for some seconds. */
export class SessionStates {
  readonly #db: Kysely<Database>;
  readonly #announcements: Announcements;
  readonly #log: Log;
  readonly #states = new CachedReads<State>(20_000);
  readonly #userListeners: ((userId: string | undefined) => void)[] = [];
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
      const [what, id] = payload.split(":");
      states.#forgetAndNotify(what, id ?? "");
    });
    announcements.onReconnect(() => {
      states.#states.forget(() => true);
      states.#notifyListeners(undefined);
    });
    return states;
  }

  /** The user of an ordinary session; undefined when it is over. Needs no promise for what is cached. */
  find(sessionId: string, userId: string): SignedInUser | undefined | Promise<SignedInUser | undefined> {
    const known = this.#states.peek(sessionId);
    return known === undefined ? this.#load(sessionId, userId) : only(userId, known.user);
  }

  /** The user of a session that serves one step of signing in. Never cached: it works once. */
  async findStep(purpose: Exclude<SessionPurpose, "ordinary">, sessionId: string, userId: string): Promise<SignedInUser | undefined> {
    return only(userId, await this.#read(purpose, sessionId));
  }

  /** Whether the portal asks for a second factor of whoever holds these roles. */
  requiresSecondFactor(roles: readonly string[]): boolean {
    return this.#secondFactorForAdministrators && roles.includes("admin");
  }

  /** Calls `listener` with each user who may have changed, on any gateway; with undefined when it may be any of them. */
  onUserChanged(listener: (userId: string | undefined) => void): void {
    this.#userListeners.push(listener);
  }

  /** To be called after the change is committed: every gateway asks the database again. */
  async changed(what: "user" | "session" | "everyone", id: string): Promise<void> {
    this.#forgetAndNotify(what, id);
    await announce(this.#announcements, this.#log, channel, `${what}:${id}`);
  }

  #forgetAndNotify(what: string | undefined, id: string): void {
    this.#states.forget((state, sessionId) => what === "everyone" || id === (what === "user" ? state.userId : sessionId));
    if (what === "user") this.#notifyListeners(id);
    if (what === "everyone") this.#notifyListeners(undefined);
  }

  #notifyListeners(userId: string | undefined): void {
    for (const listener of this.#userListeners) listener(userId);
  }

  async #load(sessionId: string, userId: string): Promise<SignedInUser | undefined> {
    const state = await this.#states.read(sessionId, async () => {
      const user = await this.#read("ordinary", sessionId);
      return { userId: user?.id ?? userId, user };
    });
    return only(userId, state?.user);
  }

  async #read(purpose: SessionPurpose, sessionId: string): Promise<SignedInUser | undefined> {
    const row = await this.#db
      .selectFrom("sessions")
      .innerJoin("users", "users.id", "sessions.user_id")
      .select(["users.id", "users.username", "sessions.signed_in_at as signedInAt", "sessions.second_factor as secondFactor"])
      .select(sql<boolean>`last_used_at < now() - make_interval(secs => ${lastUsedSeconds})`.as("isUnnoted"))
      .select(effectiveRoles().as("roles"))
      .where("sessions.id", "=", sessionId)
      .where("sessions.purpose", "=", purpose)
      .where("sessions.expires_at", ">", sql<Date>`now()`)
      .where("users.locked", "=", false)
      .executeTakeFirst();
    if (!row) return undefined;
    if (row.isUnnoted) await this.#noteUse(sessionId);
    return Object.freeze({
      id: row.id,
      username: row.username,
      roles: Object.freeze(row.roles),
      sessionId,
      signedInAtMs: row.signedInAt.getTime(),
      ...(!row.secondFactor && this.requiresSecondFactor(row.roles) ? { lacksSecondFactor: true as const } : {}),
    });
  }

  async #noteUse(sessionId: string): Promise<void> {
    await this.#db
      .updateTable("sessions")
      .set({ last_used_at: sql<Date>`now()` })
      .where("id", "=", sessionId)
      .execute();
  }
}

/** The user of the session, if it is the one that the token names. */
const only = (userId: string, user: SignedInUser | undefined) => (user?.id === userId ? user : undefined);
