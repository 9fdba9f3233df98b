import type { Transaction } from "kysely";
import type { Database } from "#database/schema.ts";

/**
 * For transactions that notify the owner of something that they change, such as an alert. Deleting a user locks the user first and then
 * what the user has; in another order, each could wait for the other.
 */
export async function lockUser(transaction: Transaction<Database>, userId: string): Promise<void> {
  await transaction.selectFrom("users").select("id").where("id", "=", userId).forKeyShare().execute();
}
