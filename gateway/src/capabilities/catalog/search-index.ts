import { type DatasetRef, datasetKey } from "@fairway/contract/datasets";
import type { CatalogField, CatalogMatch } from "@fairway/contract/catalog";
import { type ColumnType, type Generated, type GeneratedAlways, type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import { codeOf, codesOfLayer } from "./fields.ts";
import { unitText } from "./units.ts";
import { type Word, wordsOf, wordsOfName } from "./words.ts";

declare module "#database/schema.ts" {
  interface Database {
    /** The datasets whose words are in the index, of all gateways; some may be disabled or removed by now. */
    catalog_datasets: {
      id: GeneratedAlways<number>;
      category: string;
      dataset_id: string;
      revision: string;
      indexed_at: Generated<Date>;
    };
    catalog_layers: { dataset_id: number; user_id: string | null; version: number };
    catalog_words: { id: GeneratedAlways<string>; user_id: string | null; word: string; stem: string; parts: string | null };
    catalog_postings: {
      word_id: string;
      dataset_id: number;
      field: number;
      columns: ColumnType<string[] | null, string | null, never>;
    };
  }
}

/** A dataset with the texts that describe it, whoever may read it. */
export interface IndexableDataset {
  readonly schema: {
    readonly dataset: DatasetRef;
    readonly description: string;
    readonly columns: readonly { readonly name: string; readonly description: string; readonly unit?: string | undefined }[];
  };
  readonly tags: readonly string[];
  /** Whether some readers have fewer columns. */
  readonly hasColumnRules?: boolean;
  /** Changes whenever the dataset may have changed. */
  readonly revision: string;
}

/** Part of every revision. To be raised when the words of a text or the fields change, so that a new release indexes again. */
const format = "3";

/** Ensures that one gateway at a time changes the index. Arbitrary, but must not be used by another advisory lock. */
const indexLock = 7_310_031;

const datasetsPerTransaction = 25;

/** Named in a posting, so that a word of every column does not make it large; all of them where readers have different columns. */
const maxColumnsPerPosting = 20;

/** Of one layer of a dataset's descriptions, so that a single text cannot fill the index. */
const maxWordsPerLayer = 10_000;

interface Posting {
  readonly w: string;
  readonly d: number;
  readonly f: number;
  readonly c: string[] | null;
  /** Of a compound. */
  readonly p: string | null;
}

interface IndexedLayer {
  readonly id: number;
  readonly category: string;
  readonly dataset_id: string;
  readonly user_id: string | null;
  readonly version: number;
  readonly description: string;
  readonly columns: readonly { name: string; description: string }[];
}

/**
 * The words of every dataset, and where they occur, in tables that all gateways share. It is brought up to date before each
 * search, by whichever gateway notices a difference. Decisions 0390 and 0391.
 */
export class SearchIndex {
  readonly #db: Kysely<Database>;
  readonly #indexable: () => Promise<readonly IndexableDataset[]>;
  #indexed: readonly IndexableDataset[] | undefined;
  #ids: ReadonlyMap<string, number> = new Map();
  #updating: Promise<void> = Promise.resolve();

  constructor(db: Kysely<Database>, indexable: () => Promise<readonly IndexableDataset[]>) {
    this.#db = db;
    this.#indexable = indexable;
  }

  /** The numbers of datasets in the index, by `datasetKey`. Everything that the user may find is in it then. */
  async current(userId: string | null): Promise<ReadonlyMap<string, number>> {
    const datasets = await this.#indexable();
    if (datasets !== this.#indexed) {
      // Concurrent searches share one update.
      this.#updating = this.#updating.catch(() => undefined).then(() => this.#updateDatasets(datasets));
      await this.#updating;
    }
    await this.#updateLayers(datasets, userId);
    return this.#ids;
  }

  /** Removes what no longer occurs anywhere. */
  async clean(): Promise<void> {
    const datasets = await this.#indexable();
    const enabled = new Set(datasets.map(({ schema }) => datasetKey(schema.dataset)));
    await this.#locked(async (trx) => {
      // This gateway may not have heard yet of a dataset that another one has just indexed.
      const old = await trx
        .selectFrom("catalog_datasets")
        .select(["id", "category as datasetCategory", "dataset_id as datasetId"])
        .where("indexed_at", "<", sql<Date>`now() - interval '1 minute'`)
        .execute();
      const removed = old.filter((one) => !enabled.has(datasetKey(one))).map(({ id }) => id);
      if (removed.length > 0) await sql`delete from catalog_datasets where id = any(${removed}::integer[])`.execute(trx);
      await sql`
        delete from catalog_words word
        where not exists (select from catalog_postings where word_id = word.id)`.execute(trx);
    });
  }

  async #updateDatasets(datasets: readonly IndexableDataset[]): Promise<void> {
    if (datasets === this.#indexed) return;
    const stored = await indexedDatasets(this.#db);
    const changed = datasets.filter((one) => stored.get(datasetKey(one.schema.dataset))?.revision !== revisionOf(one));
    for (let start = 0; start < changed.length; start += datasetsPerTransaction) {
      const batch = changed.slice(start, start + datasetsPerTransaction);
      await this.#locked((trx) => indexDatasets(trx, batch));
    }
    const now = changed.length === 0 ? stored : await indexedDatasets(this.#db);
    this.#ids = new Map(Array.from(now, ([key, { id }]) => [key, id]));
    this.#indexed = datasets;
  }

  /** Indexes descriptions that were saved since, by any gateway: the community's, and those of this user. */
  async #updateLayers(datasets: readonly IndexableDataset[], userId: string | null): Promise<void> {
    const outdated = (owner: string | null, db: Kysely<Database>) =>
      sql<IndexedLayer>`
      select dataset.id, saved.category, saved.dataset_id, saved.user_id, saved.version, saved.description, saved.columns
      from dataset_descriptions saved
      join catalog_datasets dataset on dataset.category = saved.category and dataset.dataset_id = saved.dataset_id
      left join catalog_layers layer on layer.dataset_id = dataset.id and ${ownedBy("layer", owner)}
      where ${ownedBy("saved", owner)} and layer.version is distinct from saved.version`.execute(db);
    for (const owner of userId === null ? [null] : [null, userId]) {
      const { rows } = await outdated(owner, this.#db);
      if (rows.length === 0) continue;
      const indexed = new Map(datasets.map((one) => [datasetKey(one.schema.dataset), one]));
      await this.#locked(async (trx) => {
        const { rows: layers } = await outdated(owner, trx);
        await indexLayers(trx, owner, layers, (layer) => indexed.get(datasetKey(refOf(layer))));
      });
    }
  }

  #locked(work: (trx: Kysely<Database>) => Promise<void>): Promise<void> {
    return this.#db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(${indexLock})`.execute(trx);
      await work(trx);
    });
  }
}

