import type { AnnouncementKind, DatasetAnnouncement } from "@fairway/contract/dataset-announcements";
import type { DatasetRef } from "@fairway/contract/datasets";
import { type ColumnType, type Kysely, type Selectable, sql } from "kysely";
import type { Database } from "#database/schema.ts";

interface AnnouncementTable {
  category: string;
  dataset_id: string;
  version: ColumnType<number, never, never>;
  kind: AnnouncementKind;
  text: string;
  replacement_category: string | null;
  replacement_id: string | null;
  ends_at: Date | null;
  username: string;
  saved_at: ColumnType<Date, never, never>;
}

declare module "#database/schema.ts" {
  interface Database {
    dataset_announcements: AnnouncementTable;
  }
}

export type AnnouncementContent = Pick<DatasetAnnouncement, "kind" | "text" | "replacement" | "endMs" | "username">;

export class AnnouncementStore {
  readonly #db: Kysely<Database>;

  constructor(db: Kysely<Database>) {
    this.#db = db;
  }

  /** Including ended ones, by dataset. */
  async list(): Promise<DatasetAnnouncement[]> {
    const rows = await this.#db.selectFrom("dataset_announcements").selectAll().orderBy("dataset_id").orderBy("category").execute();
    return rows.map(announcementOf);
  }

  async find(dataset: DatasetRef): Promise<DatasetAnnouncement | undefined> {
    const row = await this.#db.selectFrom("dataset_announcements").selectAll().where(rowOf(dataset)).executeTakeFirst();
    return row && announcementOf(row);
  }

  /** Undefined if `expected` is not the stored version. 0 expects none, undefined anything. */
  async save(
    { datasetCategory, datasetId }: DatasetRef,
    { kind, text, replacement, endMs, username }: AnnouncementContent,
    expected: number | undefined,
  ): Promise<DatasetAnnouncement | undefined> {
    const values = sql`${kind}, ${text}, ${replacement?.datasetCategory ?? null}, ${replacement?.datasetId ?? null},
      ${endMs === null ? null : new Date(endMs)}::timestamptz, ${username}, nextval('dataset_announcement_versions'), now()`;
    const columns = sql`kind, text, replacement_category, replacement_id, ends_at, username, version, saved_at`;
    const dataset = sql`category = ${datasetCategory} and dataset_id = ${datasetId}`;
    // One statement each, so that of concurrent saves of one version only one finds it.
    const insertion = sql`insert into dataset_announcements (category, dataset_id, ${columns}) values (${datasetCategory}, ${datasetId}, ${values})`;
    const statement =
      expected === undefined
        ? sql<Row>`${insertion} on conflict (category, dataset_id) do update set (${columns}) = row (${values}) returning *`
        : expected === 0
          ? sql<Row>`${insertion} on conflict do nothing returning *`
          : sql<Row>`update dataset_announcements set (${columns}) = row (${values}) where ${dataset} and version = ${expected} returning *`;
    const [row] = (await statement.execute(this.#db)).rows;
    return row && announcementOf(row);
  }

  /** False if there is none, or not of this version. */
  async remove(dataset: DatasetRef, version: number | undefined): Promise<boolean> {
    const removed = await this.#db
      .deleteFrom("dataset_announcements")
      .where(rowOf(dataset))
      .$if(version !== undefined, (query) => query.where(sql<boolean>`version = ${version}`))
      .executeTakeFirst();
    return removed.numDeletedRows > 0n;
  }
}

type Row = Selectable<AnnouncementTable>;

const rowOf = ({ datasetCategory, datasetId }: DatasetRef) => sql<boolean>`category = ${datasetCategory} and dataset_id = ${datasetId}`;

const announcementOf = (row: Row): DatasetAnnouncement => ({
  dataset: { datasetCategory: row.category, datasetId: row.dataset_id },
  kind: row.kind,
  text: row.text,
  replacement:
    row.replacement_category === null || row.replacement_id === null
      ? null
      : { datasetCategory: row.replacement_category, datasetId: row.replacement_id },
  endMs: row.ends_at?.getTime() ?? null,
  version: row.version,
  username: row.username,
  savedMs: row.saved_at.getTime(),
});
