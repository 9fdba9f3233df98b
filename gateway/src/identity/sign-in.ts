import type { LoginAnswer, TokenWrapper } from "@fairway/contract/auth";
import type { PasskeyAssertion } from "@fairway/contract/passkeys";
import type { SecondFactorProof } from "@fairway/contract/second-factors";
import type { Kysely } from "kysely";
import type { Database } from "#database/schema.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import { type Account, findById, findByUsername } from "./accounts.ts";
import type { Log } from "./announce.ts";
import type { CallRate } from "./call-rate.ts";
import { addressKey } from "./client-address.ts";
import type { Purpose } from "./jwt.ts";
import type { LocalAccounts } from "./local-accounts.ts";
import type { LoginThrottle, Reservation } from "./login-throttle.ts";
import type { Passkeys } from "./passkeys.ts";
import { type PasswordCheck, hashPassword, isOutdated } from "./passwords.ts";
import type { SecondFactors } from "./second-factors.ts";
import type { SessionStates } from "./session-states.ts";
import type { ProviderProof, ProviderSessions } from "./provider-sessions.ts";
import type { OpenSession, Proof, SessionOrigin, Sessions } from "./sessions.ts";
import type { SigningKeys } from "./signing-keys.ts";
import type { WorkLane } from "./work-lane.ts";

export interface SignInParts {
  readonly db: Kysely<Database>;
  readonly throttle: LoginThrottle;
  readonly passwords: PasswordCheck;
  readonly lane: WorkLane;
  readonly sessions: Sessions;
  /** Limits refreshes by address. */
  readonly refreshes: CallRate;
  readonly states: SessionStates;
  readonly localAccounts: LocalAccounts;
  readonly keys: SigningKeys;
  readonly accessTokenSeconds: number;
  readonly passwordResetSeconds: number;
  readonly secondFactorSeconds: number;
  readonly secondFactors: Pick<SecondFactors, "accepts" | "stepOf">;
  readonly passkeys: Pick<Passkeys, "accepts">;
  readonly providerSessions: Pick<ProviderSessions, "keep" | "check">;
  readonly log: Log;
}

/** Sign-in, refresh and logout. */
export class SignIn {
  readonly #parts: SignInParts;
  constructor(parts: SignInParts) {
    this.#parts = parts;
  }

  /**
   * Refuses with `wrong-credentials`, with the same response and the same work for an unknown user, a wrong password and a
   * locked account; with `forbidden` for a demo account behind a proxy, regardless of the password; with `too-many-requests`
   * beyond the rate limit of the address; with `not-ready` if too many sign-ins are waiting.
   */
  async login(username: string, password: string, from: SessionOrigin): Promise<LoginAnswer> {
    const { throttle, lane, localAccounts } = this.#parts;
    const address = addressKey(from.ip);
    await throttle.countAttempt(address);
    localAccounts.requireDirect(username, from);
    return lane.run(() => throttle.withReservation(username, address, (reservation) => this.#check(username, password, reservation, from)));
  }

  async #check(username: string, password: string, reservation: Reservation, from: SessionOrigin): Promise<LoginAnswer> {
    const { db, throttle, passwords, log } = this.#parts;
    const account = await findByUsername(db, username);
    const mayTry = account !== undefined && !account.locked && !reservation.locked;
    const correct = await passwords.matches(mayTry ? account.passwordHash : undefined, password);
    const answer = mayTry && correct ? await this.#admitByPassword(account, password, from) : undefined;
    if (answer) {
      await throttle.release(reservation);
      return answer;
    }
    const { locks } = await throttle.confirm(reservation);
    // Does not log the username, because people sometimes type passwords into that field.
    if (locks) log.warn({ userId: account?.id, address: reservation.address, locks }, "an account is locked after failed sign-ins");
    throw new Refusal("wrong-credentials", "Invalid username or password. Please try again.");
  }

  async #admitByPassword(account: Account, password: string, from: SessionOrigin): Promise<LoginAnswer | undefined> {
    const { passwordHash } = account;
    if (passwordHash === null) return undefined;
    const current = isOutdated(passwordHash) ? await this.#rehash(account.id, passwordHash, password) : passwordHash;
    return this.admit(account, { passwordHash: current }, from);
  }

