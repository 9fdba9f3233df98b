import { randomUUID } from "node:crypto";
import type { ImportFailure, ImportStatus } from "@fairway/contract/imports";
import { type Kysely, type Selectable, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import type { CreationDraft, ImportResult } from "./tables.ts";

export type ImportRow = Selectable<Database["imports"]>;
export type ImportFileRow = Selectable<Database["import_files"]>;

/** A run of an import on a gateway. */
export type ImportRun = Pick<ImportRow, "id" | "attempt">;

/** An import that no call has asked for this long is discarded. */
export const keepHours = 24;
/** A gateway that has not reported for this long has crashed or lost its database connection. */
const deadAfterSeconds = 20;
/** A step that ends gateways is not repeated for ever. */
const maxTries = 3;

const now = sql<Date>`now()`;
const isAlive = sql<boolean>`used_at > now() - make_interval(hours => ${keepHours})`;
/** The database refuses null characters, and halves of the pairs that a cut text ends with. */
const json = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/\\(?:u(?:0000|d[89a-f][\da-f]{2})|.)/g, (found) => (found.length > 2 ? String.raw`\ufffd` : found));

type NewImport = Pick<ImportRow, "user_id" | "from_fileset" | "into_dataset" | "format" | "suggested_name" | "hints"> &
  Partial<Pick<ImportRow, "choices" | "bucket">> & { readonly of_version?: number };

/** Imports, shared by all gateways. */
export class ImportRepository {
  readonly db: Kysely<Database>;

  constructor(db: Kysely<Database>) {
    this.db = db;
  }

  async insert({ into_dataset: into, hints, choices = {}, ...row }: NewImport, trx: Kysely<Database>): Promise<string> {
    const id = randomUUID();
    await trx
      .insertInto("imports")
      .values({
        ...row,
        id,
        status: "uploading",
        into_dataset: into === null ? null : json(into),
        hints: json(hints),
        choices: json(choices),
      })
      .execute();
    return id;
  }

  /** An import of this user, which counts as a use of it. */
  async find(id: string, userId: string): Promise<ImportRow | undefined> {
    return this.db
      .updateTable("imports")
      .set({ used_at: now })
      .where("id", "=", id)
      .where("user_id", "=", userId)
      .where(isAlive)
      .returningAll()
      .executeTakeFirst();
  }

  /** An import that this run still has. */
  current({ id, attempt }: ImportRun): Promise<ImportRow | undefined> {
    return this.db.selectFrom("imports").selectAll().where("id", "=", id).where("attempt", "=", attempt).executeTakeFirst();
  }

  listOf(userId: string): Promise<ImportRow[]> {
    return this.db
      .selectFrom("imports")
      .selectAll()
      .where("user_id", "=", userId)
      .where("status", "<>", "done")
      .where(isAlive)
      .orderBy("created_at", "desc")
      .execute();
  }

  files(id: string, trx: Kysely<Database> = this.db): Promise<ImportFileRow[]> {
    return trx.selectFrom("import_files").selectAll().where("import_id", "=", id).orderBy("number").execute();
  }

