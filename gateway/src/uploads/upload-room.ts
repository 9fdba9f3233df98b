import { randomUUID } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { countedInsert } from "#database/counted-insert.ts";
import type { Database } from "#database/schema.ts";

declare module "#database/schema.ts" {
  interface Database {
    /** Bytes that users uploaded in the last 24 hours, or are uploading. */
    fileset_uploads: { id: string; user_id: string; bytes: string; started_at: Date };
  }
}

/** Limits how much each user uploads within 24 hours, through all gateways together. Decision 0280. */
export class UploadRoom {
  readonly #db: Kysely<Database>;
  readonly #maxBytes: number;

  constructor(db: Kysely<Database>, maxBytes: number) {
    this.#db = db;
    this.#maxBytes = maxBytes;
  }

  /** Bytes that the user may still upload. */
  left(userId: string): Promise<number> {
    return this.#leftIn(this.#db, userId);
  }

  /** Counts an upload. Returns its id; undefined if there is not enough room. */
  take(userId: string, bytes: number): Promise<string | undefined> {
    return countedInsert(this.#db, {
      kind: "upload-bytes",
      owner: userId,
      requireRoom: async (trx) => {
        await trx
          .deleteFrom("fileset_uploads")
          .where("user_id", "=", userId)
          .where("started_at", "<=", sql<Date>`now() - interval '24 hours'`)
          .execute();
        return bytes <= (await this.#leftIn(trx, userId));
      },
      insert: async (trx, hasRoom) => {
        if (!hasRoom) return undefined;
        const id = randomUUID();
        await sql`insert into fileset_uploads (id, user_id, bytes) values (${id}, ${userId}, ${bytes})`.execute(trx);
        return id;
      },
    });
  }

  /** Gives the room of a failed upload back. */
  async giveBack(id: string): Promise<void> {
    await this.#db.deleteFrom("fileset_uploads").where("id", "=", id).execute();
  }

  async #leftIn(db: Kysely<Database>, userId: string): Promise<number> {
    const { rows } = await sql<{ bytes: string }>`
      select coalesce(sum(bytes), 0)::text as bytes from fileset_uploads
      where user_id = ${userId} and started_at > now() - interval '24 hours'`.execute(db);
    return this.#maxBytes - Number(rows[0]?.bytes ?? 0);
  }
}
