import type { ExportStatus } from "@fairway/contract/exports";
import { type ColumnType, type JSONColumnType, type Kysely, type Selectable, sql } from "kysely";
import { countedInsert } from "#database/counted-insert.ts";
import type { Database } from "#database/schema.ts";
import type { ScopeKeys } from "#personal/scope-keys.ts";
import type { ExportRecord, ExportResult, StoredExport } from "./export-record.ts";

/** Written as a number, read as a string. */
type BigInteger = ColumnType<string, number | undefined, number>;

declare module "#database/schema.ts" {
  interface Database {
    exports: {
      id: string;
      owner_id: string;
      /** The key that started it. Without a foreign key: an export whose key is gone must not run as its owner. */
      api_key_id: string | null;
      scope_keys: JSONColumnType<ScopeKeys> | null;
      dataset_category: string;
      dataset_id: string;
      /** The request as received. */
      request: JSONColumnType<StoredExport>;
      status: ExportStatus;
      /** Number of the current run, from 1. A gateway's reports on earlier runs are ignored. */
      attempt: ColumnType<number, number | undefined, number>;
      /** Time of the running gateway's last report; null while waiting for a gateway. */
      alive_at: Date | null;
      rows: BigInteger;
      total_rows: ColumnType<string | null, number | null | undefined, number | null>;
      /** Current size of its file. */
      bytes: BigInteger;
      /** Why it failed, as shown to users. */
      failure: string | null;
      /** Null until finished. */
      result: JSONColumnType<ExportResult> | null;
      started_at: ColumnType<Date, never, never>;
      finished_at: Date | null;
    };
  }
}

type NewExport = Pick<ExportRecord, "id" | "ownerId" | "apiKeyId" | "dataset" | "request"> & { readonly scopeKeys: ScopeKeys };

/** One run of an export. Reports on a run that is no longer current are ignored. */
export type ExportRun = Pick<ExportRecord, "id" | "attempt">;

export interface ExportProgress {
  readonly rows: number;
  readonly totalRows: number | null;
  readonly bytes: number;
}

