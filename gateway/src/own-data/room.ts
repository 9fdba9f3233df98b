import type { Limits } from "@fairway/contract/limits";
import { type Kysely, sql, type Transaction } from "kysely";
import { countedInsert } from "#database/counted-insert.ts";
import type { Database } from "#database/schema.ts";
import { Refusal } from "#http/refusal.ts";
import "./tables.ts";

export type RoomLimits = Pick<Limits, "ownDataBytesPerUser" | "ownDatasetsPerUser" | "ownDataFileBytes" | "ownDataTotalBytes">;

/** Bytes that the files of a user take. Files of imports count from their start with the size that they will have. */
export async function usedBytes(db: Kysely<Database>, userId: string): Promise<number> {
  const { bytes } = await db
    .selectFrom("own_data_files")
    .select(({ fn }) => fn.sum<string | null>("bytes").as("bytes"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return Number(bytes ?? 0);
}

export async function allBytes(db: Kysely<Database>): Promise<number> {
  const { bytes } = await db
    .selectFrom("own_data_files")
    .select(({ fn }) => fn.sum<string | null>("bytes").as("bytes"))
    .executeTakeFirstOrThrow();
  return Number(bytes ?? 0);
}

/** Own datasets of a user, also those that can be restored. */
export async function countDatasets(db: Kysely<Database>, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom("own_datasets")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where("owner_id", "=", userId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The bytes that a user may keep: the setting, unless administrators have set another room for the user. */
export async function maxBytesOf(db: Kysely<Database>, userId: string, limits: Pick<RoomLimits, "ownDataBytesPerUser">): Promise<number> {
  const row = await db.selectFrom("own_data_rooms").select("max_bytes").where("user_id", "=", userId).executeTakeFirst();
  return row === undefined ? limits.ownDataBytesPerUser : Number(row.max_bytes);
}

/** Counts and inserts files of a user in one turn of all gateways. Refuses with `no-room` what would be too much. */
export function insertFiles<Result>(
  db: Kysely<Database>,
  userId: string,
  bytes: number,
  limits: RoomLimits,
  insert: (trx: Transaction<Database>) => Promise<Result>,
): Promise<Result> {
  return countedInsert(db, {
    kind: "own-data",
    owner: userId,
    requireRoom: async (trx) => {
      const [used, max] = await Promise.all([usedBytes(trx, userId), maxBytesOf(trx, userId, limits)]);
      if (used + bytes > max) throw noRoom(used, max, bytes);
    },
    insert: (trx) =>
      countedInsert(trx, {
        kind: "own-data-total",
        owner: "portal",
        requireRoom: async (inner) => {
          if ((await allBytes(inner)) + bytes > limits.ownDataTotalBytes) throw portalFull();
        },
        insert,
      }),
  });
}

/** Bytes in GB, as `1.9`. */
export const gigabytes = (bytes: number): string => (bytes / 1e9).toLocaleString("en-US", { maximumSignificantDigits: 2 });

const noRoom = (used: number, max: number, needed: number) =>
  new Refusal(
    "no-room",
    `You keep ${gigabytes(used)} of ${gigabytes(max)} GB; this needs ${gigabytes(needed)} GB. Delete a dataset or older versions first.`,
  );

const portalFull = () => new Refusal("no-room", "The portal's room for own data is full. Tell an administrator.");

export const tooManyDatasets = (max: number) => new Refusal("conflict", `You have ${max} datasets, as many as there can be.`);

/** The category of a user's own datasets, which the account keeps: `~name`, or `~name~2` after an earlier account of the name. */
export async function ownCategoryOf(trx: Kysely<Database>, { id, username }: { id: string; username: string }): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    const known = await trx.selectFrom("own_categories").select("category").where("user_id", "=", id).executeTakeFirst();
    if (known !== undefined) return known.category;
    const category = attempt === 1 ? `~${username}` : `~${username}~${attempt}`;
    await sql`insert into own_categories (category, user_id) values (${category}, ${id}) on conflict do nothing`.execute(trx);
  }
}
