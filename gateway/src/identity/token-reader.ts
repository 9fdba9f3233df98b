import { LRUCache } from "lru-cache";
import type { SignInStep } from "#http/gatekeeper.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { type Purpose, type VerifiedClaims, keyIdOf } from "./jwt.ts";
import type { SessionStates } from "./session-states.ts";
import type { SigningKeys } from "./signing-keys.ts";

type MaybeUser = SignedInUser | undefined;

/** Resolves tokens to users. Caches verified signatures; sessions and users are read again every few seconds. */
export class IdentityTokenReader {
  readonly #keys: SigningKeys;
  readonly #states: SessionStates;
  readonly #verified = new LRUCache<string, VerifiedClaims>({ max: 20_000 });

  constructor(keys: SigningKeys, states: SessionStates) {
    this.#keys = keys;
    this.#states = states;
  }

  /** Used by every call, so cached tokens need no promise, query or signature check. */
  readAccessToken(token: string): MaybeUser | Promise<MaybeUser> {
    const cached = this.#verified.get(token);
    if (cached === undefined) return this.#readUncached(token);
    return cached.exp * 1_000 > Date.now() ? this.#states.find(cached.sid, cached.sub) : undefined;
  }

  async readStepToken(step: SignInStep, token: string): Promise<MaybeUser> {
    const claims = await this.#verify(token, step);
    return claims && this.#states.findStep(step, claims.sid, claims.sub);
  }

  async #readUncached(token: string): Promise<MaybeUser> {
    const claims = await this.#verify(token, "access");
    if (!claims) return undefined;
    this.#verified.set(token, claims);
    return this.#states.find(claims.sid, claims.sub);
  }

  async #verify(token: string, purpose: Purpose): Promise<VerifiedClaims | undefined> {
    const kid = keyIdOf(token);
    if (kid === undefined) return undefined;
    const verify = this.#keys.verifierOf(kid) ?? (await this.#keys.lookUp(kid));
    return verify?.(token, purpose);
  }
}
