import type { CatalogHit, catalog as contract } from "@fairway/contract/catalog";
import { catalogSearchLimits } from "@fairway/contract/catalog";
import { type DatasetRef, type DatasetSchema, datasetKey } from "@fairway/contract/datasets";
import type { QueryOf } from "@fairway/contract/route";
import { type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import { Refusal } from "#http/refusal.ts";
import { bestTerms, findOccurrences, type LayerTexts, matchesOf, noTexts } from "./matches.ts";
import { findTerms, rank, type WithheldColumns } from "./ranking.ts";
import type { IndexableDataset, SearchIndex } from "./search-index.ts";
import { searchedWords } from "./words.ts";

/** A dataset that the caller may use. */
export type ListedSchema = Pick<DatasetSchema, "dataset" | "description" | "containsLocationData" | "supportsMapResults"> & {
  readonly columns: readonly { readonly name: string; readonly description: string; readonly unit?: string | undefined }[];
};

interface Parts {
  readonly db: Kysely<Database>;
  readonly index: SearchIndex;
  readonly hasTrigrams: boolean;
  readonly indexable: () => Promise<readonly IndexableDataset[]>;
}

interface Search extends Pick<QueryOf<(typeof contract)["find"]>, "text" | "sort" | "offset" | "limit"> {
  readonly userId: string;
  /** Every dataset that may be a hit, by name. */
  readonly schemas: readonly ListedSchema[];
}

/** More than a match of every word in the name, so that a name that is the search itself comes first. */
const wholeNameScore = 1_000;

/** The datasets out of `schemas` in which every word of the text matches, or the most words if there are none. */
export async function findDatasets(
  { db, index, hasTrigrams, indexable }: Parts,
  { userId, text, sort, offset, limit, schemas }: Search,
): Promise<{ total: number; hits: CatalogHit[] }> {
  const searched = searchedWords(text);
  const words = searched.map(({ word }) => word);
  if (words.length > catalogSearchLimits.words) {
    throw new Refusal("invalid-request", `Search for at most ${catalogSearchLimits.words} words.`, { path: "text" });
  }
  if (words.length === 0 || schemas.length === 0) return { total: 0, hits: [] };
  const ids = await index.current(userId);
  const byId = new Map<number, ListedSchema>();
  for (const schema of schemas) {
    const id = ids.get(datasetKey(schema.dataset));
    if (id !== undefined) byId.set(id, schema);
  }
  const [found, all] = await Promise.all([findTerms(db, words, { userId, hasTrigrams }), indexable()]);
  const ranked = await rank(db, words, found, [...byId.keys()], withheldColumns(byId, all));
  const positions = new Map(Array.from(byId.keys(), (id, position) => [id, position]));
  const isWholeName = (id: number): boolean =>
    searchedWords(byId.get(id)?.dataset.datasetId ?? "")
      .map(({ word }) => word)
      .join(" ") === words.join(" ");
  const sorted = ranked
    .map(({ id, score, missing }) => ({
      id,
      missing,
      position: positions.get(id) ?? 0,
      score: sort === "name" ? 0 : score + (isWholeName(id) ? wholeNameScore : 0),
    }))
    .toSorted((one, other) => other.score - one.score || one.position - other.position);
  const page = sorted.slice(offset, offset + limit).flatMap(({ id, missing }) => {
    const schema = byId.get(id);
    return schema === undefined ? [] : [{ id, schema, missing }];
  });
  const [occurrences, layers] = await Promise.all([
    findOccurrences(
      db,
      found.terms,
      page.map(({ id }) => id),
    ),
    readLayers(
      db,
      userId,
      page.map(({ schema }) => schema.dataset),
    ),
  ]);
  const tags = new Map(all.filter((one) => one.tags.length > 0).map((one) => [datasetKey(one.schema.dataset), one.tags]));
  const terms = bestTerms(found.terms);
  const hits = page.map(({ id, schema, missing }): CatalogHit => {
    const { dataset, description, columns, containsLocationData, supportsMapResults } = schema;
    const own = layers.get(datasetKey(dataset));
    const community = own?.community ?? noTexts;
    const texts = {
      name: dataset.datasetId,
      category: dataset.datasetCategory,
      tags: tags.get(datasetKey(dataset)) ?? [],
      columns,
      description,
      community,
      private: own?.private ?? noTexts,
    };
    const hit = {
      dataset,
      description,
      communityDescription: community.description,
      containsLocationData,
      supportsMapResults,
      matches: matchesOf(texts, occurrences.get(id) ?? [], terms),
    };
    return missing.length === 0
      ? hit
      : Object.assign(hit, { missing: [...new Set(missing.map((wanted) => searched[wanted]?.typed ?? ""))] });
  });
  return { total: sorted.length, hits };
}

/** The columns that are in the index and not among those of the caller, of datasets where readers have different columns. */
function withheldColumns(byId: ReadonlyMap<number, ListedSchema>, all: readonly IndexableDataset[]): WithheldColumns {
  const ruled = new Map(all.flatMap((one) => (one.hasColumnRules === true ? [[datasetKey(one.schema.dataset), one.schema.columns]] : [])));
  if (ruled.size === 0) return new Map();
  return new Map(
    [...byId].flatMap(([id, { dataset, columns }]) => {
      const names = new Set(columns.map(({ name }) => name));
      const withheld = (ruled.get(datasetKey(dataset)) ?? []).flatMap(({ name }) => (names.has(name) ? [] : [name]));
      return withheld.length === 0 ? [] : [[id, withheld]];
    }),
  );
}

interface Layers {
  community?: LayerTexts;
  private?: LayerTexts;
}

/** The community's descriptions and the user's own, by `datasetKey`. */
async function readLayers(db: Kysely<Database>, userId: string, datasets: readonly DatasetRef[]): Promise<Map<string, Layers>> {
  const { rows } = await sql<DatasetRef & LayerTexts & { isPrivate: boolean }>`
    select category as "datasetCategory", dataset_id as "datasetId", description, columns, user_id is not null as "isPrivate"
    from dataset_descriptions
    where (category, dataset_id) in (
      select * from unnest(${datasets.map(({ datasetCategory }) => datasetCategory)}::text[], ${datasets.map(({ datasetId }) => datasetId)}::text[])
    ) and (user_id is null or user_id = ${userId})`.execute(db);
  const layers = new Map<string, Layers>();
  for (const { isPrivate, description, columns, ...dataset } of rows) {
    const key = datasetKey(dataset);
    layers.set(key, { ...layers.get(key), [isPrivate ? "private" : "community"]: { description, columns } });
  }
  return layers;
}
