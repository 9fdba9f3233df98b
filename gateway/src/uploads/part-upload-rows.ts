import { randomUUID } from "node:crypto";
import { type ColumnType, type Kysely, type Selectable, sql } from "kysely";
import { countedInsert } from "#database/counted-insert.ts";
import type { Database } from "#database/schema.ts";
import { Refusal } from "#http/refusal.ts";
import { type FileKey, fileKey } from "#storage/key.ts";
import type { PartUploadId } from "#storage/storage.ts";

type Stored<Value> = ColumnType<Value, Value, never>;

/** The kind of place that holds the file of an upload. */
export type HolderKind = "fileset" | "import";

declare module "#database/schema.ts" {
  interface Database {
    fileset_part_uploads: {
      id: Stored<string>;
      user_id: Stored<string>;
      /** The fileset or import; see `holder_kind`. */
      fileset_id: Stored<string>;
      /** Releases that know filesets only add none. */
      holder_kind: ColumnType<HolderKind, HolderKind | undefined, never>;
      file: Stored<string>;
      version: Stored<string>;
      size: ColumnType<string, number, never>;
      part_bytes: ColumnType<string, number, never>;
      bucket: Stored<string>;
      key: Stored<string>;
      store_upload_id: Stored<string>;
      /** Releases up to r2 add false. */
      is_checked: Stored<boolean>;
      room_id: Stored<string>;
      /** Numbers of parts that were sent successfully. */
      confirmed: ColumnType<number[], never, number[]>;
      /** A gateway joins the parts, unless it has not renewed this until then. */
      joining_until: Date | null;
      outcome: "completed" | "infected" | null;
      started_at: ColumnType<Date, never, never>;
    };
    /** Tags that the store gave to the content of confirmed parts. The release before 1.250 adds none. */
    fileset_upload_parts: { upload_id: Stored<string>; part: Stored<number>; tag: string };
  }
}

/** The file to upload, and its destination. */
export interface PartUploadTarget {
  readonly userId: string;
  /** Id of what holds the file. */
  readonly holder: string;
  readonly file: string;
  readonly version: string;
  /** Bytes. */
  readonly size: number;
  readonly bucket: string;
  readonly key: FileKey;
}

export interface PartUploadRow extends PartUploadId, PartUploadTarget {
  readonly id: string;
  readonly partBytes: number;
  readonly roomId: string;
  /** Null while it is unfinished. */
  readonly outcome: "completed" | "infected" | null;
  readonly startedAt: Date;
  readonly isWeekOld: boolean;
}

/**
 * Tags of the parts that were sent successfully, by their numbers; null if a gateway of an earlier release confirmed the part. Some
 * servers also keep parts that broke off, and even replace the one that was sent again by one that arrives late.
 */
export type ConfirmedParts = ReadonlyMap<number, string | null>;

/** Uploads in parts, shared by all gateways. */
export class PartUploadRows {
  readonly kind: HolderKind;
  readonly #db: Kysely<Database>;
  readonly #resumeHours: number;

  constructor(db: Kysely<Database>, kind: HolderKind, { uploadResumeHours }: { uploadResumeHours: number }) {
    this.#db = db;
    this.kind = kind;
    this.#resumeHours = uploadResumeHours;
  }

