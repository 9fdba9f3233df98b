import { usageDays } from "@fairway/contract/dataset-facts";
import { type DatasetRef, datasetKey } from "@fairway/contract/datasets";
import { type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import { asPortal } from "#turns/caller.ts";

declare module "#database/schema.ts" {
  interface Database {
    dataset_searches: {
      category: string;
      dataset_id: string;
      /** In UTC. */
      day: string;
      /** PostgreSQL's bigint, which the driver returns as text. */
      searches: string;
    };
  }
}

interface Count {
  readonly dataset: DatasetRef;
  readonly day: string;
  searches: number;
}

/**
 * Counts searches per dataset and day, never per person. Counts are collected in memory and added to the database together, so
 * that no search waits for them, and several gateways add to the same rows. Decision 0396.
 */
export class DatasetUsage {
  readonly #db: Kysely<Database>;
  #pending = new Map<string, Count>();
  #flushing: Promise<void> = Promise.resolve();

  constructor(db: Kysely<Database>) {
    this.#db = db;
  }

  count(dataset: DatasetRef, nowMs = Date.now()): void {
    const day = new Date(nowMs).toISOString().slice(0, 10);
    const key = JSON.stringify([day, datasetKey(dataset)]);
    const known = this.#pending.get(key);
    if (known) known.searches++;
    else this.#pending.set(key, { dataset, day, searches: 1 });
  }

  /** Writes what was counted. Keeps it for the next time if that fails. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.catch(() => undefined).then(() => asPortal(() => this.#write()));
    return this.#flushing;
  }

  /** By `datasetKey`. Includes what this gateway has not written yet. */
  async searches(nowMs = Date.now()): Promise<Map<string, number>> {
    const oldest = oldestDay(nowMs);
    const rows = await this.#db
      .selectFrom("dataset_searches")
      .select(["category", "dataset_id", sql<string>`sum(searches)`.as("searches")])
      .where(sql<boolean>`day >= ${oldest}::date`)
      .groupBy(["category", "dataset_id"])
      .execute();
    const counts = new Map(
      rows.map((row) => [datasetKey({ datasetCategory: row.category, datasetId: row.dataset_id }), Number(row.searches)]),
    );
    for (const { dataset, searches } of this.#pending.values()) {
      const key = datasetKey(dataset);
      counts.set(key, (counts.get(key) ?? 0) + searches);
    }
    return counts;
  }

  async removeOld(nowMs = Date.now()): Promise<void> {
    await sql`delete from dataset_searches where day < ${oldestDay(nowMs)}::date`.execute(this.#db);
  }

  async #write(): Promise<void> {
    const counts = this.#pending;
    if (counts.size === 0) return;
    this.#pending = new Map();
    // In the same order on every gateway, so that they cannot deadlock.
    const ordered = [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, count]) => count);
    try {
      await sql`
        insert into dataset_searches (category, dataset_id, day, searches)
        select * from unnest(
          ${ordered.map(({ dataset }) => dataset.datasetCategory)}::text[],
          ${ordered.map(({ dataset }) => dataset.datasetId)}::text[],
          ${ordered.map(({ day }) => day)}::date[],
          ${ordered.map(({ searches }) => searches)}::bigint[]
        )
        on conflict (category, dataset_id, day) do update set searches = dataset_searches.searches + excluded.searches`.execute(this.#db);
    } catch (error) {
      for (const [key, count] of counts) {
        const known = this.#pending.get(key);
        if (known) known.searches += count.searches;
        else this.#pending.set(key, count);
      }
      throw error;
    }
  }
}

const oldestDay = (nowMs: number): string => new Date(nowMs - (usageDays - 1) * 86_400_000).toISOString().slice(0, 10);
