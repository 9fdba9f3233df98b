import type { ProviderLink } from "@fairway/contract/accounts";
import type { Kysely } from "kysely";
import type { Database } from "#database/schema.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import { forgetPerson, personHash, unlinkPerson } from "./provider-links.ts";
import type { SessionProvider } from "./provider-sessions.ts";
import { noteSecurityEvents } from "./security-events.ts";
import type { SessionStates } from "./session-states.ts";

interface Parts {
  readonly db: Kysely<Database>;
  readonly states: SessionStates;
  /** Undefined if none is configured. */
  readonly provider: Pick<SessionProvider, "issuer" | "displayName"> | undefined;
}

type Administrator = Pick<SignedInUser, "id" | "username" | "sessionId">;

/** Links between accounts and people of the OpenID Connect provider, for administrators. Decision 0504. */
export class AdministeredLinks {
  readonly #parts: Parts;
  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Also a link to an issuer that is no longer configured. */
  async of(userId: string): Promise<ProviderLink | null> {
    const link = await this.#parts.db
      .selectFrom("provider_links")
      .select(["issuer", "subject", "linked_at as linkedAt", "made_account as madeAccount"])
      .where("user_id", "=", userId)
      .executeTakeFirst();
    if (!link) return null;
    const { linkedAt, ...rest } = link;
    return { ...rest, linkedTimestamp: linkedAt.toISOString() };
  }

  /**
   * Links an account to a person of the configured issuer. Refuses with `not-found` without a provider or account, and with
   * `conflict` if the person has another account, or the account another person. A link to another issuer is replaced.
   */
  async link(userId: string, subject: string, by: Administrator): Promise<void> {
    const { db, states, provider } = this.#parts;
    if (!provider) throw new Refusal("not-found", "No OpenID Connect provider is configured here.");
    const { issuer, displayName } = provider;
    const hash = personHash(issuer, subject);
    const isNew = await db.transaction().execute(async (trx) => {
      const user = await trx.selectFrom("users").select("id").where("id", "=", userId).forUpdate().executeTakeFirst();
      if (!user) throw new Refusal("not-found", "The user was deleted.");
      const own = await trx
        .selectFrom("provider_links")
        .select(["issuer", "person_hash as hash", "made_account as madeAccount"])
        .where("user_id", "=", userId)
        .executeTakeFirst();
      if (own?.hash === hash) return false;
      if (own?.issuer === issuer) {
        throw new Refusal("conflict", `This user is linked to another person at ${displayName}. Unlink that one first.`, {
          path: "subject",
        });
      }
      await forgetPerson(trx, userId);
      const linked = await trx
        .insertInto("provider_links")
        .values({ user_id: userId, issuer, person_hash: hash, subject, made_account: own?.madeAccount ?? false })
        .onConflict((conflict) => conflict.column("person_hash").doNothing())
        .returning("user_id")
        .executeTakeFirst();
      if (!linked) throw await personTaken(trx, hash, displayName);
      await noteSecurityEvents(trx, [{ userId, kind: "provider-linked", subject: displayName, ...byOther(userId, by) }]);
      return true;
    });
    if (isNew) await states.changed("user", userId);
  }

  /** False if there is no link. Refuses like `unlinkPerson`. */
  async unlink(userId: string, by: Administrator): Promise<boolean> {
    const { db, states, provider } = this.#parts;
    const providerName = provider?.displayName ?? (await this.of(userId))?.issuer ?? "";
    // Administrators who unlink themselves keep the session that they do it with.
    const sessionId = by.id === userId ? by.sessionId : "";
    const needsPassword = "This account has no password, so nobody could sign in to it. Set a password first.";
    const isUnlinked = await unlinkPerson(db, { id: userId, sessionId }, { providerName, needsPassword, ...byOther(userId, by) });
    if (isUnlinked) await states.changed("user", userId);
    return isUnlinked;
  }
}

const byOther = (userId: string, by: Administrator) => (by.id === userId ? {} : { by: by.username });

async function personTaken(trx: Kysely<Database>, hash: string, displayName: string): Promise<Refusal> {
  const holder = await trx
    .selectFrom("provider_links")
    .innerJoin("users", "users.id", "user_id")
    .select("username")
    .where("person_hash", "=", hash)
    .executeTakeFirst();
  return new Refusal("conflict", `This person at ${displayName} is linked to the user '${holder?.username ?? ""}'.`, { path: "subject" });
}