const revisionOf = ({ revision }: IndexableDataset): string => `${format}.${revision}`;

const refOf = ({ category, dataset_id }: Pick<IndexedLayer, "category" | "dataset_id">): DatasetRef => ({
  datasetCategory: category,
  datasetId: dataset_id,
});

const ownedBy = (table: "layer" | "saved", owner: string | null) =>
  owner === null ? sql`${sql.ref(`${table}.user_id`)} is null` : sql`${sql.ref(`${table}.user_id`)} = ${owner}`;

async function indexedDatasets(db: Kysely<Database>): Promise<Map<string, { id: number; revision: string }>> {
  const rows = await db
    .selectFrom("catalog_datasets")
    .select(["id", "category as datasetCategory", "dataset_id as datasetId", "revision"])
    .execute();
  return new Map(rows.map((row) => [datasetKey(row), row]));
}

/** Also forgets their descriptions in layers, which are indexed again: their columns may be others now. */
async function indexDatasets(trx: Kysely<Database>, datasets: readonly IndexableDataset[]): Promise<void> {
  const { rows } = await sql<{ id: number; category: string; dataset_id: string }>`
    insert into catalog_datasets (category, dataset_id, revision)
    select * from unnest(
      ${datasets.map(({ schema }) => schema.dataset.datasetCategory)}::text[],
      ${datasets.map(({ schema }) => schema.dataset.datasetId)}::text[],
      ${datasets.map(revisionOf)}::text[])
    on conflict (category, dataset_id) do update set revision = excluded.revision, indexed_at = now()
    returning id, category, dataset_id`.execute(trx);
  const ids = new Map(rows.map((row) => [datasetKey(refOf(row)), row.id]));
  const all = rows.map(({ id }) => id);
  await sql`delete from catalog_postings where dataset_id = any(${all}::integer[])`.execute(trx);
  await sql`delete from catalog_layers where dataset_id = any(${all}::integer[])`.execute(trx);
  const postings = datasets.flatMap(({ schema, tags, hasColumnRules = false }) => {
    const words = new WordCollector(ids.get(datasetKey(schema.dataset)) ?? 0, hasColumnRules);
    words.add("name", "system", wordsOfName(schema.dataset.datasetId));
    words.add("category", "system", wordsOfName(schema.dataset.datasetCategory));
    for (const tag of tags) words.add("tag", "system", wordsOfName(tag));
    words.add("description", "system", wordsOf(schema.description));
    for (const { name, description, unit } of schema.columns) {
      words.add("column", "system", wordsOfName(name), name);
      words.add("columnDescription", "system", wordsOf(unitText(unit)), name);
      words.add("columnDescription", "system", wordsOf(description), name);
    }
    return words.postings;
  });
  await insertPostings(trx, null, postings);
}

