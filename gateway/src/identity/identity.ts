import type { LoginAnswer, TokenWrapper } from "@fairway/contract/auth";
import type { PasskeyAssertion, PasskeyRequest } from "@fairway/contract/passkeys";
import type { OwnProfile, ProfileDraft } from "@fairway/contract/profile";
import type { SecondFactorProof } from "@fairway/contract/second-factors";
import type { SecurityEvent } from "@fairway/contract/security-events";
import type { Kysely } from "kysely";
import type { DatabaseConnection } from "#database/connection.ts";
import type { Database } from "#database/schema.ts";
import type { TokenReader } from "#http/gatekeeper.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import type { MasterKey } from "#secrets/master-key.ts";
import { type AccountsDescription, ensureAccounts, findById } from "./accounts.ts";
import type { Announcements, Log } from "./announce.ts";
import type { CallRates } from "./call-rates.ts";
import { AdministeredLinks } from "./administered-links.ts";
import { forgetSpentCodes, linkedSince, spendCode, unlinkCard } from "./card-links.ts";
import { CardSignIn } from "./card-sign-in.ts";
import { createFirstAdministrator, ensureFirstAdministrator } from "./first-administrator.ts";
import { LocalAccounts } from "./local-accounts.ts";
import { LoginThrottle } from "./login-throttle.ts";
import { type Transact, changeOwnPassword } from "./own-password.ts";
import { changeProfile, profileOf } from "./own-profile.ts";
import { type ListedSession, endOtherSessions, endSession, sessionsOf } from "./own-sessions.ts";
import { OwnSignInMethods, requireFreshSignIn } from "./own-sign-in-methods.ts";
import { Passkeys } from "./passkeys.ts";
import type { PasswordPolicy } from "./password-policy.ts";
import { PasswordCheck } from "./passwords.ts";
import { SecondFactors, removeSecondFactors } from "./second-factors.ts";
import { personLinkedSince } from "./provider-links.ts";
import { ProviderSessions, type SessionProvider } from "./provider-sessions.ts";
import { ProviderSignIn } from "./provider-sign-in.ts";
import { noteSecurityEvents, removeOldSecurityEvents, securityEventsOf } from "./security-events.ts";
import type { SecurityLimits } from "./security-limits.ts";
import { type SessionListener, SessionStates } from "./session-states.ts";
import { type SessionOrigin, Sessions } from "./sessions.ts";
import { SignIn } from "./sign-in.ts";
import { SigningKeys } from "./signing-keys.ts";
import { IdentityTokenReader } from "./token-reader.ts";
import { WorkLane } from "./work-lane.ts";

/** Accounts, sessions and tokens. */
export interface Identity {
  readonly tokens: TokenReader;

  login(username: string, password: string, from: SessionOrigin): Promise<LoginAnswer>;
  /** `onHolder` is called with the card's holder, regardless of the outcome. */
  loginByCard: CardSignIn["login"];
  /** `onPerson` is called with the person's account. */
  loginByProvider: ProviderSignIn["login"];
  linkPerson: ProviderSignIn["link"];
  /** When the account was linked to a person of this issuer; undefined if it is not. */
  personLinkedSince(userId: string, issuer: string): Promise<Date | undefined>;
  unlinkPerson: ProviderSignIn["unlink"];
  /** For administrators. */
  readonly administeredLinks: AdministeredLinks;
  /** Ends a session that was started at the provider, see `ProviderSessions.end`. */
  logoutFromProvider: ProviderSessions["end"];
  /** Ends sessions that the provider says have ended there. */
  endByProvider: ProviderSignIn["end"];
  /** Counts a call that starts a sign-in. Refuses with `too-many-requests`. */
  countSignInAttempt: ProviderSignIn["countAttempt"];
  /** The second step of a sign-in, authorized by its token. */
  proveSecondFactor(user: SignedInUser, proof: SecondFactorProof, from: SessionOrigin): Promise<LoginAnswer>;
  /** The browser request for signing in again with a passkey. Undefined if the user has none that works at this address. */
  passkeyRequest(user: SignedInUser, origin: string): Promise<PasskeyRequest | undefined>;
  signInByPasskey(user: SignedInUser, assertion: PasskeyAssertion, from: SessionOrigin): Promise<LoginAnswer>;
  readonly signInMethods: OwnSignInMethods;
  /** For administrators, after a user has lost them. False if none was set up. */
  removeSecondFactors(userId: string, by: Pick<SignedInUser, "username">): Promise<boolean>;
  /** The user's latest security activity, newest first. */
  securityEventsOf(userId: string): Promise<SecurityEvent[]>;
  refresh(refreshToken: string, from: SessionOrigin): Promise<TokenWrapper>;
  logout(refreshToken: string): Promise<void>;
  /** Runs in the transaction of `transact` if it is passed. */
  changePassword(user: SignedInUser, password: string, from: Pick<SessionOrigin, "isDirect">, transact?: Transact): Promise<void>;

