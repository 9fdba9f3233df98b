import type { LoginAnswer, TokenWrapper } from "@fairway/contract/auth";
import type { PasskeyAssertion, PasskeyRequest } from "@fairway/contract/passkeys";
import type { OwnProfile, ProfileDraft } from "@fairway/contract/profile";
import type { SecondFactorProof } from "@fairway/contract/second-factors";
import type { SecurityEvent } from "@fairway/contract/security-events";
import type { Kysely } from "kysely";
import type { DatabaseConnection } from "#database/connection.ts";
import type { Database } from "#database/schema.ts";
import type { TokenReader } from "#http/gatekeeper.ts";
import type { SignedInUser } from "#http/handlers.ts";
import type { MasterKey } from "#master-key.ts";
import { type AccountsDescription, ensureAccounts, findById } from "./accounts.ts";
import type { Announcements, Log } from "./announce.ts";
import { CallRate } from "./call-rate.ts";
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
import { SecondFactors } from "./second-factors.ts";
import { noteSecurityEvents, removeOldSecurityEvents, securityEventsOf } from "./security-events.ts";
import type { SecurityLimits } from "./security-limits.ts";
import { SessionStates } from "./session-states.ts";
import { type SessionOrigin, Sessions } from "./sessions.ts";
import { SignIn } from "./sign-in.ts";
import { SigningKeys } from "./signing-keys.ts";
import { IdentityTokenReader } from "./token-reader.ts";
import { WorkLane } from "./work-lane.ts";

/** Who people are: their accounts, sessions and tokens. */
export interface Identity {
  readonly tokens: TokenReader;

  login(username: string, password: string, from: SessionOrigin): Promise<LoginAnswer>;
  /** `tried` hears whose card it is, whatever comes of it. */
  loginByCard: CardSignIn["login"];
  /** The second step of signing in, by its token. */
  proveSecondFactor(user: SignedInUser, proof: SecondFactorProof, from: SessionOrigin): Promise<LoginAnswer>;
  /** What to ask the browser for to sign in again by passkey. Undefined where the user has none that works at this address. */
  passkeyRequest(user: SignedInUser, origin: string): Promise<PasskeyRequest | undefined>;
  signInByPasskey(user: SignedInUser, assertion: PasskeyAssertion, from: SessionOrigin): Promise<LoginAnswer>;
  readonly signInMethods: OwnSignInMethods;
  /** By an administrator, who helps after a loss. False when nothing was set up. */
  removeSecondFactors(userId: string, by: Pick<SignedInUser, "username">): Promise<boolean>;
  /** The latest changes of how the user signs in, newest first. */
  securityEventsOf(userId: string): Promise<SecurityEvent[]>;
  refresh(refreshToken: string, from: SessionOrigin): Promise<TokenWrapper>;
  logout(refreshToken: string): Promise<void>;
  /** In a transaction that `transact` begins, where it is given. */
  changePassword(user: SignedInUser, password: string, from: Pick<SessionOrigin, "isDirect">, transact?: Transact): Promise<void>;

  linkCard: CardSignIn["link"];
  /** Since when a card of this issuer is linked. */
  cardLinkedSince(userId: string, issuer: string): Promise<Date | undefined>;
  unlinkCard(userId: string): Promise<void>;
  /** False when the code was turned in before, at any gateway. */
  spendCardCode(code: string): Promise<boolean>;

  profileOf(userId: string): Promise<OwnProfile>;
  /** Within the transaction of `trx` where there is one. A new e-mail address needs a recent sign-in: else refuses with `sign-in-again`. */
  changeProfile(user: Pick<SignedInUser, "id" | "signedInAtMs">, draft: ProfileDraft, trx?: Kysely<Database>): Promise<OwnProfile>;
  /** Refuses with `sign-in-again` in a session whose sign-in is too long ago. */
  requireFreshSignIn(user: Pick<SignedInUser, "signedInAtMs">): void;
  /** Living ones of the user: the one that calls first, then the latest used; 200 at most. */
  sessionsOf(user: SignedInUser): Promise<ListedSession[]>;
  /** False when the user has no such session. */
  endSession(userId: string, sessionId: string): Promise<boolean>;
  /** Ends the sessions of the user but the one that calls. */
  endOtherSessions(user: SignedInUser): Promise<void>;

  /** Answers the one-time token of the setup link where no user exists and none is named. */
  ensureFirstAdministrator(administrator: { username: string; password: string } | undefined): Promise<{ setupToken: string } | undefined>;
  createFirstAdministrator(draft: { setupToken: string; username: string; password: string }): Promise<void>;
  ensureAccounts(accounts: AccountsDescription): Promise<void>;

  /** An administrator's lock: the user's sessions end, and nothing signs in until `unlockUser`. False when there is no such user. */
  lockUser(userId: string): Promise<boolean>;
  /** Ends an administrator's lock and every lock that failed sign-ins caused. False when there is no such user. */
  unlockUser(userId: string): Promise<boolean>;
  /** Whether any lock holds the user, an administrator's or one of failed sign-ins from any address. */
  isLocked(userId: string): Promise<boolean>;
  /** To be called after a change of a user, of the user's roles or of the user's existence: every gateway asks again. */
  userChanged(userId: string): Promise<void>;
  /** The same after a change that may concern many: of a group, of a role. */
  everyoneChanged(): Promise<void>;
  /** Those of these usernames that failed sign-ins lock, from any address. Asked in `trx`. */
  lockedByFailures(usernames: readonly string[], trx: Kysely<Database>): Promise<ReadonlySet<string>>;
  /** Ends the locks that failed sign-ins caused. */
  forgiveFailures(username: string): Promise<void>;

