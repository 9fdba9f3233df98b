import { type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import type { SignedInUser } from "#http/handlers.ts";
import { effectiveRoles } from "./accounts.ts";
import { type Announcements, type Log, announce } from "./announce.ts";
import { BoundedCache } from "./bounded-cache.ts";
import type { SessionPurpose } from "./tables.ts";

const channel = "accounts";
// Bounds what a lost notification can cost.
const freshForMs = 5_000;
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
  readonly freshUntilMs: number;
}

/** Whose session is whose, and what its user may do now: the database's word, remembered for a moment. */
export class SessionStates {
  readonly #db: Kysely<Database>;
  readonly #announcements: Announcements;
  readonly #log: Log;
  readonly #states = new BoundedCache<State>(20_000);
  readonly #loading = new Map<string, Promise<State>>();
  readonly #userHearers: ((userId: string | undefined) => void)[] = [];
  readonly #secondFactorForAdministrators: boolean;
  /** Counts forgotten states, so that an answer read before does not come back after. */
  #epoch = 0;

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
      states.#hear(what, id ?? "");
    });
    announcements.onReconnect(() => {
      states.#forget(() => true);
      states.#tellOf(undefined);
    });
    return states;
  }

  /** The user of an ordinary session; undefined when it is over. Answers without a promise what it remembers. */
  find(sessionId: string, userId: string): SignedInUser | undefined | Promise<SignedInUser | undefined> {
    const known = this.#states.get(sessionId);
    if (known !== undefined && known.freshUntilMs > Date.now()) return only(userId, known.user);
    return this.#load(sessionId, userId);
  }

  /** The user of a session that serves one step of signing in. Never remembered: it works once. */
  async findStep(purpose: Exclude<SessionPurpose, "ordinary">, sessionId: string, userId: string): Promise<SignedInUser | undefined> {
    return only(userId, await this.#read(purpose, sessionId));
  }

  /** Whether the portal asks for a second factor of whoever holds these roles. */
  requiresSecondFactor(roles: readonly string[]): boolean {
    return this.#secondFactorForAdministrators && roles.includes("admin");
  }

  /** Calls `hear` with each user who may have changed, on any gateway; with undefined when it may be any of them. */
  onUserChanged(hear: (userId: string | undefined) => void): void {
    this.#userHearers.push(hear);
  }

  /** To be called after the change is committed: every gateway asks the database again. */
  async changed(what: "user" | "session" | "everyone", id: string): Promise<void> {
    this.#hear(what, id);
    await announce(this.#announcements, this.#log, channel, `${what}:${id}`);
  }

  #hear(what: string | undefined, id: string): void {
    this.#forget((state, sessionId) => what === "everyone" || id === (what === "user" ? state.userId : sessionId));
    if (what === "user") this.#tellOf(id);
    if (what === "everyone") this.#tellOf(undefined);
  }

  #tellOf(userId: string | undefined): void {
    for (const hear of this.#userHearers) hear(userId);
  }

  #forget(matches: (state: State, sessionId: string) => boolean): void {
    this.#epoch += 1;
    this.#loading.clear();
    this.#states.forget(matches);
  }

  async #load(sessionId: string, userId: string): Promise<SignedInUser | undefined> {
    let loading = this.#loading.get(sessionId);
    if (!loading) {
      loading = this.#fetch(sessionId, userId);
      this.#loading.set(sessionId, loading);
    }
    return only(userId, (await loading).user);
  }

  async #fetch(sessionId: string, userId: string): Promise<State> {
    const epoch = this.#epoch;
    const freshUntilMs = Date.now() + freshForMs;
    try {
      const user = await this.#read("ordinary", sessionId);
      const state = { userId: user?.id ?? userId, user, freshUntilMs };
      if (epoch === this.#epoch) this.#states.set(sessionId, state);
      return state;
    } finally {
      if (epoch === this.#epoch) this.#loading.delete(sessionId);
    }
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
