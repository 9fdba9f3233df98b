import { type CatalogEntry, catalog as contract } from "@fairway/contract/catalog";
import { type DatasetRef, datasetKey } from "@fairway/contract/datasets";
import type { QueryOf } from "@fairway/contract/route";
import { type Kysely, sql } from "kysely";
import type { BaseLogger } from "pino";
import { type Capability, implement } from "#http/capability.ts";
import { addCatalogTrigrams } from "#database/migrations/0031-catalog-search.ts";
import type { Database } from "#database/schema.ts";
import type { EntityChanges } from "#entities/entity-changes.ts";
import type { Handlers } from "#http/handlers.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { runEvery } from "#process/run-every.ts";
import { findDatasets, type ListedSchema } from "./find.ts";
import { type IndexableDataset, SearchIndex } from "./search-index.ts";

interface Parts {
  readonly db: Kysely<Database>;
  /** Of every dataset that the user may use, by name. */
  readonly schemasOf: (user: SignedInUser) => Promise<readonly ListedSchema[]>;
  readonly communityDescriptions: () => Promise<readonly (DatasetRef & { description: string })[]>;
  /** Every enabled dataset. The same list until a dataset may have changed. */
  readonly indexable: () => Promise<readonly IndexableDataset[]>;
  readonly entityChanges: Pick<EntityChanges, "subscribe">;
  readonly log: Pick<BaseLogger, "warn">;
}

export interface Catalog extends Capability {
  /** Whether the search forgives typing errors; without the extension pg_trgm, it finds words by their parts only. */
  readonly forgivesTypingErrors: boolean;
}

const cleaningIntervalMs = 6 * 3_600_000;

/** Finds datasets by their schemas and descriptions. */
export async function openCatalog(parts: Parts): Promise<Catalog> {
  const { db, schemasOf, communityDescriptions, indexable, entityChanges, log } = parts;
  const hasTrigrams = await addTrigrams(db);
  if (!hasTrigrams) {
    log.warn("the database has no extension pg_trgm, and does not allow creating it: the catalog does not tolerate typos");
  }
  const index = new SearchIndex(db, indexable);
  const update = () => index.current(null).catch((error: unknown) => log.warn({ err: error }, "the catalog could not be indexed"));
  // Every search updates the index, too; this saves the first one the wait.
  let updating: Promise<unknown> = Promise.resolve();
  entityChanges.subscribe((type) => {
    if (type === undefined || type.startsWith("datasets/")) updating = update();
  });
  const cleaning = runEvery(
    cleaningIntervalMs,
    async () => {
      await index.current(null);
      await index.clean();
    },
    (error) => log.warn({ err: error }, "the index of the catalog could not be cleaned"),
  );

  const handlers: Handlers<typeof contract> = {
    entries: async ({ user, query }) => {
      const [schemas, descriptions] = await Promise.all([schemasOf(user), communityDescriptions()]);
      const byDataset = new Map(descriptions.map((one) => [datasetKey(one), one.description]));
      return schemas.filter(matches(query)).map(({ dataset, description, containsLocationData, supportsMapResults }): CatalogEntry => ({
        dataset,
        description,
        communityDescription: byDataset.get(datasetKey(dataset)) ?? "",
        containsLocationData,
        supportsMapResults,
      }));
    },
    find: async ({ user, query }) => {
      const name = query.datasetName?.trim().toLowerCase() ?? "";
      const schemas = (await schemasOf(user))
        .filter(matches(query))
        .filter(({ dataset }) => dataset.datasetId.toLowerCase().includes(name));
      return findDatasets({ db, index, hasTrigrams, indexable }, { ...query, userId: user.id, schemas });
    },
  };
  return {
    forgivesTypingErrors: hasTrigrams,
    routes: { catalog: implement(contract, handlers) },
    close: async () => {
      await cleaning.close();
      await updating;
    },
  };
}

/** Tries again what the migration was refused: an operator may have allowed it since. */
async function addTrigrams(db: Kysely<Database>): Promise<boolean> {
  const read = async () => {
    const { rows } = await sql<{ has: boolean }>`
      select exists (select from pg_extension where extname = 'pg_trgm')
        and exists (select from pg_proc where proname = 'catalog_similar_words') as has`.execute(db);
    return rows[0]?.has === true;
  };
  if (await read()) return true;
  await sql.raw(addCatalogTrigrams).execute(db);
  return read();
}

const matches =
  ({ columnName, containsLocationData, supportsMapResults }: QueryOf<(typeof contract)["entries"]>) =>
  (schema: ListedSchema): boolean =>
    (columnName === undefined || hasColumn(schema.columns, columnName)) &&
    matchesChoice(containsLocationData, schema.containsLocationData) &&
    matchesChoice(supportsMapResults, schema.supportsMapResults);

const matchesChoice = (wanted: "true" | "false" | undefined, is: boolean): boolean => wanted === undefined || (wanted === "true") === is;

function hasColumn(columns: readonly { readonly name: string }[], part: string): boolean {
  const wanted = part.trim().toLowerCase();
  return columns.some(({ name }) => name.toLowerCase().includes(wanted));
}
