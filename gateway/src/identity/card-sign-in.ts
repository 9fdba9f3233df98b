import type { LoginAnswer } from "@fairway/contract/auth";
import type { Kysely } from "kysely";
import type { Database } from "#database/schema.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import { type Account, findByCard, findById } from "./accounts.ts";
import type { Log } from "./announce.ts";
import { type Card, linkCard } from "./card-links.ts";
import { addressKey } from "./client-address.ts";
import type { LocalAccounts } from "./local-accounts.ts";
import type { LoginThrottle, Reservation } from "./login-throttle.ts";
import type { PasswordCheck } from "./passwords.ts";
import type { SessionOrigin } from "./sessions.ts";
import type { SignIn } from "./sign-in.ts";
import { WorkLane } from "./work-lane.ts";

/**
 * Reads a card from its issuer. Refuses with `wrong-credentials` if the issuer does not confirm it, with `upstream-failed` if
 * the issuer cannot be reached.
 */
export type ReadCard = () => Promise<Card>;

interface CardSignInParts {
  readonly db: Kysely<Database>;
  readonly throttle: LoginThrottle;
  readonly passwords: PasswordCheck;
  /** Queue of password checks. */
  readonly lane: WorkLane;
  readonly localAccounts: LocalAccounts;
  readonly signIn: SignIn;
  readonly log: Log;
}

export const cardRefused = (): Refusal =>
  new Refusal("wrong-credentials", "Unable to login with your CAC. Ensure your CAC is linked to your account or use your password.");

// A separate queue, so that a slow issuer does not delay password checks.
const [maxConcurrentReads, maxWaitingReads] = [8, 64];

/** Signing in with a card, and linking one. Throttled and locked like sign-ins with a password. Decision 0066. */
export class CardSignIn {
  readonly #parts: CardSignInParts;
  readonly #reads = new WorkLane(maxConcurrentReads, maxWaitingReads);
  constructor(parts: CardSignInParts) {
    this.#parts = parts;
  }

  /**
   * Refuses like `login`. The response and the work are the same for an unknown card and a locked account. `onHolder` is called
   * with the holder, regardless of the outcome.
   */
  async login(read: ReadCard, from: SessionOrigin, onHolder: (holder: { id: string; username: string }) => void): Promise<LoginAnswer> {
    const { db, throttle, localAccounts } = this.#parts;
    const address = addressKey(from.ip);
    await throttle.countAttempt(address);
    const card = await this.#read(read, address);
    const account = await findByCard(db, card.hash);
    if (account) {
      onHolder(account);
      localAccounts.requireDirect(account.username, from);
    }
    // Usernames cannot contain a null character.
    const name = account?.username ?? `\0card ${card.hash}`;
    return throttle.withReservation(name, address, (reservation) => this.#admit(account, card, reservation, from));
  }

  async #admit(account: Account | undefined, card: Card, reservation: Reservation, from: SessionOrigin): Promise<LoginAnswer> {
    const { throttle, signIn, log } = this.#parts;
    const maySignIn = account !== undefined && !account.locked && !reservation.locked && account.passwordHash !== null;
    const answer = maySignIn ? await signIn.admit(account, { passwordHash: account.passwordHash, cardHash: card.hash }, from) : undefined;
    if (answer) {
      await throttle.release(reservation);
      return answer;
    }
    const { locks } = await throttle.confirm(reservation);
    if (locks) log.warn({ userId: account?.id, address: reservation.address, locks }, "an account is locked after failed sign-ins");
    throw cardRefused();
  }

  /** Returns when the card was linked. Refuses with `invalid-value` for `password` or `code`, and like `linkCard`. */
  async link(user: SignedInUser, password: string, read: ReadCard, from: SessionOrigin): Promise<Date> {
    const { db, throttle, lane, localAccounts } = this.#parts;
    const address = addressKey(from.ip);
    await throttle.countAttempt(address);
    localAccounts.requireDirect(user.username, from);
    const passwordHash = await lane.run(() =>
      throttle.withReservation(user.username, address, (reservation) => this.#verifyPassword(user, password, reservation)),
    );
    const card = await this.#read(read, address).catch((error: unknown) => {
      // The caller is signed in, so only the code is wrong.
      if (!(error instanceof Refusal) || error.code !== "wrong-credentials") throw error;
      throw new Refusal("invalid-value", "The card issuer did not confirm your CAC. Please start again.", { path: "code" });
    });
    return linkCard(db, user.id, passwordHash, card);
  }

  /** Counts a wrong password as a failed sign-in, so that a stolen session cannot be used to guess passwords. */
  async #verifyPassword(user: SignedInUser, password: string, reservation: Reservation): Promise<string> {
    const { db, throttle, passwords } = this.#parts;
    const account = await findById(db, user.id);
    const mayTry = account !== undefined && !account.locked && !reservation.locked;
    const correct = await passwords.matches(mayTry ? account.passwordHash : undefined, password);
    const passwordHash = mayTry && correct ? account.passwordHash : null;
    if (passwordHash === null) {
      await throttle.confirm(reservation);
      throw new Refusal("invalid-value", "The password is not correct.", { path: "password" });
    }
    await throttle.release(reservation);
    return passwordHash;
  }

  async #read(read: ReadCard, address: string): Promise<Card> {
    try {
      return await this.#reads.run(read);
    } catch (error) {
      if (error instanceof Refusal && error.code === "wrong-credentials") await this.#parts.throttle.countFailure(address);
      throw error;
    }
  }
}
