import { boardLimits } from "@fairway/contract/boards";
import { type Kysely, sql, type Transaction } from "kysely";
import type { Database } from "#database/schema.ts";
import { Refusal } from "#http/refusal.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { accountIsFull } from "#sharing/giving.ts";
import type { StoredContent } from "./panels.ts";

export interface BoardToSave {
  /** Its owner; null if the account is gone, and the board has its own room. */
  readonly userId: string | null;
  readonly id: string;
  /** Undefined if it stays as it is. */
  readonly content: StoredContent | undefined;
  /** Whether another one than its owner saves it, who learns nothing of the owner's other boards. */
  readonly byEditor: boolean;
}

/**
 * Makes room for a board that is saved now: all boards of its owner with their earlier revisions have at most `maxBytes`. Drops the
 * oldest revisions, whichever board they are of. Refuses with `no-room` what does not fit without any, unless the board becomes no
 * larger. Within a turn of the owner only. Decision 0651.
 */
export async function makeRoom(trx: Kysely<Database>, { userId, id, content, byEditor }: BoardToSave, maxBytes: number): Promise<void> {
  const text = content === undefined ? null : JSON.stringify(content);
  const { others, before, now } = await trx
    .selectFrom("boards")
    .select([
      sql<number>`coalesce(sum(bytes) filter (where id <> ${id}), 0)::float8`.as("others"),
      sql<number>`coalesce(sum(bytes) filter (where id = ${id}), 0)::float8`.as("before"),
      // As the database writes it, which is what the stored ones are counted by.
      sql<number | null>`octet_length(${text}::jsonb::text)`.as("now"),
    ])
    .where(sharesRoom(userId, id))
    .executeTakeFirstOrThrow();
  const bytes = others + (now ?? before);
  if (bytes > maxBytes && bytes > others + before) throw noRoom(bytes, maxBytes, byEditor);
  await dropRevisions(trx, { userId, id }, maxBytes - bytes);
}

/** Makes room for boards that an account has been given. Within a turn of the account. */
export async function makeRoomForGiven(
  trx: Transaction<Database>,
  { id: userId, username }: SignedInUser,
  maxBytes: number,
): Promise<void> {
  const { bytes } = await trx
    .selectFrom("boards")
    .select(sql<number>`coalesce(sum(bytes), 0)::float8`.as("bytes"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  if (bytes > maxBytes) throw accountIsFull(username, "board");
  await dropRevisions(trx, { userId, id: "" }, maxBytes - bytes);
}

/** The boards that are counted together: those of an owner, or one that has none. */
const sharesRoom = (userId: string | null, id: string) =>
  userId === null ? sql<boolean>`boards.id = ${id}` : sql<boolean>`boards.user_id = ${userId}`;

/** Drops the oldest revisions that are more than so many bytes together. `id`: of the board that is saved now. */
async function dropRevisions(trx: Kysely<Database>, { userId, id }: Pick<BoardToSave, "userId" | "id">, maxBytes: number): Promise<void> {
  await sql`
    delete from board_revisions using (
      select revision.board_id, revision.version,
        sum(revision.bytes) over (order by revision.saved_at desc, revision.board_id, revision.version desc) as with_newer
      from board_revisions as revision join boards on boards.id = revision.board_id
      -- The current state of the board that is saved becomes an earlier one. Others are what their boards are already counted with.
      where ${sharesRoom(userId, id)} and (revision.version < boards.version or boards.id = ${id})
    ) as earlier
    where board_revisions.board_id = earlier.board_id and board_revisions.version = earlier.version
      and earlier.with_newer > ${maxBytes}`.execute(trx);
}

function noRoom(bytes: number, maxBytes: number, byEditor: boolean): Refusal {
  if (byEditor) return new Refusal("no-room", "The owner of this board has no room for this. Remove panels first.");
  const [wanted, most] = [bytes, maxBytes].map((figure) => figure.toLocaleString("en-US"));
  const message = `Your boards would take up ${wanted} bytes, and those of one user may take up ${most} in total. Delete boards or panels first.`;
  return new Refusal("no-room", message);
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