  /**
   * Starts a session for an account with this proof, or requires the second factor; a card counts as two factors. Undefined if
   * the account has changed during the sign-in.
   */
  async admit(account: Account, proof: Proof, from: SessionOrigin): Promise<LoginAnswer | undefined> {
    const { sessions, secondFactors } = this.#parts;
    if (account.hasSecondFactor && proof.secondFactor !== true && proof.cardHash === undefined) {
      const session = await sessions.start("second-factor", account.id, proof, from);
      if (!session) return undefined;
      const step = await secondFactors.stepOf(account.id, session.id, from.origin);
      const token = await this.#wrap("second-factor", account, session, null);
      return { requiresPasswordChange: false, requiresSecondFactor: true, secondFactors: step, token };
    }
    if (account.requirePasswordChange) {
      const session = await sessions.start("password-reset", account.id, proof, from);
      return session && { requiresPasswordChange: true, token: await this.#wrap("password-reset", account, session, null) };
    }
    const started = await sessions.startRenewable(account.id, proof, from);
    if (!started) return undefined;
    return { requiresPasswordChange: false, token: await this.#wrap("access", account, started.session, started.refreshToken) };
  }

  /** Starts a session for an account whose person the provider has confirmed. Undefined if the account was locked or unlinked since. */
  async admitFromProvider(account: Account, proof: ProviderProof, from: SessionOrigin): Promise<LoginAnswer | undefined> {
    const { sessions, providerSessions } = this.#parts;
    const { person, tokens, authenticatedAtMs = 0 } = proof;
    const started = await sessions.startFromProvider(account.id, { personHash: person.hash, authenticatedAtMs }, from, (trx, sessionId) =>
      providerSessions.keep(trx, sessionId, person, tokens),
    );
    if (!started) return undefined;
    return { requiresPasswordChange: false, token: await this.#wrap("access", account, started.session, started.refreshToken) };
  }

  /**
   * The second step of a sign-in. A wrong code counts as a failed sign-in. Refuses with `wrong-credentials`, with
   * `not-signed-in` if the first step has expired, and like `login`.
   */
  async proveSecondFactor(user: SignedInUser, proof: SecondFactorProof, from: SessionOrigin): Promise<LoginAnswer> {
    const { sessions, secondFactors } = this.#parts;
    const message =
      proof.passkey === undefined ? "The code is not correct. Try the next one that your app shows." : "The passkey was not accepted.";
    return this.#checkProof(user, from, message, async () => {
      if (!(await secondFactors.accepts(user, proof))) return undefined;
      // The first step can be used once, even if two second steps arrive concurrently.
      return (await sessions.endStep(user.sessionId)) ? "proven" : "over";
    });
  }

  /**
   * Signs in a signed-in user again with a passkey instead of the password. It requires user verification and counts as two
   * factors. Refuses like the second step.
   */
  async signInByPasskey(user: SignedInUser, assertion: PasskeyAssertion, from: SessionOrigin): Promise<LoginAnswer> {
    const { passkeys } = this.#parts;
    return this.#checkProof(user, from, "The passkey was not accepted.", async () =>
      (await passkeys.accepts(user, "alone", assertion)) ? "proven" : undefined,
    );
  }

