import { type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import { Refusal } from "#http/refusal.ts";
import { StartFailure } from "#process/start-failure.ts";
import { administratorRole, anyoneExists, createUser, lockAccountCreation } from "./accounts.ts";
import type { PasswordPolicy } from "./password-policy.ts";
import { hashOfSecret, newSecret } from "./secret-token.ts";

export interface FirstAdministratorParts {
  readonly db: Kysely<Database>;
  readonly passwordPolicy: PasswordPolicy;
  readonly setupTokenHours: number;
}

/**
 * Called at startup. If no user exists, creates the configured administrator, or otherwise returns the one-time token of the
 * setup link. Each start replaces the previous token. Rejects with StartFailure if the password policy refuses the configured
 * password. Decision 0026.
 */
export async function ensureFirstAdministrator(
  { db, passwordPolicy, setupTokenHours }: FirstAdministratorParts,
  administrator: { username: string; password: string } | undefined,
): Promise<{ setupToken: string } | undefined> {
  return db.transaction().execute(async (trx) => {
    await lockAccountCreation(trx);
    await trx.deleteFrom("setup_tokens").execute();
    if (await anyoneExists(trx)) return undefined;
    if (administrator) {
      await passwordPolicy.requireAcceptable(administrator.password, administrator).catch((error: unknown) => {
        throw error instanceof Refusal ? new StartFailure(`FAIRWAY_ADMIN_PASSWORD is not accepted: ${error.message}`) : error;
      });
      await createUser(trx, { ...administrator, roles: [administratorRole] });
      return undefined;
    }
    const setupToken = newSecret();
    const expires_at = sql<Date>`now() + make_interval(hours => ${setupTokenHours})`;
    await trx
      .insertInto("setup_tokens")
      .values({ hash: hashOfSecret(setupToken), expires_at })
      .execute();
    return { setupToken };
  });
}

/** Refuses with `not-found` if a user exists, with `forbidden` for any token but the one of the latest start. */
export async function createFirstAdministrator(
  { db, passwordPolicy }: FirstAdministratorParts,
  draft: { setupToken: string; username: string; password: string },
): Promise<void> {
  // Checked again under the lock. This check keeps a flood of calls from waiting for it.
  if (await anyoneExists(db)) throw alreadySetUp();
  await db.transaction().execute(async (trx) => {
    await lockAccountCreation(trx);
    if (await anyoneExists(trx)) throw alreadySetUp();
    const used = await trx
      .deleteFrom("setup_tokens")
      .where("hash", "=", hashOfSecret(draft.setupToken))
      .where("expires_at", ">", sql<Date>`now()`)
      .returning("hash")
      .executeTakeFirst();
    if (!used) {
      throw new Refusal("forbidden", "This link is no longer valid. Restart the portal: its log shows a new one.", { path: "setupToken" });
    }
    // A refusal rolls back the deletion, so the link stays valid.
    await passwordPolicy.requireAcceptable(draft.password, draft);
    await createUser(trx, { username: draft.username, password: draft.password, roles: [administratorRole] });
  });
}

const alreadySetUp = () => new Refusal("not-found", "The first administrator exists already.");