async function indexLayers(
  trx: Kysely<Database>,
  owner: string | null,
  layers: readonly IndexedLayer[],
  datasetOf: (layer: IndexedLayer) => IndexableDataset | undefined,
): Promise<void> {
  const layerName = owner === null ? "community" : "private";
  const ids = layers.map(({ id }) => id);
  await sql`
    delete from catalog_postings posting using catalog_words word
    where posting.dataset_id = any(${ids}::integer[]) and posting.field = any(${codesOfLayer(layerName)}::smallint[])
      and word.id = posting.word_id and ${owner === null ? sql`word.user_id is null` : sql`word.user_id = ${owner}`}`.execute(trx);
  const postings = layers.flatMap((layer) => {
    const dataset = datasetOf(layer);
    const words = new WordCollector(layer.id, dataset?.hasColumnRules === true);
    const existing = new Set(dataset?.schema.columns.map(({ name }) => name));
    words.add("description", layerName, wordsOf(layer.description));
    for (const { name, description } of layer.columns) {
      if (existing.has(name)) words.add("columnDescription", layerName, wordsOf(description), name);
    }
    return words.postings;
  });
  await insertPostings(trx, owner, postings);
  await sql`
    insert into catalog_layers (dataset_id, user_id, version)
    select dataset_id, ${owner}, version
    from unnest(${ids}::integer[], ${layers.map(({ version }) => version)}::integer[]) as layer (dataset_id, version)
    on conflict (dataset_id, user_id) do update set version = excluded.version`.execute(trx);
}

async function insertPostings(trx: Kysely<Database>, owner: string | null, postings: readonly Posting[]): Promise<void> {
  const words = new Map(postings.map(({ w, p }) => [w, p]));
  // Releases before 0097 did not store the parts.
  await sql`
    insert into catalog_words (user_id, word, stem, parts)
    select ${owner}, word, coalesce((ts_lexize('english_stem', word))[1], word), parts
    from unnest(${[...words.keys()]}::text[], ${[...words.values()]}::text[]) as new (word, parts)
    on conflict (word, user_id) do update set parts = excluded.parts
    where catalog_words.parts is null and excluded.parts is not null`.execute(trx);
  await sql`
    insert into catalog_postings (word_id, dataset_id, field, columns)
    select word.id, posting.d, posting.f, nullif(posting.c, 'null')
    from jsonb_to_recordset(${JSON.stringify(postings)}::jsonb) as posting (w text, d integer, f smallint, c jsonb)
    join catalog_words word on word.word = posting.w and ${owner === null ? sql`word.user_id is null` : sql`word.user_id = ${owner}`}`.execute(
    trx,
  );
}

/** Collects where words occur in a dataset: each word once per field. */
class WordCollector {
  readonly #dataset: number;
  readonly #maxColumns: number;
  readonly #postings = new Map<string, Posting>();

  constructor(dataset: number, hasColumnRules: boolean) {
    this.#dataset = dataset;
    this.#maxColumns = hasColumnRules ? Infinity : maxColumnsPerPosting;
  }

  get postings(): Posting[] {
    return [...this.#postings.values()];
  }

  add(field: CatalogField, layer: CatalogMatch["layer"], words: readonly Word[], column?: string): void {
    const f = codeOf(field, layer);
    for (const { word, parts } of words) {
      const key = `${f} ${word}`;
      const known = this.#postings.get(key);
      if (known === undefined) {
        if (this.#postings.size < maxWordsPerLayer) {
          this.#postings.set(key, { w: word, d: this.#dataset, f, c: column === undefined ? null : [column], p: parts ?? null });
        }
      } else if (column !== undefined && known.c !== null && known.c.length < this.#maxColumns && known.c.at(-1) !== column) {
        known.c.push(column);
      }
    }
  }
}
