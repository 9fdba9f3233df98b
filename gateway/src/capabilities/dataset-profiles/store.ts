import type { Coverage, ProfiledColumn } from "@fairway/contract/dataset-profiles";
import { type DatasetRef, datasetKey } from "@fairway/contract/datasets";
import { type ColumnType, type Kysely, type Selectable, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import { internalDatasets } from "#entities/entity-types.ts";
import { type FigureView, WholeFigures } from "#query/whole-figures.ts";
import { problemShownTo } from "./shown-problem.ts";

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
export interface ProfileFigures extends Pick<Measured, "rows" | "oldestMs" | "newestMs"> {
  readonly measuredMs: number;
}

/** Figures of a dataset that has been measured. */
export interface MeasuredDataset<Figures> {
  readonly dataset: DatasetRef;
  readonly measuredMs: number;
  /** Compare with the dataset's own, because it may have other data now. */
  readonly source: string;
  readonly figures: WholeFigures<Figures>;
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

  async read(dataset: DatasetRef): Promise<WholeFigures<StoredProfile> | undefined> {
    const row = await this.#db
      .selectFrom("dataset_profiles")
      .selectAll()
      .select(sql<boolean>`coalesce(alive_at > now() - make_interval(secs => ${deadAfterSeconds}), false)`.as("is_running"))
      .select(isRequested.as("is_requested"))
      .where(rowOf(dataset))
      .executeTakeFirst();
    return row && WholeFigures.of(row, profileShownTo);
  }

  async thumbnail(dataset: DatasetRef) {
    const [picture] = await this.thumbnails([dataset]);
    return picture;
  }

  /** Of those of the datasets that have a profile, in any order. */
  async thumbnails(datasets: readonly DatasetRef[]): Promise<MeasuredDataset<Picture>[]> {
    const [categories, ids] = [datasets.map(({ datasetCategory }) => datasetCategory), datasets.map(({ datasetId }) => datasetId)];
    const rows = await this.#db
      .selectFrom("dataset_profiles")
      .select(["category", "dataset_id", "source", "measured_at", "coverage", "positions"])
      .where(sql<boolean>`(category, dataset_id) in (select * from unnest(${categories}::text[], ${ids}::text[]))`)
      .where("measured_at", "is not", null)
      .execute();
    return rows.map(({ coverage, positions, ...row }) => measuredOf(row, { coverage, positions: positions ?? [] }, pictureShownTo));
  }

  /** Of every dataset that has a profile, by `datasetKey`. */
  async figures(): Promise<Map<string, MeasuredDataset<ProfileFigures>>> {
    const rows = await this.#db
      .selectFrom("dataset_profiles")
      .select(["category", "dataset_id", "source", "measured_at", "rows", "oldest_ms", "newest_ms"])
      .where("measured_at", "is not", null)
      .execute();
    const measured = rows.map(({ rows: count, oldest_ms: oldestMs, newest_ms: newestMs, ...row }) => {
      const figures = { measuredMs: row.measured_at?.getTime() ?? 0, rows: Number(count), oldestMs, newestMs };
      return measuredOf(row, figures, figuresShownTo);
    });
    return new Map(measured.map((one) => [datasetKey(one.dataset), one]));
  }

  /** Newest first. */
  async measurements(dataset: DatasetRef): Promise<WholeFigures<readonly Measurement[]>> {
    const rows = await this.#db
      .selectFrom("dataset_measurements")
      .select(["measured_at", "rows", "newest_ms", "empty"])
      .where(rowOf(dataset))
      .orderBy("measured_at", "desc")
      .limit(measurementsKept)
      .execute();
    const measurements = rows.map((row) => ({
      measuredMs: row.measured_at.getTime(),
      rows: Number(row.rows),
      newestMs: row.newest_ms,
      empty: row.empty,
    }));
    return WholeFigures.of<readonly Measurement[]>(measurements, (all, view) => all.map((one) => measurementShownTo(one, view)));
  }

  /** When the figures of each dataset last differed from those before, by `datasetKey`; without datasets that were not seen to change. */
  async changes(): Promise<Map<string, WholeFigures<number | null>>> {
    const measurements = sql`
      select category, dataset_id, measured_at,
        lag(rows) over earlier is not null and (rows, newest_ms) is distinct from (lag(rows) over earlier, lag(newest_ms) over earlier) as is_change,
        rows is distinct from lag(rows) over earlier as has_other_rows
      from dataset_measurements
      window earlier as (partition by category, dataset_id order by measured_at)`;
    const { rows } = await sql<{ category: string; dataset_id: string; changed_at: Date; rows_changed_at: Date | null }>`
      select category, dataset_id, max(measured_at) as changed_at, max(measured_at) filter (where has_other_rows) as rows_changed_at
      from (${measurements}) as measured where is_change group by category, dataset_id`.execute(this.#db);
    return new Map(
      rows.map(({ category, dataset_id: datasetId, changed_at: changedAt, rows_changed_at: rowsChangedAt }) => {
        const rowsChangedMs = rowsChangedAt?.getTime() ?? null;
        const change = WholeFigures.of<number | null>(changedAt.getTime(), (any, view) => (view.hasTimes ? any : rowsChangedMs));
        return [datasetKey({ datasetCategory: category, datasetId }), change];
      }),
    );
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

/** The content of a small picture of a dataset. */
export interface Picture extends Pick<Measured, "coverage"> {
  readonly positions: [number, number][];
}

type MeasuredRow = {
  readonly category: string;
  readonly dataset_id: string;
  readonly source: string | null;
  readonly measured_at: Date | null;
};

const measuredOf = <Figures>(
  row: MeasuredRow,
  figures: Figures,
  without: (figures: Figures, view: FigureView) => Figures,
): MeasuredDataset<Figures> => ({
  dataset: { datasetCategory: row.category, datasetId: row.dataset_id },
  measuredMs: row.measured_at?.getTime() ?? 0,
  source: row.source ?? "",
  figures: WholeFigures.of(figures, without),
});

const pictureShownTo = ({ coverage, positions }: Picture, view: FigureView): Picture => ({
  coverage: view.hasTimes ? coverage : null,
  positions: view.hasPositions ? positions : [],
});

const figuresShownTo = (figures: ProfileFigures, view: FigureView): ProfileFigures =>
  view.hasTimes ? figures : { ...figures, oldestMs: null, newestMs: null };

const measurementShownTo = ({ empty, ...measurement }: Measurement, view: FigureView): Measurement => ({
  ...measurement,
  newestMs: view.hasTimes ? measurement.newestMs : null,
  empty: Object.fromEntries(Object.entries(empty).filter(([name]) => view.isAsStored(name))),
});

/** The row of a dataset, with the state of its profile. */
export interface StoredProfile extends Selectable<Database["dataset_profiles"]> {
  readonly is_running: boolean;
  readonly is_requested: boolean;
}

const profileShownTo = (row: StoredProfile, view: FigureView): StoredProfile => ({
  ...row,
  ...(view.hasTimes ? {} : { oldest_ms: null, newest_ms: null, coverage: null }),
  ...(view.hasPositions ? {} : { positions: null }),
  columns: row.columns?.filter(({ name }) => view.isAsStored(name)) ?? null,
  problem: row.problem === null ? null : problemShownTo(row.problem, view),
});
