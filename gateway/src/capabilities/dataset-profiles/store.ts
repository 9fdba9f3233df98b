import type { Coverage, ProfiledColumn } from "@fairway/contract/dataset-profiles";
import { type DatasetRef, datasetKey } from "@fairway/contract/datasets";
import { type ColumnType, type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";

type Json<T> = ColumnType<T | null, string | null, string | null>;

declare module "#database/schema.ts" {
  interface Database {
    dataset_profiles: {
      category: string;
      dataset_id: string;
      /** Identifies the data that the profile was computed from. */
      source: string | null;
      measured_at: Date | null;
      /** PostgreSQL's bigint, which the driver returns as text. */
      rows: ColumnType<string | null, number, number>;
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

/** What is stored as the result of a profile. */
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

export const measurementsKept = 30;
const deadAfterSeconds = 60;

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
      .where("category", "=", dataset.datasetCategory)
      .where("dataset_id", "=", dataset.datasetId)
      .executeTakeFirst();
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
  async measurements({ datasetCategory, datasetId }: DatasetRef): Promise<Measurement[]> {
    const rows = await this.#db
      .selectFrom("dataset_measurements")
      .select(["measured_at", "rows", "newest_ms", "empty"])
      .where("category", "=", datasetCategory)
      .where("dataset_id", "=", datasetId)
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
}
