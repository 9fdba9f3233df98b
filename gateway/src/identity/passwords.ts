import { randomBytes } from "node:crypto";
import { hash, parseOptions, verify } from "@node-rs/argon2";
import { passwordCost } from "./password-cost.ts";
import { WorkLane } from "./work-lane.ts";

// The binding's Algorithm is a const enum, which isolated modules cannot use.
const argon2id = 2;
const parameters = { algorithm: argon2id, ...passwordCost };

// Operating systems may encode the same typed characters as different code points.
const canonical = (password: string) => password.normalize("NFKC");

/** Each hash takes some fifty milliseconds of a core, and a thread that queries and files also use. */
const hashing = new WorkLane(2, Number.POSITIVE_INFINITY);

/** Two at a time, in turns between callers. */
export const hashPassword = (password: string): Promise<string> => hashing.run(() => hash(canonical(password), parameters));

export const hashPasswords = (passwords: readonly string[]): Promise<string[]> => Promise.all(passwords.map(hashPassword));

/** Whether a hash has weaker parameters than the current ones. Decision 0024. */
export function isOutdated(encoded: string): boolean {
  const used: { algorithm: number; memoryCost: number; timeCost: number } = parseOptions(encoded);
  return used.algorithm !== argon2id || used.memoryCost < parameters.memoryCost || used.timeCost < parameters.timeCost;
}

/** Compares passwords at constant cost, even if there is no hash to compare with. */
export class PasswordCheck {
  readonly #dummyHash: string;
  readonly #lane: WorkLane;
  private constructor(dummyHash: string, lane: WorkLane) {
    this.#dummyHash = dummyHash;
    this.#lane = lane;
  }

  /** Limits concurrent comparisons, because each occupies a core and a thread that queries and files also use. Callers limit the queue. */
  static async open(maxConcurrent: number): Promise<PasswordCheck> {
    const lane = new WorkLane(maxConcurrent, Number.POSITIVE_INFINITY);
    return new PasswordCheck(await hashPassword(randomBytes(32).toString("base64url")), lane);
  }

  /** Pass undefined or null for an account that does not exist, has no password or may not sign in: returns false at full cost. */
  async matches(encoded: string | null | undefined, password: string): Promise<boolean> {
    const correct = await this.#lane.run(() => verify(encoded ?? this.#dummyHash, canonical(password)));
    return correct && encoded != null;
  }
}
