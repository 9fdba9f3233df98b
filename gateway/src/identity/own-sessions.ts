import { type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";

/** An ordinary session as its user sees it. */
export interface ListedSession {
  readonly id: string;
  readonly ipAddress: string;
  readonly userAgent: string;
  readonly signedInMs: number;
  /** Rounded to the minute. */
  readonly lastUsedMs: number;
}

/** Programs that sign in repeatedly may have thousands of sessions. */
const maxListed = 200;

/** The user's active sessions: the calling one first, then the most recently used. */
export async function sessionsOf(db: Kysely<Database>, user: SignedInUser): Promise<ListedSession[]> {
  const rows = await db
    .selectFrom("sessions")
    .select(["id", "ip_address as ipAddress", "user_agent as userAgent", "signed_in_at as signedInAt", "last_used_at as lastUsedAt"])
    .where("user_id", "=", user.id)
    .where("purpose", "=", "ordinary")
    .where("expires_at", ">", sql<Date>`now()`)
    .orderBy(sql`id = ${user.sessionId}`, "desc")
    .orderBy("last_used_at", "desc")
    .orderBy("id")
    .limit(maxListed)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    ipAddress: row.ipAddress,
    userAgent: row.userAgent,
    signedInMs: row.signedInAt.getTime(),
    lastUsedMs: row.lastUsedAt.getTime(),
  }));
}

/** False if the user has no such session. */
export async function endSession(db: Kysely<Database>, userId: string, sessionId: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom("sessions").where("id", "=", sessionId).where("user_id", "=", userId).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Ends all sessions of the user except the calling one. Refuses with `not-signed-in` if that has ended as well. */
export const endOtherSessions = (db: Kysely<Database>, user: SignedInUser): Promise<void> =>
  db.transaction().execute(async (trx) => {
    // Locks the user first, like everything that ends sessions, which serializes sessions that end each other.
    await trx.selectFrom("users").select("id").where("id", "=", user.id).forUpdate().execute();
    const own = await trx.selectFrom("sessions").select("id").where("id", "=", user.sessionId).executeTakeFirst();
    if (!own) throw new Refusal("not-signed-in", "Your session has ended. Please sign in again.");
    await trx.deleteFrom("sessions").where("user_id", "=", user.id).where("id", "!=", user.sessionId).execute();
  });
