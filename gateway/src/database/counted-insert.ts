import { type Kysely, sql, type Transaction } from "kysely";
import type { Database } from "./schema.ts";

export interface CountedInsert<Room, Result> {
  /** Names what is counted, the same wherever it is inserted. Part of the lock that gateways share, also those of another release. */
  readonly kind: string;
  /** Owner of the limit: an id of a user, or of something else that holds only so much. */
  readonly owner: string;
  /** Counts what there is, and refuses what would be too much. Resolves with what the insert needs to know of it. */
  readonly requireRoom: (trx: Transaction<Database>) => Promise<Room>;
  readonly insert: (trx: Transaction<Database>, room: Room) => Promise<Result>;
}

/**
 * Counts and inserts in one transaction, one after another for each owner and kind and through all gateways, so that a limit holds
 * however many calls arrive together. The only way to insert what is limited: what is counted outside is old before it is used.
 * Within a transaction, the turn lasts until that one ends. Decision 0650.
 */
export function countedInsert<Room, Result>(db: Kysely<Database>, counted: CountedInsert<Room, Result>): Promise<Result> {
  const run = async (trx: Transaction<Database>): Promise<Result> => {
    // The number keeps these locks apart from others.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`${counted.kind}:${counted.owner}`}, 30))`.execute(trx);
    return counted.insert(trx, await counted.requireRoom(trx));
  };
  return isTransaction(db) ? run(db) : db.transaction().execute(run);
}

const isTransaction = (db: Kysely<Database>): db is Transaction<Database> => db.isTransaction;
