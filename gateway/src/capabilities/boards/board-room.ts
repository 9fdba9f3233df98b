import { boardLimits } from "@fairway/contract/boards";
import { type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import { Refusal } from "#http/refusal.ts";
import type { StoredContent } from "./panels.ts";

export interface BoardToSave {
  readonly userId: string;
  readonly id: string;
  /** Undefined if it stays as it is. */
  readonly content: StoredContent | undefined;
}

/**
 * Makes room for a board that is saved now: all boards of its owner with their earlier revisions have at most `maxBytes`. Drops the
 * oldest revisions, whichever board they are of. Refuses with `no-room` what does not fit without any, unless the board becomes no
 * larger. Within a turn of the owner only. Decision 0651.
 */
export async function makeRoom(trx: Kysely<Database>, { userId, id, content }: BoardToSave, maxBytes: number): Promise<void> {
  const text = content === undefined ? null : JSON.stringify(content);
  const { others, before, now } = await trx
    .selectFrom("boards")
    .select([
      sql<number>`coalesce(sum(bytes) filter (where id <> ${id}), 0)::float8`.as("others"),
      sql<number>`coalesce(sum(bytes) filter (where id = ${id}), 0)::float8`.as("before"),
      // As the database writes it, which is what the stored ones are counted by.
      sql<number | null>`octet_length(${text}::jsonb::text)`.as("now"),
    ])
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  const bytes = others + (now ?? before);
  if (bytes > maxBytes && bytes > others + before) {
    const [wanted, most] = [bytes, maxBytes].map((figure) => figure.toLocaleString("en-US"));
    const message = `Your boards would take up ${wanted} bytes, and those of one user may take up ${most} in total. Delete boards or panels first.`;
    throw new Refusal("no-room", message);
  }
  await sql`
    delete from board_revisions using (
      select revision.board_id, revision.version,
        sum(revision.bytes) over (order by revision.saved_at desc, revision.board_id, revision.version desc) as with_newer
      from board_revisions as revision join boards on boards.id = revision.board_id
      -- The current state of the board that is saved becomes an earlier one. Others are what their boards are already counted with.
      where boards.user_id = ${userId} and (revision.version < boards.version or boards.id = ${id})
    ) as earlier
    where board_revisions.board_id = earlier.board_id and board_revisions.version = earlier.version
      and earlier.with_newer > ${maxBytes - bytes}`.execute(trx);
}

/** Keeps what the board is now, and drops its oldest revisions. */
export async function keepRevision(trx: Kysely<Database>, id: string): Promise<void> {
  await trx
    .insertInto("board_revisions")
    .columns(["board_id", "version", "name", "content", "saved_at"])
    .expression(trx.selectFrom("boards").select(["id", "version", "name", "content", "updated_at"]).where("id", "=", id))
    .execute();
  await trx
    .deleteFrom("board_revisions")
    .where("board_id", "=", id)
    .where("version", "<=", sql<number>`(select version from boards where id = ${id}) - ${boardLimits.revisions}`)
    .execute();
}