  /** Refuses with `too-many-requests` beyond `maxUnfinished` of the user. */
  add(
    { userId, holder, file, version, size, bucket, key }: PartUploadTarget,
    started: { partBytes: number; uploadId: string; roomId: string },
    maxUnfinished: number,
  ): Promise<string> {
    return countedInsert(this.#db, {
      kind: "unfinished-uploads",
      owner: userId,
      requireRoom: async (trx) => {
        const { count } = await trx
          .selectFrom("fileset_part_uploads")
          .select(({ fn }) => fn.countAll<string>().as("count"))
          .where("user_id", "=", userId)
          .where("holder_kind", "=", this.kind)
          .where("outcome", "is", null)
          .executeTakeFirstOrThrow();
        if (Number(count) < maxUnfinished) return;
        const message = `You have ${maxUnfinished} unfinished uploads. Finish or discard some first.`;
        throw new Refusal("too-many-requests", message, { retryAfterSeconds: 60 });
      },
      insert: async (trx) => {
        const id = randomUUID();
        const target = { fileset_id: holder, holder_kind: this.kind, file, version, size, bucket, key };
        const { partBytes, uploadId, roomId } = started;
        await trx
          .insertInto("fileset_part_uploads")
          .values({ id, user_id: userId, ...target, part_bytes: partBytes, store_upload_id: uploadId, is_checked: true, room_id: roomId })
          .execute();
        return id;
      },
    });
  }

  /** The newest one. */
  async findUnfinished({ userId, holder, file, version, size, bucket, key }: PartUploadTarget): Promise<PartUploadRow | undefined> {
    const row = await this.#select()
      .where("user_id", "=", userId)
      .where("fileset_id", "=", holder)
      .where("file", "=", file)
      .where("version", "=", version)
      .where("size", "=", String(size))
      .where("bucket", "=", bucket)
      .where("key", "=", key)
      .where("outcome", "is", null)
      .where("started_at", ">", hoursAgo(this.#resumeHours))
      .orderBy("started_at", "desc")
      .limit(1)
      .executeTakeFirst();
    return row && toRow(row);
  }

  async find(id: string, userId: string, holder: string): Promise<PartUploadRow | undefined> {
    const row = await this.#select()
      .where("id", "=", id)
      .where("user_id", "=", userId)
      .where("fileset_id", "=", holder)
      .where("started_at", ">", hoursAgo(this.#resumeHours))
      .executeTakeFirst();
    return row && toRow(row);
  }

  /** The part was stored with this tag. False if the upload is gone, or the file is there. */
  async confirm(id: string, part: number, tag: string): Promise<boolean> {
    return this.#db.transaction().execute(async (transaction) => {
      const confirmed = sql<number[]>`array_append(array_remove(confirmed, ${part}::integer), ${part}::integer)`;
      const { numUpdatedRows } = await transaction
        .updateTable("fileset_part_uploads")
        .set({ confirmed })
        .where("id", "=", id)
        .where("outcome", "is", null)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) return false;
      await transaction
        .insertInto("fileset_upload_parts")
        .values({ upload_id: id, part, tag })
        .onConflict((conflict) => conflict.columns(["upload_id", "part"]).doUpdateSet({ tag }))
        .execute();
      return true;
    });
  }

  /** Tags of confirmed parts, by part number. */
  async confirmed(id: string): Promise<ConfirmedParts> {
    const parts = await this.#db
      .selectFrom("fileset_part_uploads as upload")
      .innerJoinLateral(sql<{ part: number }>`unnest(upload.confirmed)`.as<"confirmed">(sql`confirmed(part)`), (join) => join.onTrue())
      .leftJoin("fileset_upload_parts as stored", (join) =>
        join.onRef("stored.upload_id", "=", "upload.id").onRef("stored.part", "=", "confirmed.part"),
      )
      .where("upload.id", "=", id)
      .select(["confirmed.part", "stored.tag"])
      .execute();
    return new Map(parts.map(({ part, tag }) => [part, tag]));
  }

  /** False if another call joins the parts, or has done so. Has to be renewed, lest it counts as interrupted. */
  async beginJoining(id: string): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable("fileset_part_uploads")
      .set({ joining_until: joinedUntil })
      .where("id", "=", id)
      .where("outcome", "is", null)
      .where(sql<boolean>`coalesce(joining_until < now(), true)`)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  /** The call still joins the parts. */
  async renewJoining(id: string): Promise<void> {
    await this.#db
      .updateTable("fileset_part_uploads")
      .set({ joining_until: joinedUntil })
      .where("id", "=", id)
      .where("outcome", "is", null)
      .where("joining_until", "is not", null)
      .execute();
  }

  /** Null: it can be continued. */
  async finish(id: string, outcome: PartUploadRow["outcome"]): Promise<void> {
    await this.#db.updateTable("fileset_part_uploads").set({ outcome, joining_until: null }).where("id", "=", id).execute();
  }

  async expired(): Promise<PartUploadRow[]> {
    const rows = await this.#select()
      .where("started_at", "<=", hoursAgo(this.#resumeHours))
      .where(sql<boolean>`coalesce(joining_until < now(), true)`)
      .limit(1_000)
      .execute();
    return rows.map(toRow);
  }

  async remove(id: string): Promise<void> {
    await this.#db.deleteFrom("fileset_part_uploads").where("id", "=", id).execute();
  }

  #select() {
    return this.#db
      .selectFrom("fileset_part_uploads")
      .selectAll()
      .where("holder_kind", "=", this.kind)
      .select(sql<boolean>`started_at < now() - interval '7 days'`.as("is_week_old"));
  }
}

/** A gateway that joins parts is missed after so long. */
const joinSeconds = 60;
export const renewJoiningMs = 15_000;
const joinedUntil = sql<Date>`now() + make_interval(secs => ${joinSeconds})`;

const hoursAgo = (hours: number) => sql<Date>`now() - make_interval(hours => ${hours})`;

function toRow(row: Selectable<Database["fileset_part_uploads"]> & { is_week_old: boolean }): PartUploadRow {
  return {
    id: row.id,
    userId: row.user_id,
    holder: row.fileset_id,
    file: row.file,
    version: row.version,
    size: Number(row.size),
    partBytes: Number(row.part_bytes),
    bucket: row.bucket,
    key: fileKey(row.key),
    uploadId: row.store_upload_id,
    isChecked: row.is_checked,
    roomId: row.room_id,
    outcome: row.outcome,
    startedAt: row.started_at,
    isWeekOld: row.is_week_old,
  };
}
