import { Refusal } from "#http/refusal.ts";
import type { SessionOrigin } from "./sessions.ts";
import { usernameKey } from "./username.ts";

/**
 * Accounts with well-known passwords. They can sign in from this machine only: otherwise, a proxy or tunnel in front of the
 * demo would give the whole network its administrator account.
 */
export class LocalAccounts {
  readonly #keys: ReadonlySet<string>;

  constructor(usernames: readonly string[]) {
    this.#keys = new Set(usernames.map(usernameKey));
  }

  /** Whether `requireDirect` may refuse callers from this origin. */
  mayRefuse({ isDirect }: Pick<SessionOrigin, "isDirect">): boolean {
    return !isDirect && this.#keys.size > 0;
  }

  /** Refuses with `forbidden`. Call it before checking a password, so that the response does not depend on the password. */
  requireDirect(username: string, from: Pick<SessionOrigin, "isDirect">): void {
    if (!this.mayRefuse(from) || !this.#keys.has(usernameKey(username))) return;
    throw new Refusal(
      "forbidden",
      "Demo accounts work only on the computer that runs the demo, not through a proxy or tunnel. For use from elsewhere, start Fairway with npm run start:production.",
    );
  }
}
