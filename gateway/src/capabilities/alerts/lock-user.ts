import type { Transaction } from "kysely";
import type { Database } from "#database/schema.ts";

/**
 * For transactions that notify the owner of an alert that they change. Deleting a user locks the user first and then the alerts;
 * in another order, each could wait for the other.
 */
export async function lockUser(transaction: Transaction<Database>, userId: string): Promise<void> {
  await transaction.selectFrom("users").select("id").where("id", "=", userId).forKeyShare().execute();
}