/** A gateway that has not reported on an export for this long has crashed or lost its database connection. */
const deadAfterSeconds = 20;
/** An export is not retried after this many attempts, as it may be what crashes gateways. */
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

  /** Runs `requireRoom`, then `insert`, in a transaction and one after another for each owner, across gateways. */
  insertCounted<T>(
    ownerId: string,
    requireRoom: (repository: ExportRepository) => Promise<void>,
    insert: (repository: ExportRepository) => Promise<T>,
  ): Promise<T> {
    const within = (trx: Kysely<Database>) => new ExportRepository(trx, { exportKeepMinutes: this.#keepMinutes });
    return countedInsert(this.#db, {
      kind: "exports",
      owner: ownerId,
      requireRoom: (trx) => requireRoom(within(trx)),
      insert: (trx) => insert(within(trx)),
    });
  }

  /** Inserts an export as already running on this gateway. */
  async insert({ id, ownerId, apiKeyId, dataset, request, scopeKeys }: NewExport): Promise<ExportRecord> {
    const values = {
      id,
      owner_id: ownerId,
      api_key_id: apiKeyId,
      dataset_category: dataset.datasetCategory,
      dataset_id: dataset.datasetId,
      request: JSON.stringify(request),
      scope_keys: JSON.stringify(scopeKeys),
      status: "running",
      alive_at: now,
    } as const;
    return recordOf(await this.#db.insertInto("exports").values(values).returningAll().executeTakeFirstOrThrow());
  }

  /** Undefined if it does not exist or has expired. */
  async find(id: string): Promise<ExportRecord | undefined> {
    const row = await this.#db
      .selectFrom("exports")
      .selectAll()
      .where("id", "=", id)
      .where((eb) => eb.or([eb("finished_at", "is", null), eb("finished_at", ">", this.#expiry())]))
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

  /** Total size of all files, finished or not. */
  async usedBytes(): Promise<number> {
    const { bytes } = await this.#db
      .selectFrom("exports")
      .select(({ fn }) => fn.sum<string | null>("bytes").as("bytes"))
      .executeTakeFirstOrThrow();
    return Number(bytes);
  }

  /** Removes the owner's oldest exports that are not running, keeping `keep`. Returns the removed ones. */
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
    await this.#db.deleteFrom("exports").where("finished_at", "<=", this.#expiry()).execute();
  }

  /** Removes an export, unless it is running. */
  async remove(id: string): Promise<void> {
    await this.#db.deleteFrom("exports").where("id", "=", id).where("status", "<>", "running").execute();
  }

  /** Returns false if it is not running. The gateway running it notices at its next report. */
  async cancel(id: string): Promise<boolean> {
    return this.#end({ id }, { status: "cancelled", bytes: 0 });
  }

  /** Stores progress and a heartbeat. Returns the total bytes of all exports; undefined if the run is no longer current. */
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

  /** Returns false if the run is no longer current. */
  async finish(run: ExportRun, { rows, totalRows, bytes }: ExportProgress, result: ExportResult): Promise<boolean> {
    const isEnded = await this.#end(run, { status: "done", rows, total_rows: totalRows, bytes, result: JSON.stringify(result) });
    if (isEnded) return true;
    // A previous attempt may have been committed before its connection broke.
    const found = await this.find(run.id);
    return found?.status === "done" && found.attempt === run.attempt;
  }

  /** Returns false if the run is no longer current. */
  fail(run: ExportRun, failure: string): Promise<boolean> {
    return this.#end(run, { status: "failed", bytes: 0, failure: storable(failure) });
  }

  /** Fails an export that is running or done, with its figures. The gateway running it notices at its next report. */
  async withdraw(id: string, failure: string): Promise<ExportRecord | undefined> {
    const row = await this.#db
      .updateTable("exports")
      .set({ status: "failed", failure, bytes: 0, rows: 0, total_rows: null, result: null, alive_at: null })
      .set({ finished_at: sql<Date>`coalesce(finished_at, now())` })
      .where("id", "=", id)
      .where("status", "in", ["running", "done"])
      .returningAll()
      .executeTakeFirst();
    return row && recordOf(row);
  }

  /** Releases an export for any gateway to take over. Returns false if the run is no longer current. */
  async release(run: ExportRun): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable("exports")
      .set({ alive_at: null, bytes: 0 })
      .where("id", "=", run.id)
      .where("attempt", "=", run.attempt)
      .where("status", "=", "running")
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /** For a gateway that has the database to itself: running exports are left over from its previous process. */
  async releaseAll(): Promise<void> {
    await this.#db.updateTable("exports").set({ alive_at: null }).where("status", "=", "running").execute();
  }

  /** Fails abandoned exports without attempts left, except `own`. Returns them. */
  async failAbandoned(own: readonly string[], failure: string): Promise<ExportRecord[]> {
    const rows = await this.#db
      .updateTable("exports")
      .set({ status: "failed", failure, bytes: 0, finished_at: now })
      .where("id", "in", this.#orphans(own).where("attempt", ">=", maxAttempts).select("id"))
      .returningAll()
      .execute();
    return rows.map(recordOf);
  }

  /** Starts the next runs of the oldest abandoned exports, at most `count`, except `own`. */
  async takeOver(own: readonly string[], count: number): Promise<ExportRecord[]> {
    const oldest = this.#orphans(own)
      .where("attempt", "<", maxAttempts)
      .select("id")
      .orderBy("started_at")
      .limit(count)
      .forUpdate()
      .skipLocked();
    const rows = await this.#db
      .updateTable("exports")
      .set({ attempt: sql<number>`attempt + 1`, alive_at: now, rows: 0, total_rows: null, bytes: 0 })
      .where("id", "in", oldest)
      .returningAll()
      .execute();
    return rows.map(recordOf);
  }

  /** The runs that may have a file, as `id.attempt`. */
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

  #expiry() {
    return sql<Date>`now() - make_interval(secs => ${this.#keepMinutes * 60})`;
  }
}

const recordOf = (row: Selectable<Database["exports"]>): ExportRecord => ({
  id: row.id,
  ownerId: row.owner_id,
  apiKeyId: row.api_key_id,
  scopeKeys: row.scope_keys,
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

/** PostgreSQL text cannot hold NUL, but engine errors may quote it from files. */
const storable = (text: string): string => text.replaceAll("\0", "\u{fffd}");
