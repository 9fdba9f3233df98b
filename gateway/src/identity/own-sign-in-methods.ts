import type { Passkey, PasskeyCreation, PasskeyRegistration } from "@fairway/contract/passkeys";
import type { SignInMethods } from "@fairway/contract/second-factors";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import type { Passkeys } from "./passkeys.ts";
import type { SecondFactors } from "./second-factors.ts";
import type { SessionStates } from "./session-states.ts";

interface Parts {
  readonly secondFactors: SecondFactors;
  readonly passkeys: Passkeys;
  readonly states: SessionStates;
  readonly freshSignInMinutes: number;
  /** Whether the portal requires a second factor of this user. */
  readonly isRequired: (user: SignedInUser) => boolean;
}

/** A user's own sign-in methods. Every change except a rename refuses with `sign-in-again` without a recent sign-in. */
export class OwnSignInMethods {
  readonly #parts: Parts;
  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async of(user: SignedInUser): Promise<SignInMethods> {
    return { ...(await this.#parts.secondFactors.methodsOf(user.id)), required: this.#parts.isRequired(user) };
  }

  beginAuthenticator(user: SignedInUser): Promise<{ secret: string; uri: string }> {
    this.#requireFresh(user);
    return this.#parts.secondFactors.begin(user);
  }

  async confirmAuthenticator(user: SignedInUser, code: string): Promise<string[]> {
    this.#requireFresh(user);
    const codes = await this.#parts.secondFactors.confirm(user, code);
    await this.#parts.states.changed("user", user.id);
    return codes;
  }

  /** Refuses with `not-found` if none is set up. */
  async removeAuthenticator(user: SignedInUser): Promise<void> {
    this.#requireFresh(user);
    if (!(await this.#parts.secondFactors.remove(user.id))) throw new Refusal("not-found", "No authenticator app is set up.");
    await this.#parts.states.changed("user", user.id);
  }

  /** `origin` is the requested origin; the passkey is bound to its host. */
  async beginPasskey(user: SignedInUser, name: string, origin: string): Promise<PasskeyCreation> {
    this.#requireFresh(user);
    return this.#parts.passkeys.begin(user, name, origin);
  }

  async addPasskey(user: SignedInUser, registration: PasskeyRegistration): Promise<{ passkey: Passkey; recoveryCodes: string[] }> {
    this.#requireFresh(user);
    const added = await this.#parts.passkeys.add(user, registration);
    await this.#parts.states.changed("user", user.id);
    return added;
  }

  /** Needs no recent sign-in, because names are not security-relevant. */
  renamePasskey(user: SignedInUser, id: string, name: string): Promise<Passkey> {
    return this.#parts.passkeys.rename(user.id, id, name);
  }

  /** Refuses with `not-found`. */
  async removePasskey(user: SignedInUser, id: string): Promise<void> {
    this.#requireFresh(user);
    await this.#parts.passkeys.remove(user.id, id);
    await this.#parts.states.changed("user", user.id);
  }

  renewRecoveryCodes(user: SignedInUser): Promise<string[]> {
    this.#requireFresh(user);
    return this.#parts.secondFactors.renewRecoveryCodes(user.id);
  }

  #requireFresh({ signedInAtMs }: SignedInUser): void {
    requireFreshSignIn(signedInAtMs, this.#parts.freshSignInMinutes);
  }
}

/** Refuses with `sign-in-again`. */
export function requireFreshSignIn(signedInAtMs: number, minutes: number): void {
  if (Date.now() - signedInAtMs <= minutes * 60_000) return;
  throw new Refusal("sign-in-again", "You signed in too long ago for this. Confirm that it's you, then continue.");
}
