import type { Limits } from "@fairway/contract/limits";
import { type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import { administratorRole, holdersOf } from "#identity/accounts.ts";
import { allBytes, gigabytes } from "#own-data/room.ts";
import type { Notifier } from "#personal/notify.ts";

interface Parts {
  readonly db: Kysely<Database>;
  readonly notifier: Pick<Notifier, "notify" | "retract">;
  readonly limits: Pick<Limits, "ownDataTotalBytes">;
}

const warnedShare = 0.9;
const topic = "own-data-room";

/** Tells administrators, once, when only a tenth of the room of all own data is left. */
export async function warnIfAlmostFull({ db, notifier, limits: { ownDataTotalBytes: max } }: Parts): Promise<void> {
  const used = await allBytes(db);
  if (used < max * warnedShare) {
    const { numDeletedRows } = await db.deleteFrom("own_data_warning").executeTakeFirst();
    if (numDeletedRows > 0n) await notifier.retract(topic);
    return;
  }
  const { numAffectedRows } = await sql`insert into own_data_warning default values on conflict do nothing`.execute(db);
  if (numAffectedRows === 0n) return;
  const administrators = await holdersOf(db, administratorRole);
  await notifier.notify(
    administrators.map(({ id }) => id),
    {
      title: "The room for own data is almost full",
      text: `${gigabytes(used)} of ${gigabytes(max)} GB are used. When it is full, nobody can bring data. Delete datasets, or raise limits.ownDataTotalBytes.`,
      topic,
      role: administratorRole,
    },
  );
}