  linkCard: CardSignIn["link"];
  /** When a card of this issuer was linked; undefined if there is none. */
  cardLinkedSince(userId: string, issuer: string): Promise<Date | undefined>;
  unlinkCard(userId: string): Promise<void>;
  /** Marks a code of a card, or the state of a request to the provider, as used. False if it was used before, at any gateway. */
  spendCode(code: string): Promise<boolean>;

  profileOf(userId: string): Promise<OwnProfile>;
  /** Runs in `trx` if it is passed. A new email address needs a recent sign-in; otherwise refuses with `sign-in-again`. */
  changeProfile(user: Pick<SignedInUser, "id" | "signedInAtMs">, draft: ProfileDraft, trx?: Kysely<Database>): Promise<OwnProfile>;
  /** Refuses with `sign-in-again` if the session's sign-in is not recent. */
  requireFreshSignIn(user: Pick<SignedInUser, "signedInAtMs">): void;
  /** The user's active sessions: the calling one first, then the most recently used; at most 200. */
  sessionsOf(user: SignedInUser): Promise<ListedSession[]>;
  /** False if the user has no such session. */
  endSession(userId: string, sessionId: string): Promise<boolean>;
  /** Ends all sessions of the user except the calling one. */
  endOtherSessions(user: SignedInUser): Promise<void>;

  /** Returns the one-time token of the setup link if no user exists and no administrator is passed. */
  ensureFirstAdministrator(administrator: { username: string; password: string } | undefined): Promise<{ setupToken: string } | undefined>;
  createFirstAdministrator(draft: { setupToken: string; username: string; password: string }): Promise<void>;
  ensureAccounts(accounts: AccountsDescription): Promise<void>;

  /** Locks the user until `unlockUser` and ends the user's sessions. False if there is no such user. */
  lockUser(userId: string): Promise<boolean>;
  /** Ends an administrator's lock and all lockouts. False if there is no such user. */
  unlockUser(userId: string): Promise<boolean>;
  /** Whether the user is locked by an administrator or has a lockout for any address. */
  isLocked(userId: string): Promise<boolean>;
  /** Call it after a user or the user's roles were changed, created or deleted: every gateway clears its cache. */
  userChanged(userId: string): Promise<void>;
  /** Like `userChanged`, after a change that may affect many users: of a group or a role. */
  everyoneChanged(): Promise<void>;
  /** Those of these usernames that have a lockout for any address. Runs in `trx`. */
  lockedByFailures(usernames: readonly string[], trx: Kysely<Database>): Promise<ReadonlySet<string>>;
  /** Ends the lockouts of the user. */
  forgiveFailures(username: string): Promise<void>;

  /** Calls the listener with the id of a user who may have changed on any gateway; with undefined if any user may have changed. */
  onUserChanged(listener: (userId: string | undefined) => void): void;

  /** Calls the listener when sessions may have ended, or their users may have changed, on any gateway. */
  onSessionsChanged(listener: SessionListener): void;
  /** The users of these sessions by session, without those that have ended. Reads the database, once for all. */
  usersOf(sessionIds: readonly string[]): Promise<ReadonlyMap<string, SignedInUser>>;

  /** Stops the housekeeping. Does not close the database and the notifications. */
  close(): Promise<void>;
}

