import { randomBytes } from "node:crypto";
import { hash, parseOptions, verify } from "@node-rs/argon2";
import { passwordCost } from "./password-cost.ts";
import { WorkLane } from "./work-lane.ts";

// The binding's Algorithm is a const enum, which isolated modules cannot read.
const argon2id = 2;
const parameters = { algorithm: argon2id, ...passwordCost };

// The same characters can be typed as different code points on different systems.
const canonical = (password: string) => password.normalize("NFKC");

export const hashPassword = (password: string): Promise<string> => hash(canonical(password), parameters);

const others = new WorkLane(2, Number.POSITIVE_INFINITY);

/** Hashes of passwords that are set for others, two at a time: each takes some fifty milliseconds of a core. */
export const hashPasswords = (passwords: readonly string[]): Promise<string[]> =>
  Promise.all(passwords.map((password) => others.run(() => hashPassword(password))));

/** Whether a hash was made with weaker parameters than today's. Decision 0024. */
export function isOutdated(encoded: string): boolean {
  const made: { algorithm: number; memoryCost: number; timeCost: number } = parseOptions(encoded);
  return made.algorithm !== argon2id || made.memoryCost < parameters.memoryCost || made.timeCost < parameters.timeCost;
}

/** Compares passwords at one price, whether or not there is anything to compare with. */
export class PasswordCheck {
  readonly #nobodys: string;
  readonly #lane: WorkLane;
  private constructor(nobodys: string, lane: WorkLane) {
    this.#nobodys = nobodys;
    this.#lane = lane;
  }

  /** Compares `atOnce` at the same time: each holds a core and a thread that queries and files need, too. Who calls bounds how many wait. */
  static async open(atOnce: number): Promise<PasswordCheck> {
    const lane = new WorkLane(atOnce, Number.POSITIVE_INFINITY);
    return new PasswordCheck(await hashPassword(randomBytes(32).toString("base64url")), lane);
  }

  /** Undefined or null stands for an account that does not exist, has no password or may not sign in: always false, at full price. */
  async matches(encoded: string | null | undefined, password: string): Promise<boolean> {
    const correct = await this.#lane.run(() => verify(encoded ?? this.#nobodys, canonical(password)));
    return correct && encoded != null;
  }
}