  /** Counts a failed proof (undefined) as a failed sign-in, and refuses it with `message`. */
  async #checkProof(
    user: SignedInUser,
    from: SessionOrigin,
    message: string,
    prove: () => Promise<"proven" | "over" | undefined>,
  ): Promise<LoginAnswer> {
    const { throttle, localAccounts, log } = this.#parts;
    const address = addressKey(from.ip);
    await throttle.countAttempt(address);
    localAccounts.requireDirect(user.username, from);
    return throttle.withReservation(user.username, address, async (reservation) => {
      const outcome = reservation.locked ? undefined : await prove();
      const answer = outcome === "proven" ? await this.#admitProven(user.id, from) : undefined;
      if (outcome === "over" || answer) await throttle.release(reservation);
      if (answer) return answer;
      if (outcome === "over") throw new Refusal("not-signed-in", "Your session has ended. Please sign in again.");
      const { locks } = await throttle.confirm(reservation);
      if (locks) log.warn({ userId: user.id, address, locks }, "an account is locked after wrong second factors");
      throw new Refusal("wrong-credentials", message);
    });
  }

  async #admitProven(userId: string, from: SessionOrigin): Promise<LoginAnswer | undefined> {
    const account = await findById(this.#parts.db, userId);
    if (!account || account.passwordHash === null) return undefined;
    return this.admit(account, { passwordHash: account.passwordHash, secondFactor: true }, from);
  }

  /** Refuses with `provider-ended` like `ProviderSessions.check`; with `invalid-refresh-token` if it is unknown or expired or its session has ended; with `too-many-requests` beyond the rate limit of the address; with `forbidden` like `login`. */
  async refresh(token: string, from: SessionOrigin): Promise<TokenWrapper> {
    const { db, sessions, states, refreshes, localAccounts, providerSessions, log } = this.#parts;
    const retryAfterSeconds = refreshes.tryCount(addressKey(from.ip));
    if (retryAfterSeconds !== undefined) {
      const message = "Too many sessions are being renewed from this address. Please wait a minute and try again.";
      throw new Refusal("too-many-requests", message, { retryAfterSeconds });
    }
    if (localAccounts.mayRefuse(from)) localAccounts.requireDirect((await sessions.usernameOf(token)) ?? "", from);
    const refreshed = await sessions.refresh(token, from);
    if ("session" in refreshed) {
      if (refreshed.session.isFromProvider) await providerSessions.check(refreshed.session);
      const account = await findById(db, refreshed.session.userId);
      if (account) return this.#wrap("access", account, refreshed.session, refreshed.refreshToken);
    } else if (refreshed.refused === "reused") {
      const { sessionId, userId } = refreshed;
      log.warn({ userId, sessionId }, "a spent refresh token was reused after its successor; its session is ended");
      await states.changed("session", sessionId);
    }
    throw new Refusal("invalid-refresh-token", "Your session has ended. Please sign in again.");
  }

  /** Does not reveal whether there was a session to end. */
  async logout(token: string): Promise<void> {
    const { sessions, states } = this.#parts;
    const sessionId = await sessions.end(token);
    if (sessionId !== undefined) await states.changed("session", sessionId);
  }

  /** Returns the hash that is stored afterwards. */
  async #rehash(userId: string, outdated: string, password: string): Promise<string> {
    const updated = await hashPassword(password);
    const replaced = await this.#parts.db
      .updateTable("users")
      .set({ password_hash: updated })
      .where("id", "=", userId)
      .where("password_hash", "=", outdated)
      .returning("id")
      .executeTakeFirst();
    return replaced ? updated : outdated;
  }

  async #wrap(purpose: Purpose, account: Account, session: OpenSession, refreshToken: string | null): Promise<TokenWrapper> {
    const { keys, accessTokenSeconds, passwordResetSeconds, secondFactorSeconds } = this.#parts;
    const sign = await keys.signer();
    const nowSeconds = Math.floor(Date.now() / 1_000);
    const sessionEndsInSeconds = Math.max(1, Math.floor(session.endsAtMs / 1_000) - nowSeconds);
    const expiresInSeconds = {
      access: Math.min(accessTokenSeconds, sessionEndsInSeconds),
      "password-reset": passwordResetSeconds,
      "second-factor": secondFactorSeconds,
    }[purpose];
    const { firstName, lastName } = account;
    const claims = {
      sub: account.id,
      preferred_username: account.username,
      name: [firstName, lastName].filter(Boolean).join(" ") || account.username,
      given_name: firstName ?? "",
      family_name: lastName ?? "",
      email: account.email ?? "",
      roles: account.roles,
      sid: session.id,
      auth_time: Math.floor(session.signedInAtMs / 1_000),
      ...(session.isFromProvider ? { from_provider: true as const } : {}),
      ...(account.passwordHash === null ? { passwordless: true as const } : {}),
    };
    return {
      access_token: sign(claims, purpose, nowSeconds + expiresInSeconds),
      refresh_token: refreshToken,
      token_type: "Bearer",
      expires_in: expiresInSeconds,
    };
  }
}
