import type { QualityIssue, QualityReport } from "@fairway/contract/dataset-quality";
import { type DatasetRef, datasetKey } from "@fairway/contract/datasets";
import { type ColumnType, type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import { internalDatasets } from "#entities/entity-types.ts";
import { WholeFigures } from "#query/whole-figures.ts";
import { qualityShownTo } from "./shown-quality.ts";

type Json<T> = ColumnType<T, never, string>;
type Change = QualityReport["changes"][number];

declare module "#database/schema.ts" {
  interface Database {
    dataset_quality: {
      category: string;
      dataset_id: string;
      /** Identifies the data and columns that were measured. */
      fingerprint: string;
      /** Those that were applied, as JSON. */
      thresholds: ColumnType<string, never, string>;
      /** Earlier measurements are of other data or columns. */
      baseline_at: ColumnType<Date | null, never, Date | null>;
      /** Of the latest measurement that was looked at. */
      measured_at: ColumnType<Date | null, never, Date | null>;
      /** Whether there were measurements to compare. */
      is_known: ColumnType<boolean, never, boolean>;
      issues: Json<QualityIssue[]>;
      empty_since: Json<Record<string, number>>;
      changes: Json<Change[]>;
    };
  }
}

/** The evaluation of a dataset as stored. */
export interface StoredQuality {
  readonly dataset: DatasetRef;
  readonly fingerprint: string;
  readonly thresholds: string;
  readonly baselineMs: number | null;
  readonly measuredMs: number | null;
  readonly isKnown: boolean;
  readonly issues: readonly QualityIssue[];
  readonly emptySince: Readonly<Record<string, number>>;
  readonly changes: Change[];
}

export class QualityStore {
  readonly #db: Kysely<Database>;

  constructor(db: Kysely<Database>) {
    this.#db = db;
  }

  /** By `datasetKey`. */
  async all(): Promise<Map<string, WholeFigures<StoredQuality>>> {
    const rows = await this.#db.selectFrom("dataset_quality").selectAll().orderBy("dataset_id").orderBy("category").execute();
    return new Map(rows.map(storedOf).map((one) => [datasetKey(one.dataset), WholeFigures.of(one, qualityShownTo)]));
  }

  async find(dataset: DatasetRef): Promise<WholeFigures<StoredQuality> | undefined> {
    const row = await this.#db.selectFrom("dataset_quality").selectAll().where(rowOf(dataset)).executeTakeFirst();
    return row && WholeFigures.of(storedOf(row), qualityShownTo);
  }

  /** Evaluates a dataset while no other gateway does. `evaluate` returns undefined to leave what is stored. */
  async update(
    dataset: DatasetRef,
    fingerprint: string,
    evaluate: (stored: StoredQuality, nowMs: number) => Omit<StoredQuality, "dataset"> | undefined,
  ): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      await trx
        .insertInto("dataset_quality")
        .values({ category: dataset.datasetCategory, dataset_id: dataset.datasetId, fingerprint })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const { now, ...row } = await trx
        .selectFrom("dataset_quality")
        .selectAll()
        .select(sql<Date>`clock_timestamp()`.as("now"))
        .where(rowOf(dataset))
        .forUpdate()
        .executeTakeFirstOrThrow();
      const next = evaluate(storedOf(row), now.getTime());
      if (next === undefined) return;
      await trx
        .updateTable("dataset_quality")
        .set({
          fingerprint: next.fingerprint,
          thresholds: next.thresholds,
          baseline_at: dateOf(next.baselineMs),
          measured_at: dateOf(next.measuredMs),
          is_known: next.isKnown,
          issues: JSON.stringify(next.issues),
          empty_since: JSON.stringify(next.emptySince),
          changes: JSON.stringify(next.changes),
        })
        .where(rowOf(dataset))
        .execute();
    });
  }

  /** Removes what is stored on datasets that no longer exist. */
  async removeOrphans(): Promise<void> {
    await sql`
      delete from dataset_quality as stored where not exists (
        select from entities where type = ${internalDatasets.name} and id = stored.dataset_id and body ->> 'category' = stored.category
      ) and not exists (
        select from own_datasets where own_datasets.name = stored.dataset_id and own_datasets.category = stored.category
      )`.execute(this.#db);
  }
}

const dateOf = (epochMs: number | null): Date | null => (epochMs === null ? null : new Date(epochMs));

const rowOf = ({ datasetCategory, datasetId }: DatasetRef) => sql<boolean>`category = ${datasetCategory} and dataset_id = ${datasetId}`;

interface Row {
  category: string;
  dataset_id: string;
  fingerprint: string;
  thresholds: string;
  baseline_at: Date | null;
  measured_at: Date | null;
  is_known: boolean;
  issues: QualityIssue[];
  empty_since: Record<string, number>;
  changes: Change[];
}

const storedOf = (row: Row): StoredQuality => ({
  dataset: { datasetCategory: row.category, datasetId: row.dataset_id },
  fingerprint: row.fingerprint,
  thresholds: row.thresholds,
  baselineMs: row.baseline_at?.getTime() ?? null,
  measuredMs: row.measured_at?.getTime() ?? null,
  isKnown: row.is_known,
  issues: row.issues,
  emptySince: row.empty_since,
  changes: row.changes,
});
