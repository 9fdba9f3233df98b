import type { LoginAnswer } from "@fairway/contract/auth";
import type { Kysely } from "kysely";
import type { Database } from "#database/schema.ts";
import type { SignedInUser } from "#http/handlers.ts";
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
 * Asks the card's issuer whose card it is. Refuses with `wrong-credentials` when it does not vouch for one, with
 * `upstream-failed` when it cannot be asked.
 */
export type ReadCard = () => Promise<Card>;

interface CardSignInParts {
  readonly db: Kysely<Database>;
  readonly throttle: LoginThrottle;
  readonly passwords: PasswordCheck;
  /** Where passwords are compared. */
  readonly lane: WorkLane;
  readonly localAccounts: LocalAccounts;
  readonly signIn: SignIn;
  readonly log: Log;
}

export const cardRefused = (): Refusal =>
  new Refusal("wrong-credentials", "Unable to login with your CAC. Ensure your CAC is linked to your account or use your password.");

// A lane of its own: an issuer that is slow holds up nobody's password.
const [readsAtOnce, readsWaiting] = [8, 64];

/** Signing in with a card, and linking one. Counted and locked as sign-ins with a password are. Decision 0066. */
export class CardSignIn {
  readonly #parts: CardSignInParts;
  readonly #reads = new WorkLane(readsAtOnce, readsWaiting);
  constructor(parts: CardSignInParts) {
    this.#parts = parts;
  }

  /**
   * Refuses as `login` does; an unknown card and that of a locked account in the same words and for the same work.
   * `tried` hears whose card it is, whatever comes of it.
   */
  async login(read: ReadCard, from: SessionOrigin, tried: (holder: { id: string; username: string }) => void): Promise<LoginAnswer> {
    const { db, throttle, localAccounts } = this.#parts;
    const address = addressKey(from.ip);
    await throttle.countAttempt(address);
    const card = await this.#read(read, address);
    const account = await findByCard(db, card.hash);
    if (account) {
      tried(account);
      localAccounts.requireDirect(account.username, from);
    }
    // No username has a null character in it.
    const name = account?.username ?? `\0card ${card.hash}`;
    return throttle.judged(name, address, (reservation) => this.#admit(account, card, reservation, from));
  }

  async #admit(account: Account | undefined, card: Card, reservation: Reservation, from: SessionOrigin): Promise<LoginAnswer> {
    const { throttle, signIn, log } = this.#parts;
    const mayEnter = account !== undefined && !account.locked && !reservation.locked && account.passwordHash !== null;
    const answer = mayEnter ? await signIn.admit(account, { passwordHash: account.passwordHash, cardHash: card.hash }, from) : undefined;
    if (answer) {
      await throttle.takeBack(reservation);
      return answer;
    }
    const { locks } = await throttle.confirm(reservation);
    if (locks) log.warn({ userId: account?.id, address: reservation.address, locks }, "an account is locked after failed sign-ins");
    throw cardRefused();
  }

  /** Answers since when the card is linked. Refuses with `invalid-value` naming `password` or `code`, and as `linkCard` does. */
  async link(user: SignedInUser, password: string, read: ReadCard, from: SessionOrigin): Promise<Date> {
    const { db, throttle, lane, localAccounts } = this.#parts;
    const address = addressKey(from.ip);
    await throttle.countAttempt(address);
    localAccounts.requireDirect(user.username, from);
    const passwordHash = await lane.run(() =>
      throttle.judged(user.username, address, (reservation) => this.#provePassword(user, password, reservation)),
    );
    const card = await this.#read(read, address).catch((error: unknown) => {
      // The caller is signed in: it is the code that is not accepted.
      if (!(error instanceof Refusal) || error.code !== "wrong-credentials") throw error;
      throw new Refusal("invalid-value", "The card issuer did not confirm your CAC. Please start again.", { path: "code" });
    });
    return linkCard(db, user.id, passwordHash, card);
  }

  /** A stolen session must not become a place to guess passwords: a failure counts as a failed sign-in. */
  async #provePassword(user: SignedInUser, password: string, reservation: Reservation): Promise<string> {
    const { db, throttle, passwords } = this.#parts;
    const account = await findById(db, user.id);
    const mayTry = account !== undefined && !account.locked && !reservation.locked;
    const correct = await passwords.matches(mayTry ? account.passwordHash : undefined, password);
    const passwordHash = mayTry && correct ? account.passwordHash : null;
    if (passwordHash === null) {
      await throttle.confirm(reservation);
      throw new Refusal("invalid-value", "The password is not correct.", { path: "password" });
    }
    await throttle.takeBack(reservation);
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
