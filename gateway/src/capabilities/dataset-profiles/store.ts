import type { Coverage, ProfiledColumn } from "@fairway/contract/dataset-profiles";
import { type DatasetRef, datasetKey } from "@fairway/contract/datasets";
import { type ColumnType, type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import { internalDatasets } from "#entities/entity-types.ts";

type Json<T> = ColumnType<T | null, string | undefined, string>;

declare module "#database/schema.ts" {
  interface Database {
    dataset_profiles: {
      category: string;
      dataset_id: string;
      /** Identifies the data that the profile was computed from. */
      source: string | null;
      measured_at: Date | null;
      /** PostgreSQL's bigint, which the driver returns as text. */
      rows: ColumnType<string | null, number | undefined, number>;
      oldest_ms: number | null;
      newest_ms: number | null;
      coverage: Json<Coverage>;
      columns: Json<ProfiledColumn[]>;
      positions: Json<[number, number][]>;
      requested_at: Date | null;
      attempted_at: Date | null;
      /** Heartbeat of the gateway that computes it; null while none does. */
      alive_at: Date | null;
      failed_at: Date | null;
      problem: string | null;
    };
    dataset_measurements: {
      category: string;
      dataset_id: string;
      measured_at: Date;
      rows: ColumnType<string, number, never>;
      newest_ms: number | null;
      empty: ColumnType<Record<string, number>, string, never>;
    };
  }
}

/** Stored result of a profile. */
export interface Measured {
  readonly rows: number;
  readonly oldestMs: number | null;
  readonly newestMs: number | null;
  readonly coverage: Coverage | null;
  readonly columns: readonly ProfiledColumn[];
  /** Some positions as latitude and longitude, for a small map. */
  readonly positions: readonly (readonly [number, number])[];
}

/** The latest profile of a dataset without its columns. */
export interface ProfileFigures extends Omit<Measured, "columns" | "coverage" | "positions"> {
  readonly dataset: DatasetRef;
  readonly measuredMs: number;
  /** Compare with the dataset's own, because it may have other data now. */
  readonly source: string;
}

/** Key figures of one profile, kept for comparison. */
export interface Measurement {
  readonly measuredMs: number;
  readonly rows: number;
  readonly newestMs: number | null;
  /** Rows without a value per column. */
  readonly empty: Readonly<Record<string, number>>;
}

/** An attempt to compute a profile. What is reported on one that has ended, or on an earlier one, is ignored. */
export interface Begun {
  readonly dataset: DatasetRef;
  readonly source: string;
  /** Names it. */
  readonly attempt: string;
}

export const measurementsKept = 30;
const deadAfterSeconds = 60;
const isRequested = sql<boolean>`coalesce(requested_at > coalesce(attempted_at, '-infinity'), false)`;

export interface Attempt {
  /** Of the latest attempt. */
  readonly source: string | null;
  readonly isRequested: boolean;
  readonly isOld: boolean;
  /** Whether there is a profile, and no later attempt has failed. */
  readonly isMeasured: boolean;
}

/** Profiles of datasets, and their latest measurements. */
export class ProfileStore {
  readonly #db: Kysely<Database>;

  constructor(db: Kysely<Database>) {
    this.#db = db;
  }

  read(dataset: DatasetRef) {
    return this.#db
      .selectFrom("dataset_profiles")
      .selectAll()
      .select(sql<boolean>`coalesce(alive_at > now() - make_interval(secs => ${deadAfterSeconds}), false)`.as("is_running"))
      .select(isRequested.as("is_requested"))
      .where(rowOf(dataset))
      .executeTakeFirst();
  }

  thumbnail(dataset: DatasetRef) {
    return this.#db.selectFrom("dataset_profiles").select(["source", "coverage", "positions"]).where(rowOf(dataset)).executeTakeFirst();
  }

  /** Of those of the datasets that have a profile, in any order. */
  thumbnails(datasets: readonly DatasetRef[]) {
    const [categories, ids] = [datasets.map(({ datasetCategory }) => datasetCategory), datasets.map(({ datasetId }) => datasetId)];
    return this.#db
      .selectFrom("dataset_profiles")
      .select(["category", "dataset_id", "source", "coverage", "positions"])
      .where(sql<boolean>`(category, dataset_id) in (select * from unnest(${categories}::text[], ${ids}::text[]))`)
      .where("measured_at", "is not", null)
      .execute();
  }

  /** Of every dataset that has a profile, by `datasetKey`. */
  async figures(): Promise<Map<string, ProfileFigures>> {
    const rows = await this.#db
      .selectFrom("dataset_profiles")
      .select(["category", "dataset_id", "source", "measured_at", "rows", "oldest_ms", "newest_ms"])
      .where("measured_at", "is not", null)
      .execute();
    const figures = rows.map((row) => ({
      dataset: { datasetCategory: row.category, datasetId: row.dataset_id },
      measuredMs: row.measured_at?.getTime() ?? 0,
      source: row.source ?? "",
      rows: Number(row.rows),
      oldestMs: row.oldest_ms,
      newestMs: row.newest_ms,
    }));
    return new Map(figures.map((one) => [datasetKey(one.dataset), one]));
  }

  /** Newest first. */
  async measurements(dataset: DatasetRef): Promise<Measurement[]> {
    const rows = await this.#db
      .selectFrom("dataset_measurements")
      .select(["measured_at", "rows", "newest_ms", "empty"])
      .where(rowOf(dataset))
      .orderBy("measured_at", "desc")
      .limit(measurementsKept)
      .execute();
    return rows.map((row) => ({
      measuredMs: row.measured_at.getTime(),
      rows: Number(row.rows),
      newestMs: row.newest_ms,
      empty: row.empty,
    }));
  }

  /** When the figures of each dataset last differed from those before, by `datasetKey`; without datasets that were not seen to change. */
  async changes(): Promise<Map<string, number>> {
    const measurements = sql`
      select category, dataset_id, measured_at,
        lag(rows) over earlier is not null and (rows, newest_ms) is distinct from (lag(rows) over earlier, lag(newest_ms) over earlier) as is_change
      from dataset_measurements
      window earlier as (partition by category, dataset_id order by measured_at)`;
    const { rows } = await sql<{ category: string; dataset_id: string; changed_at: Date }>`
      select category, dataset_id, max(measured_at) as changed_at
      from (${measurements}) as measured where is_change group by category, dataset_id`.execute(this.#db);
    return new Map(rows.map((row) => [datasetKey({ datasetCategory: row.category, datasetId: row.dataset_id }), row.changed_at.getTime()]));
  }

  /** When profiles were computed or attempted, by `datasetKey`. */
  async attempts(intervalSeconds: number): Promise<Map<string, Attempt>> {
    const rows = await this.#db
      .selectFrom("dataset_profiles")
      .select(["category", "dataset_id", "source", isRequested.as("is_requested")])
      .select(sql<boolean>`coalesce(attempted_at < now() - make_interval(secs => ${intervalSeconds}), true)`.as("is_old"))
      .select(sql<boolean>`measured_at is not null and failed_at is null`.as("is_measured"))
      .orderBy(sql`attempted_at nulls first`)
      .execute();
    return new Map(
      rows.map((row) => [
        datasetKey({ datasetCategory: row.category, datasetId: row.dataset_id }),
        { source: row.source, isRequested: row.is_requested, isOld: row.is_old, isMeasured: row.is_measured },
      ]),
    );
  }

  async request({ datasetCategory, datasetId }: DatasetRef): Promise<Date> {
    const now = sql<Date>`clock_timestamp()`;
    const { requested_at: requestedAt } = await this.#db
      .insertInto("dataset_profiles")
      .values({ category: datasetCategory, dataset_id: datasetId, requested_at: now })
      .onConflict((conflict) => conflict.columns(["category", "dataset_id"]).doUpdateSet({ requested_at: now }))
      .returning("requested_at")
      .executeTakeFirstOrThrow();
    return requestedAt ?? new Date();
  }

  /** A profile of another source is removed, because its values may not be meant for those who read the dataset now. */
  async begin(dataset: DatasetRef, source: string): Promise<Begun> {
    const started = { attempted_at: sql<Date>`clock_timestamp()`, alive_at: sql<Date>`clock_timestamp()` };
    return this.#db.transaction().execute(async (trx) => {
      await trx.deleteFrom("dataset_profiles").where(rowOf(dataset)).where("source", "<>", source).execute();
      const { attempt } = await trx
        .insertInto("dataset_profiles")
        .values({ category: dataset.datasetCategory, dataset_id: dataset.datasetId, source, ...started })
        .onConflict((conflict) => conflict.columns(["category", "dataset_id"]).doUpdateSet({ source, ...started }))
        .returning(attemptName.as("attempt"))
        .executeTakeFirstOrThrow();
      return { dataset, source, attempt };
    });
  }

  /** False if the attempt has ended, or the dataset was deleted. */
  async heartbeat(begun: Begun): Promise<boolean> {
    const alive = { alive_at: sql<Date>`clock_timestamp()` };
    const { numUpdatedRows } = await this.#db.updateTable("dataset_profiles").set(alive).where(isUnderWay(begun)).executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  /** Saves the result of an attempt, and a measurement. Does nothing if the dataset was deleted meanwhile. */
  async save(begun: Begun, measured: Measured): Promise<void> {
    const { dataset } = begun;
    const { rows, oldestMs, newestMs, coverage, columns, positions } = measured;
    await this.#db.transaction().execute(async (trx) => {
      const saved = await trx
        .updateTable("dataset_profiles")
        .set({
          measured_at: sql<Date>`now()`,
          rows,
          oldest_ms: oldestMs,
          newest_ms: newestMs,
          coverage: JSON.stringify(coverage),
          columns: JSON.stringify(columns),
          positions: JSON.stringify(positions),
          alive_at: null,
          failed_at: null,
          problem: null,
        })
        .where(isUnderWay(begun))
        .executeTakeFirst();
      if (saved.numUpdatedRows === 0n) return;
      await trx
        .insertInto("dataset_measurements")
        .values({
          category: dataset.datasetCategory,
          dataset_id: dataset.datasetId,
          measured_at: sql<Date>`now()`,
          rows,
          newest_ms: newestMs,
          empty: JSON.stringify(Object.fromEntries(columns.map(({ name, empty }) => [name, empty]))),
        })
        .execute();
      await trx
        .deleteFrom("dataset_measurements")
        .where(rowOf(dataset))
        .where("measured_at", "not in", (query) =>
          query
            .selectFrom("dataset_measurements")
            .select("measured_at")
            .where(rowOf(dataset))
            .orderBy("measured_at", "desc")
            .limit(measurementsKept),
        )
        .execute();
    });
  }

  async fail(begun: Begun, problem: string): Promise<void> {
    const failure = { alive_at: null, failed_at: sql<Date>`now()`, problem };
    await this.#db.updateTable("dataset_profiles").set(failure).where(isUnderWay(begun)).execute();
  }

  /** As if the attempt had not been made. */
  async postpone(begun: Begun): Promise<void> {
    await this.#db.updateTable("dataset_profiles").set({ alive_at: null, attempted_at: null }).where(isUnderWay(begun)).execute();
  }

  /** Ends attempts whose gateway stopped without a word. Call while no other gateway computes a profile. */
  async failAbandoned(): Promise<void> {
    await this.#db
      .updateTable("dataset_profiles")
      .set({ alive_at: null, failed_at: sql<Date>`now()`, problem: "The gateway that computed it stopped." })
      .where(sql<boolean>`alive_at < now() - make_interval(secs => ${deadAfterSeconds})`)
      .execute();
  }

  /** Removes what is stored on datasets that no longer exist. */
  async removeOrphans(): Promise<void> {
    for (const table of ["dataset_profiles", "dataset_measurements"] as const) {
      await sql`
        delete from ${sql.table(table)} as stored where not exists (
          select from entities where type = ${internalDatasets.name} and id = stored.dataset_id and body ->> 'category' = stored.category
        ) and not exists (
          select from own_datasets where own_datasets.name = stored.dataset_id and own_datasets.category = stored.category
        )`.execute(this.#db);
    }
  }
}

/** The rows of one dataset, in either table. */
const rowOf = ({ datasetCategory, datasetId }: DatasetRef) => sql<boolean>`category = ${datasetCategory} and dataset_id = ${datasetId}`;

const attemptName = sql<string>`extract(epoch from attempted_at)::text`;

const isUnderWay = ({ dataset, source, attempt }: Begun) =>
  sql<boolean>`${rowOf(dataset)} and source = ${source} and ${attemptName} = ${attempt} and alive_at is not null`;