  /** False if the import is gone. */
  async fileArrived(id: string, number: number): Promise<boolean> {
    const { numUpdatedRows } = await this.db
      .updateTable("import_files")
      .set({ is_complete: true })
      .where("import_id", "=", id)
      .where("number", "=", number)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  async setDigest(id: string, number: number, sha256: string): Promise<void> {
    await this.db.updateTable("import_files").set({ sha256 }).where("import_id", "=", id).where("number", "=", number).execute();
  }

  /** Whether an import of the user, other than this one, is being read. */
  async isReadingAnother(userId: string, id: string): Promise<boolean> {
    const row = await this.db
      .selectFrom("imports")
      .select("id")
      .where("user_id", "=", userId)
      .where("id", "<>", id)
      .where("status", "=", "reading")
      .where(isAlive)
      .executeTakeFirst();
    return row !== undefined;
  }

  /**
   * Lets any gateway take the next step. False if the import is not in one of these states any more. What runs of it is not current from
   * then on.
   */
  async begin(
    id: string,
    from: readonly ImportStatus[],
    to: "reading" | "creating",
    changes: { readonly choices?: unknown; readonly draft?: CreationDraft } = {},
  ): Promise<boolean> {
    const { numUpdatedRows } = await this.db
      .updateTable("imports")
      .set({
        status: to,
        attempt: sql<number>`attempt + 1`,
        tries: 0,
        alive_at: null,
        failure: null,
        progress: null,
        ...(changes.choices === undefined ? {} : { choices: json(changes.choices) }),
        ...(changes.draft === undefined ? {} : { draft: json(changes.draft) }),
      })
      .where("id", "=", id)
      .where("status", "in", from)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  /** Takes imports that wait for a gateway, or whose gateway has stopped, at most `count`. */
  async claim(count: number): Promise<ImportRow[]> {
    const waiting = this.db
      .selectFrom("imports")
      .select("id")
      .where("status", "in", ["reading", "creating"])
      .where(sql<boolean>`coalesce(alive_at < now() - make_interval(secs => ${deadAfterSeconds}), true)`)
      .orderBy("created_at")
      .limit(count)
      .forUpdate()
      .skipLocked();
    const rows = await this.db
      .updateTable("imports")
      .set({ attempt: sql<number>`attempt + 1`, tries: sql<number>`tries + 1`, alive_at: now })
      .where("id", "in", waiting)
      .returningAll()
      .execute();
    const spent = rows.filter(({ tries }) => tries > maxTries);
    for (const row of spent) {
      await this.fail(row, { kind: "internal", message: "The import was interrupted several times. Start it again." });
    }
    return rows.filter(({ tries }) => tries <= maxTries);
  }

  /** False if the run is no longer current. */
  async renew(run: ImportRun, progress: ImportRow["progress"]): Promise<boolean> {
    return this.#update(run, { alive_at: now, progress: progress === null ? null : json(progress) });
  }

  release(run: ImportRun): Promise<boolean> {
    return this.#update(run, { alive_at: null, tries: 0 });
  }

  ready(run: ImportRun, result: ImportResult, suggested: { readonly format: ImportRow["format"] }): Promise<boolean> {
    return this.#update(run, {
      status: "ready",
      result: json(result),
      is_partial: false,
      format: suggested.format,
      failure: null,
      alive_at: null,
      progress: null,
    });
  }

  /** While bytes still arrive. */
  async partlyRead(id: string, result: ImportResult): Promise<void> {
    await this.db
      .updateTable("imports")
      .set({ result: json(result), is_partial: true })
      .where("id", "=", id)
      .where("status", "=", "uploading")
      .execute();
  }

  fail(run: ImportRun, failure: ImportFailure): Promise<boolean> {
    return this.#update(run, { status: "failed", failure: json(failure), alive_at: null, progress: null });
  }

  /** Within the transaction that makes the dataset. */
  async finish(run: ImportRun, dataset: NonNullable<ImportRow["dataset"]>, trx: Kysely<Database>): Promise<boolean> {
    const { numUpdatedRows } = await trx
      .updateTable("imports")
      .set({ status: "done", dataset: json(dataset), alive_at: null, progress: null })
      .where("id", "=", run.id)
      .where("attempt", "=", run.attempt)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  /** Removes an import; its files are left to the cleaning. */
  async remove(id: string): Promise<void> {
    await this.db.deleteFrom("imports").where("id", "=", id).execute();
  }

  async removeExpired(): Promise<ImportRow[]> {
    return this.db
      .deleteFrom("imports")
      .where(sql<boolean>`used_at <= now() - make_interval(hours => ${keepHours})`)
      .returningAll()
      .execute();
  }

  async #update(
    { id, attempt }: ImportRun,
    set: Partial<{
      status: ImportStatus;
      result: string;
      is_partial: boolean;
      format: ImportRow["format"];
      failure: string | null;
      progress: string | null;
      tries: number;
      alive_at: typeof now | null;
    }>,
  ): Promise<boolean> {
    const { numUpdatedRows } = await this.db
      .updateTable("imports")
      .set(set)
      .where("id", "=", id)
      .where("attempt", "=", attempt)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }
}
