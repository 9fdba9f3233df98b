import type { DatasetRef } from "@fairway/contract/datasets";
import type { ExportDraft, ExportStatus } from "@fairway/contract/exports";
import { type ColumnType, type JSONColumnType, type Kysely, type Selectable, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import type { ExportRecord, ExportResult } from "./export-record.ts";

/** Written as a number, read as a text. */
type BigInteger = ColumnType<string, number | undefined, number>;

declare module "#database/schema.ts" {
  interface Database {
    exports: {
      id: string;
      owner_id: string;
      dataset_category: string;
      dataset_id: string;
      /** As it was asked for. */
      request: JSONColumnType<ExportDraft>;
      status: ExportStatus;
      /** Counts the runs. A gateway reports on the run that it was given, and on no other. */
      attempt: ColumnType<number, number | undefined, number>;
      /** When the gateway that runs it last reported; null while it waits for a gateway. */
      alive_at: Date | null;
      rows: BigInteger;
      total_rows: ColumnType<string | null, number | null | undefined, number | null>;
      /** Size of its file, finished or not. */
      bytes: BigInteger;
      /** Why it failed, for people. */
      failure: string | null;
      /** Of a finished one. */
      result: JSONColumnType<ExportResult> | null;
      started_at: ColumnType<Date, never, never>;
      finished_at: Date | null;
    };
  }
}

/** One run of an export. A report on a run that is no longer the current one changes nothing. */
export type ExportRun = Pick<ExportRecord, "id" | "attempt">;

export interface ExportProgress {
  readonly rows: number;
  readonly totalRows: number | null;
  readonly bytes: number;
}

/** A gateway that has not reported on its export for this long has died, or lost the database. */
const deadAfterSeconds = 20;
/** An export that several gateways died of is not given to another one. */
const maxAttempts = 3;

const now = sql<Date>`now()`;

/** The exports of all gateways (decision 0230). */
export class ExportRepository {
  readonly #db: Kysely<Database>;
  readonly #keepMinutes: number;

  constructor(db: Kysely<Database>, limits: { readonly exportKeepMinutes: number }) {
    this.#db = db;
    this.#keepMinutes = limits.exportKeepMinutes;
  }

  /** Runs the work alone among those of this owner, at all gateways. */
  inTurnOf<T>(ownerId: string, work: (repository: ExportRepository) => Promise<T>): Promise<T> {
    return this.#db.transaction().execute(async (trx) => {
      await trx.selectFrom("users").select("id").where("id", "=", ownerId).forNoKeyUpdate().execute();
      return work(new ExportRepository(trx, { exportKeepMinutes: this.#keepMinutes }));
    });
  }

  /** As taken by this gateway: its first run has begun. */
  async insert(id: string, ownerId: string, { datasetCategory, datasetId }: DatasetRef, request: ExportDraft): Promise<ExportRecord> {
    const values = {
      id,
      owner_id: ownerId,
      dataset_category: datasetCategory,
      dataset_id: datasetId,
      request: JSON.stringify(request),
      status: "running",
      alive_at: now,
    } as const;
    return recordOf(await this.#db.insertInto("exports").values(values).returningAll().executeTakeFirstOrThrow());
  }

  /** Undefined once its time is over, too. */
  async find(id: string): Promise<ExportRecord | undefined> {
    const row = await this.#db
      .selectFrom("exports")
      .selectAll()
      .where("id", "=", id)
      .where((eb) => eb.or([eb("finished_at", "is", null), eb("finished_at", ">", this.#oldest())]))
      .executeTakeFirst();
    return row && recordOf(row);
  }

  async countRunning(ownerId: string): Promise<number> {
    const { count } = await this.#db
      .selectFrom("exports")
      .select(({ fn }) => fn.countAll<string>().as("count"))
      .where("owner_id", "=", ownerId)
      .where("status", "=", "running")
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  /** Of all files, finished or not. */
  async usedBytes(): Promise<number> {
    const { bytes } = await this.#db
      .selectFrom("exports")
      .select(({ fn }) => fn.sum<string | null>("bytes").as("bytes"))
      .executeTakeFirstOrThrow();
    return Number(bytes);
  }

  /** Removes the oldest that no longer run, down to this many. */
  async removeOldest(ownerId: string, keep: number): Promise<ExportRecord[]> {
    const oldest = this.#db
      .selectFrom("exports")
      .select("id")
      .where("owner_id", "=", ownerId)
      .where("status", "<>", "running")
      .orderBy("started_at", "desc")
      .offset(Math.max(0, keep));
    return (await this.#db.deleteFrom("exports").where("id", "in", oldest).returningAll().execute()).map(recordOf);
  }

  async removeExpired(): Promise<void> {
    await this.#db.deleteFrom("exports").where("finished_at", "<=", this.#oldest()).execute();
  }

  /** Removes one that no longer runs. */
  async remove(id: string): Promise<void> {
    await this.#db.deleteFrom("exports").where("id", "=", id).where("status", "<>", "running").execute();
  }

  /** False where it does not run. The gateway that runs it finds out at its next report. */
  async cancel(id: string): Promise<boolean> {
    return this.#end({ id }, { status: "cancelled", bytes: 0 });
  }

  /** Notes how far a run is, and that its gateway lives. Answers the bytes of all exports; undefined: the run counts no longer. */
  async report(run: ExportRun, { rows, totalRows, bytes }: ExportProgress): Promise<number | undefined> {
    const updated = await this.#db
      .updateTable("exports")
      .set({ alive_at: now, rows, total_rows: totalRows, bytes })
      .where("id", "=", run.id)
      .where("attempt", "=", run.attempt)
      .where("status", "=", "running")
      .returning(sql<string | null>`(select sum(others.bytes) from exports as others where others.id <> exports.id)`.as("others"))
      .executeTakeFirst();
    return updated && Number(updated.others) + bytes;
  }

  /** False where the run counts no longer. */
  async finish(run: ExportRun, { rows, totalRows, bytes }: ExportProgress, result: ExportResult): Promise<boolean> {
    const isMine = await this.#end(run, { status: "done", rows, total_rows: totalRows, bytes, result: JSON.stringify(result) });
    if (isMine) return true;
    // The connection may have broken after the first try was stored.
    const found = await this.find(run.id);
    return found?.status === "done" && found.attempt === run.attempt;
  }

  /** False where the run counts no longer. */
  fail(run: ExportRun, failure: string): Promise<boolean> {
    return this.#end(run, { status: "failed", bytes: 0, failure: storable(failure) });
  }

  /** Leaves an export to whichever gateway takes it next. */
  async release(run: ExportRun): Promise<void> {
    await this.#db
      .updateTable("exports")
      .set({ alive_at: null, bytes: 0 })
      .where("id", "=", run.id)
      .where("attempt", "=", run.attempt)
      .where("status", "=", "running")
      .execute();
  }

  /** For a gateway that has the database for itself: whatever runs is left over from the one before. */
  async releaseAll(): Promise<void> {
    await this.#db.updateTable("exports").set({ alive_at: null }).where("status", "=", "running").execute();
  }

  /** Ends those that no gateway is to try again, `own` aside. */
  async failAbandoned(own: readonly string[], failure: string): Promise<number> {
    const { numUpdatedRows } = await this.#db
      .updateTable("exports")
      .set({ status: "failed", failure, bytes: 0, finished_at: now })
      .where("id", "in", this.#orphans(own).where("attempt", ">=", maxAttempts).select("id"))
      .executeTakeFirst();
    return Number(numUpdatedRows);
  }

  /** Takes an export that no gateway works on, `own` aside: the oldest, as its next run. */
  async takeOver(own: readonly string[]): Promise<ExportRecord | undefined> {
    const oldest = this.#orphans(own)
      .where("attempt", "<", maxAttempts)
      .select("id")
      .orderBy("started_at")
      .limit(1)
      .forUpdate()
      .skipLocked();
    const row = await this.#db
      .updateTable("exports")
      .set({ attempt: sql<number>`attempt + 1`, alive_at: now, rows: 0, total_rows: null, bytes: 0 })
      .where("id", "=", oldest)
      .returningAll()
      .executeTakeFirst();
    return row && recordOf(row);
  }

  /** The runs that may have a file: `id.attempt`. */
  async runsWithFile(): Promise<Set<string>> {
    const rows = await this.#db.selectFrom("exports").select(["id", "attempt"]).where("status", "in", ["running", "done"]).execute();
    return new Set(rows.map(({ id, attempt }) => `${id}.${attempt}`));
  }

  #orphans(own: readonly string[]) {
    return this.#db
      .selectFrom("exports")
      .where("status", "=", "running")
      .where(sql<boolean>`coalesce(alive_at < now() - make_interval(secs => ${deadAfterSeconds}), true)`)
      .where(sql<boolean>`id <> all(${[...own]}::text[])`);
  }

  async #end(
    { id, attempt }: { readonly id: string; readonly attempt?: number },
    end: {
      status: "done" | "failed" | "cancelled";
      bytes: number;
      rows?: number;
      total_rows?: number | null;
      failure?: string;
      result?: string;
    },
  ): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable("exports")
      .set({ ...end, alive_at: null, finished_at: now })
      .where("id", "=", id)
      .where("status", "=", "running")
      .$if(attempt !== undefined, (query) => query.where("attempt", "=", attempt ?? 0))
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  #oldest() {
    return sql<Date>`now() - make_interval(secs => ${this.#keepMinutes * 60})`;
  }
}

const recordOf = (row: Selectable<Database["exports"]>): ExportRecord => ({
  id: row.id,
  ownerId: row.owner_id,
  dataset: { datasetCategory: row.dataset_category, datasetId: row.dataset_id },
  request: row.request,
  status: row.status,
  attempt: row.attempt,
  rows: Number(row.rows),
  totalRows: row.total_rows === null ? null : Number(row.total_rows),
  bytes: Number(row.bytes),
  failure: row.failure,
  startedAt: row.started_at,
  finishedAt: row.finished_at,
  result: row.result,
});

/** PostgreSQL stores no NUL in a text; engines cite from files, where there may be some. */
const storable = (text: string): string => text.replaceAll("\0", "\u{fffd}");
