import type { LoginAnswer } from "@fairway/contract/auth";
import type { Kysely } from "kysely";
import type { Database } from "#database/schema.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import type { CallRate } from "./call-rate.ts";
import { addressKey } from "./client-address.ts";
import type { LocalAccounts } from "./local-accounts.ts";
import type { LoginThrottle } from "./login-throttle.ts";
import { type ProviderPerson, accountOf, linkPerson, unlinkPerson } from "./provider-links.ts";
import type { EndedAtProvider, ProviderProof, ProviderSessions } from "./provider-sessions.ts";
import type { SessionStates } from "./session-states.ts";
import type { SessionOrigin } from "./sessions.ts";
import type { SignIn } from "./sign-in.ts";
import { WorkLane } from "./work-lane.ts";

/**
 * Exchanges what the browser brought back. Refuses with `wrong-credentials` if the provider does not confirm it, with
 * `upstream-failed` if the provider cannot be used.
 */
export type ReadPerson = () => Promise<ProviderProof>;

interface ProviderSignInParts {
  readonly db: Kysely<Database>;
  readonly throttle: LoginThrottle;
  readonly localAccounts: LocalAccounts;
  readonly signIn: SignIn;
  readonly states: SessionStates;
  readonly providerSessions: ProviderSessions;
  /** Logouts that the provider reports, by address. */
  readonly logouts: CallRate;
}

// A separate queue, so that a slow provider does not delay password checks.
const [maxConcurrentReads, maxWaitingReads] = [16, 128];
const [maxConcurrentEnds, maxWaitingEnds] = [8, 512];

/** Signing in at the organization's OpenID Connect provider. Decision 0500. */
export class ProviderSignIn {
  readonly #parts: ProviderSignInParts;
  readonly #reads = new WorkLane(maxConcurrentReads, maxWaitingReads);
  readonly #ends = new WorkLane(maxConcurrentEnds, maxWaitingEnds);
  constructor(parts: ProviderSignInParts) {
    this.#parts = parts;
  }

  /** Counts a call that starts a sign-in as an attempt of the address. Refuses with `too-many-requests`. */
  countAttempt(from: Pick<SessionOrigin, "ip">): Promise<void> {
    return this.#parts.throttle.countAttempt(addressKey(from.ip));
  }

  /**
   * Refuses with `forbidden` for a locked account and a person who may not sign in here, and like `accountOf`. Lockouts after wrong
   * passwords do not apply, because nothing can be guessed here. `onPerson` is called with the person's account.
   */
  async login(
    read: ReadPerson,
    providerName: string,
    from: SessionOrigin,
    onPerson: (person: { id: string; username: string }) => void,
  ): Promise<LoginAnswer> {
    const { db, throttle, localAccounts, signIn, states } = this.#parts;
    const address = addressKey(from.ip);
    await throttle.countAttempt(address);
    const proof = await this.#read(read, address);
    requireAllowed(proof.person, providerName);
    const { account, changed } = await accountOf(db, proof.person, providerName);
    onPerson(account);
    localAccounts.requireDirect(account.username, from);
    if (changed) await states.changed("user", account.id);
    const answer = account.locked ? undefined : await signIn.admitFromProvider(account, proof, from);
    if (answer) return answer;
    throw new Refusal("forbidden", "Your account is locked. Ask your administrator.");
  }

  /** Links a person to the account of a signed-in user. Refuses with `forbidden` for a person who may not sign in here, and like `linkPerson`. */
  async link(user: SignedInUser, read: ReadPerson, providerName: string, from: SessionOrigin): Promise<void> {
    const { db, throttle, localAccounts, states } = this.#parts;
    const address = addressKey(from.ip);
    await throttle.countAttempt(address);
    localAccounts.requireDirect(user.username, from);
    const { person } = await this.#read(read, address).catch((error: unknown) => {
      // The caller is signed in, so only the response is wrong.
      if (!(error instanceof Refusal) || error.code !== "wrong-credentials") throw error;
      throw new Refusal("invalid-value", error.message, { path: "code" });
    });
    requireAllowed(person, providerName);
    await linkPerson(db, user.id, person, providerName);
    await states.changed("user", user.id);
  }

  /**
   * Ends sessions that the provider says have ended there. Returns their user; undefined if there were none. Refuses with
   * `too-many-requests`, and like `read` and `ProviderSessions.endByNotice`.
   */
  async end(read: () => Promise<EndedAtProvider>, from: Pick<SessionOrigin, "ip">): Promise<{ id: string; username: string } | undefined> {
    const { logouts, providerSessions } = this.#parts;
    logouts.count(addressKey(from.ip), "One address");
    return providerSessions.endByNotice(await this.#ends.run(read));
  }

  /** Refuses like `unlinkPerson`. */
  async unlink(user: SignedInUser, providerName: string): Promise<void> {
    const needsPassword = "Your account has no password, so you could no longer sign in. Ask your administrator for one first.";
    await unlinkPerson(this.#parts.db, user, { providerName, needsPassword });
    await this.#parts.states.changed("user", user.id);
  }

  async #read(read: ReadPerson, address: string): Promise<ProviderProof> {
    try {
      return await this.#reads.run(read);
    } catch (error) {
      if (error instanceof Refusal && error.code === "wrong-credentials") await this.#parts.throttle.countFailure(address);
      throw error;
    }
  }
}

function requireAllowed({ grants }: ProviderPerson, providerName: string): void {
  if (grants?.isAllowed !== false) return;
  throw new Refusal("forbidden", `Your account at ${providerName} cannot be used here. Ask your administrator for access.`);
}