  /** Calls `hear` with each user who may have changed, on any gateway; with undefined when it may be any of them. */
  onUserChanged(hear: (userId: string | undefined) => void): void;

  /** Stops the housekeeping. The database and the notifications are closed by whoever opened them. */
  close(): Promise<void>;
}

export interface IdentityOptions {
  readonly database: Pick<DatabaseConnection, "db">;
  readonly masterKey: Pick<MasterKey, "encrypt" | "decrypt">;
  readonly notifications: Announcements;
  readonly passwordPolicy: PasswordPolicy;
  readonly securityLimits: SecurityLimits;
  readonly accessTokenSeconds: number;
  /** Administration is closed to sessions that proved a password only. */
  readonly secondFactorForAdministrators?: boolean;
  /** The address people open, where the operator says it. */
  readonly publicUrl?: string | undefined;
  /** Users whose passwords everyone knows, such as the demo's. */
  readonly localUsernames?: readonly string[];
  readonly log: Log;
}

/** What authenticator apps and browsers call the portal. */
const issuer = "Fairway";

const sweepEveryMs = 10 * 60_000;

export async function openIdentity(options: IdentityOptions): Promise<Identity> {
  const { masterKey, notifications, passwordPolicy, securityLimits, accessTokenSeconds, log } = options;
  const { db } = options.database;
  const states = await SessionStates.open(db, notifications, log, options);
  const throttle = new LoginThrottle(db, securityLimits);
  const sessions = new Sessions(db, securityLimits);
  const lane = new WorkLane(securityLimits.signInsAtOnce, securityLimits.passwordChecksWaiting);
  const { passwordResetSeconds, freshSignInMinutes, signingKeyDays: rotateAfterDays } = securityLimits;
  const tokensLiveSeconds = Math.max(accessTokenSeconds, passwordResetSeconds);
  const keys = await SigningKeys.open({ db, masterKey, notifications, log, rotateAfterDays, tokensLiveSeconds });
  const passwords = await PasswordCheck.open(securityLimits.passwordChecksAtOnce);
  const refreshes = new CallRate(securityLimits.refreshesPerMinute);
  const localAccounts = new LocalAccounts(options.localUsernames ?? []);
  const lifetimes = { accessTokenSeconds, passwordResetSeconds };
  const { passkeysPerUser: maxPasskeys, passkeySeconds } = securityLimits;
  const passkeys = new Passkeys({ db, log, issuer, publicUrl: options.publicUrl, maxPasskeys, seconds: passkeySeconds });
  const secondFactors = new SecondFactors({ db, masterKey, issuer, passkeys });
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
    ...lifetimes,
    secondFactorSeconds: securityLimits.secondFactorSeconds,
    log,
  });
  const cards = new CardSignIn({ db, throttle, passwords, lane, localAccounts, signIn, log });
  const own = { lane, states, localAccounts, passwordPolicy, freshSignInMinutes };
  const first = { db, passwordPolicy, setupTokenHours: securityLimits.setupTokenHours };
  const stopSweeping = sweepRegularly(async () => {
    await throttle.sweep();
    await sessions.sweep();
    await passkeys.sweep();
    await forgetSpentCodes(db);
    await removeOldSecurityEvents(db, securityLimits.securityEventDays);
  }, log);

  return {
    tokens: new IdentityTokenReader(keys, states),
    login: (username, password, from) => signIn.login(username, password, from),
    loginByCard: (read, from, tried) => cards.login(read, from, tried),
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
      const removed = await secondFactors.removeAll(userId, by.username);
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
    spendCardCode: (code) => spendCode(db, code),
    profileOf: (userId) => profileOf(db, userId),
    changeProfile: (user, draft, trx = db) => changeProfile(trx, user, draft, freshSignInMinutes),
    requireFreshSignIn: ({ signedInAtMs }) => requireFreshSignIn(signedInAtMs, freshSignInMinutes),
    sessionsOf: (user) => sessionsOf(db, user),
    async endSession(userId, sessionId) {
      const found = await endSession(db, userId, sessionId);
      if (found) await states.changed("session", sessionId);
      return found;
    },
    async endOtherSessions(user) {
      await endOtherSessions(db, user);
      await states.changed("user", user.id);
    },
    ensureFirstAdministrator: (administrator) => ensureFirstAdministrator(first, administrator),
    createFirstAdministrator: (draft) => createFirstAdministrator(first, draft),
    ensureAccounts: (accounts) => ensureAccounts(db, accounts),
    async lockUser(userId) {
      const found = await lock(db, userId);
      if (found) await states.changed("user", userId);
      return found;
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
    onUserChanged: (hear) => states.onUserChanged(hear),
    close: stopSweeping,
  };
}

const lock = (db: Kysely<Database>, userId: string): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const user = await trx.updateTable("users").set({ locked: true }).where("id", "=", userId).returning("id").executeTakeFirst();
    await trx.deleteFrom("sessions").where("user_id", "=", userId).execute();
    return user !== undefined;
  });

/** Answers a function that stops it and waits for the sweep under way, so that the database can be closed. */
function sweepRegularly(sweep: () => Promise<void>, log: Log): () => Promise<void> {
  let running = Promise.resolve();
  const timer = setInterval(() => {
    running = sweep().catch((error: unknown) =>
      log.warn({ err: error }, "old sign-in records could not be deleted; the next round tries again"),
    );
  }, sweepEveryMs).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
