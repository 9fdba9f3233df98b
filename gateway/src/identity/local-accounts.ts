import { Refusal } from "#http/refusal.ts";
import type { SessionOrigin } from "./sessions.ts";
import { usernameKey } from "./username.ts";

/**
 * Accounts whose passwords everyone knows. They get tokens on this machine only: a proxy or tunnel in front of the demo would
 * otherwise hand its administrator to the whole network.
 */
export class LocalAccounts {
  readonly #keys: ReadonlySet<string>;

  constructor(usernames: readonly string[]) {
    this.#keys = new Set(usernames.map(usernameKey));
  }

  /** Whether a caller from there may turn out to be refused. */
  concerns({ isDirect }: Pick<SessionOrigin, "isDirect">): boolean {
    return !isDirect && this.#keys.size > 0;
  }

  /** Refuses with `forbidden`. To be called before a password is looked at, so that right and wrong ones get the same answer. */
  requireDirect(username: string, from: Pick<SessionOrigin, "isDirect">): void {
    if (!this.concerns(from) || !this.#keys.has(usernameKey(username))) return;
    throw new Refusal(
      "forbidden",
      "Demo accounts work only on the computer that runs the demo, not through a proxy or tunnel. For use from elsewhere, start Fairway with npm run start:production.",
    );
  }
}