export interface IdentityOptions {
  readonly database: Pick<DatabaseConnection, "db">;
  readonly masterKey: Pick<MasterKey, "encrypt" | "decrypt">;
  readonly notifications: Announcements;
  readonly callRates: Pick<CallRates, "rate" | "sweep">;
  readonly passwordPolicy: PasswordPolicy;
  readonly securityLimits: SecurityLimits;
  /** Whether administration requires a session with a second factor. */
  readonly secondFactorForAdministrators?: boolean;
  /** The configured public URL of the portal. */
  readonly publicUrl?: string | undefined;
  /** Users with well-known passwords, such as the demo's. */
  readonly localUsernames?: readonly string[];
  /** The organization's OpenID Connect provider, which confirms renewals of sessions that it started. */
  readonly provider?: SessionProvider | undefined;
  readonly log: Log;
}

/** Name of the portal in authenticator apps and browsers. */
const issuer = "Fairway";

const sweepIntervalMs = 10 * 60_000;

export async function openIdentity(options: IdentityOptions): Promise<Identity> {
  const { masterKey, notifications, callRates, passwordPolicy, securityLimits, log } = options;
  const { db } = options.database;
  const states = await SessionStates.open(db, notifications, log, options);
  const throttle = new LoginThrottle(db, securityLimits);
  const sessions = new Sessions(db, securityLimits);
  const lane = new WorkLane(securityLimits.signInsAtOnce, securityLimits.passwordChecksWaiting);
  const { accessTokenSeconds, passwordResetSeconds, freshSignInMinutes, signingKeyDays: rotateAfterDays } = securityLimits;
  const tokenSeconds = Math.max(accessTokenSeconds, passwordResetSeconds);
  const keys = await SigningKeys.open({ db, masterKey, notifications, log, rotateAfterDays, tokenSeconds });
  const passwords = await PasswordCheck.open(securityLimits.passwordChecksAtOnce);
  const refreshes = callRates.rate("refreshes", securityLimits.refreshesPerMinute);
  const logouts = callRates.rate("logouts at the provider", securityLimits.providerLogoutsPerMinute);
  const localAccounts = new LocalAccounts(options.localUsernames ?? []);
  const lifetimes = { accessTokenSeconds, passwordResetSeconds };
  const { passkeysPerUser: maxPasskeys, passkeySeconds } = securityLimits;
  const passkeys = new Passkeys({ db, log, issuer, publicUrl: options.publicUrl, maxPasskeys, seconds: passkeySeconds });
  const secondFactors = new SecondFactors({ db, masterKey, issuer, passkeys });
  const { providerGraceMinutes: graceMinutes, providerUncheckedMinutes: uncheckedMinutes } = securityLimits;
  const { provider } = options;
  const providerSessions = new ProviderSessions({ db, masterKey, states, provider, graceMinutes, uncheckedMinutes, log });
  const signIn = new SignIn({
    db,
    throttle,
    passwords,
    lane,
    sessions,
    refreshes,
    states,
    keys,
    localAccounts,
    secondFactors,
    passkeys,
    providerSessions,
    ...lifetimes,
    secondFactorSeconds: securityLimits.secondFactorSeconds,
    log,
  });
  const cards = new CardSignIn({ db, throttle, passwords, lane, localAccounts, signIn, log });
  const people = new ProviderSignIn({ db, throttle, localAccounts, signIn, states, providerSessions, logouts });
  const own = { lane, states, localAccounts, passwordPolicy, freshSignInMinutes };
  const first = { db, passwordPolicy, setupTokenHours: securityLimits.setupTokenHours };
  const stopSweeping = startSweeping(async () => {
    await throttle.sweep();
    await sessions.sweep();
    await passkeys.sweep();
    await forgetSpentCodes(db);
    await callRates.sweep();
    await removeOldSecurityEvents(db, securityLimits.securityEventDays);
  }, log);

  return {
    tokens: new IdentityTokenReader(keys, states),
    login: (username, password, from) => signIn.login(username, password, from),
    loginByCard: (read, from, onHolder) => cards.login(read, from, onHolder),
    loginByProvider: (read, providerName, from, onPerson) => people.login(read, providerName, from, onPerson),
    linkPerson: (user, read, providerName, from) => people.link(user, read, providerName, from),
    personLinkedSince: (userId, providerIssuer) => personLinkedSince(db, userId, providerIssuer),
    unlinkPerson: (user, providerName) => people.unlink(user, providerName),
    administeredLinks: new AdministeredLinks({ db, states, provider }),
    logoutFromProvider: (token) => providerSessions.end(token),
    endByProvider: (read, from) => people.end(read, from),
    countSignInAttempt: (from) => people.countAttempt(from),
    proveSecondFactor: (user, proof, from) => signIn.proveSecondFactor(user, proof, from),
    passkeyRequest: (user, origin) => passkeys.requestFor(user, "alone", origin),
    signInByPasskey: (user, assertion, from) => signIn.signInByPasskey(user, assertion, from),
    signInMethods: new OwnSignInMethods({
      secondFactors,
      passkeys,
      states,
      freshSignInMinutes,
      isRequired: (user) => states.requiresSecondFactor(user.roles),
    }),
    securityEventsOf: (userId) => securityEventsOf(db, userId),
    async removeSecondFactors(userId, by) {
      const removed = await removeSecondFactors(db, userId, by.username);
      await states.changed("user", userId);
      return removed;
    },
    refresh: (token, from) => signIn.refresh(token, from),
    logout: (token) => signIn.logout(token),
    changePassword: (user, password, from, transact = (change) => db.transaction().execute(change)) =>
      changeOwnPassword(own, user, password, from, transact),
    linkCard: (user, password, read, from) => cards.link(user, password, read, from),
    cardLinkedSince: (userId, issuer) => linkedSince(db, userId, issuer),
    unlinkCard: (userId) =>
      db.transaction().execute(async (trx) => {
        if (await unlinkCard(trx, userId)) await noteSecurityEvents(trx, [{ userId, kind: "card-unlinked" }]);
      }),
    spendCode: (code) => spendCode(db, code),
    profileOf: (userId) => profileOf(db, userId),
    changeProfile: (user, draft, trx = db) => changeProfile(trx, user, draft, freshSignInMinutes),
    requireFreshSignIn: ({ signedInAtMs }) => requireFreshSignIn(signedInAtMs, freshSignInMinutes),
    sessionsOf: (user) => sessionsOf(db, user),
    async endSession(userId, sessionId) {
      const ended = await endSession(db, userId, sessionId);
      if (ended) await states.changed("session", sessionId);
      return ended;
    },
    async endOtherSessions(user) {
      await endOtherSessions(db, user);
      await states.changed("user", user.id);
    },
    ensureFirstAdministrator: (administrator) => ensureFirstAdministrator(first, administrator),
    createFirstAdministrator: (draft) => createFirstAdministrator(first, draft),
    ensureAccounts: (accounts) => ensureAccounts(db, accounts),
    async lockUser(userId) {
      const exists = await lock(db, userId);
      if (exists) await states.changed("user", userId);
      return exists;
    },
    async unlockUser(userId) {
      const user = await db.updateTable("users").set({ locked: false }).where("id", "=", userId).returning("username").executeTakeFirst();
      if (!user) return false;
      await throttle.forgive(user.username);
      await states.changed("user", userId);
      return true;
    },
    async isLocked(userId) {
      const user = await findById(db, userId);
      return user !== undefined && (user.locked || (await throttle.isLocked(user.username)));
    },
    userChanged: (userId) => states.changed("user", userId),
    everyoneChanged: () => states.changed("everyone", ""),
    lockedByFailures: (usernames, trx) => throttle.lockedAmong(usernames, trx),
    forgiveFailures: (username) => throttle.forgive(username),
    onUserChanged: (listener) => states.onUserChanged(listener),
    onSessionsChanged: (listener) => states.onSessionsChanged(listener),
    usersOf: (sessionIds) => states.usersOf(sessionIds),
    close: stopSweeping,
  };
}

const lock = (db: Kysely<Database>, userId: string): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const user = await trx.updateTable("users").set({ locked: true }).where("id", "=", userId).returning("id").executeTakeFirst();
    await trx.deleteFrom("sessions").where("user_id", "=", userId).execute();
    return user !== undefined;
  });

/** Returns a function that stops it and waits for the current sweep, so that the database can be closed. */
function startSweeping(sweep: () => Promise<void>, log: Log): () => Promise<void> {
  let running = Promise.resolve();
  const timer = setInterval(() => {
    running = sweep().catch((error: unknown) =>
      log.warn({ err: error }, "old sign-in records could not be deleted; the next round tries again"),
    );
  }, sweepIntervalMs).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
