import type { Column } from "@fairway/contract/columns";
import type { AccessList, Assist, DatasetDescription, DatasetSchema, TimeExtent } from "@fairway/contract/datasets";
import { orderOf } from "@fairway/contract/internal-datasets";
import { externalDatasets, internalDatasets } from "#entities/entity-types.ts";
import type { EntityStore } from "#entities/store.ts";
import type { Reach, SignedInUser } from "#http/handlers.ts";
import { reachesDataset } from "#http/reach.ts";
import { Refusal } from "#http/refusal.ts";
import { type EngineCall, EngineFailed, type QueryEngine, type QueryableDataset, SourceNotReady } from "#query/engine.ts";
import type { Engines } from "#query/engines.ts";
import { type Dataset, internalDataset } from "./dataset.ts";
import { type Category, EnabledDatasets, schemaOf } from "./enabled-datasets.ts";
import { externalDatasets as datasetsOf } from "./external-dataset.ts";

/** A dataset that a user may use. */
export interface FoundDataset {
  /** Columns as described, combined ones among them. */
  readonly columns: readonly Column[];
  readonly filterSupport: Dataset["filterSupport"];
  readonly parameters: Dataset["parameters"];
  /** Plain columns that say what a map shows of a row; null where the dataset has no map. */
  readonly map: {
    readonly item: string;
    readonly time: string;
    readonly place: NonNullable<QueryableDataset["location"]>;
  } | null;
  /** For the engine: plain columns, features that dataset and engine both have. */
  readonly queryable: QueryableDataset;
  /** The one that holds its rows. */
  readonly engine: QueryEngine;
}

/** Who asks for datasets, and how much of what the roles open the call may see of it. */
type Asker = Pick<SignedInUser, "roles" | "reach">;

export interface DatasetService {
  /** Each category with the datasets this user may reach; categories without any are left out. */
  accessible(user: Asker): Promise<AccessList>;
  /** Refuses in one and the same way what does not exist, is disabled, or is not this user's to know of. */
  find(user: Asker, category: string, id: string): Promise<FoundDataset>;
  describe(user: Asker & Pick<SignedInUser, "id">, category: string, id: string, signal: AbortSignal): Promise<DatasetDescription>;
  schema(user: Asker, category: string, id: string): Promise<DatasetSchema>;
  /** Drops what is remembered: a dataset has changed. */
  changed(): void;
}

export interface DatasetServiceParts {
  readonly entities: Pick<EntityStore, "list">;
  readonly engines: Engines;
  /** Descriptions, and the order in which categories are listed. */
  readonly categories: readonly Category[];
}

/** Datasets are remembered this long at most, should the word of a change get lost. */
const rememberedMs = 5_000;
/** A description does not wait longer than this for the first and last time in the data. */
const extentWaitMs = 1_000;

export function datasetService({ entities, engines, categories }: DatasetServiceParts): DatasetService {
  let remembered: { readonly datasets: Promise<EnabledDatasets>; readonly untilMs: number } | undefined;

  const readEnabled = async (): Promise<EnabledDatasets> => {
    const lists = await Promise.all([entities.list(internalDatasets), entities.list(externalDatasets)]);
    const [internal, external] = [lists[0].filter(({ enabled: on }) => on), lists[1].filter(({ enabled: on }) => on)];
    const all = [...internal.map(({ body }) => internalDataset(body)), ...external.flatMap(datasetsOf)];
    return new EnabledDatasets(
      all,
      categories,
      external.map(({ body: { name, description } }) => ({ id: name, description })),
    );
  };

  const enabled = async (): Promise<EnabledDatasets> => {
    if (remembered === undefined || remembered.untilMs < Date.now()) {
      const datasets = readEnabled();
      const mine = { datasets, untilMs: Date.now() + rememberedMs };
      remembered = mine;
      datasets.catch(() => {
        if (remembered === mine) remembered = undefined;
      });
    }
    return remembered.datasets;
  };

  const require = async ({ roles, reach }: Asker, category: string, id: string): Promise<Dataset> => {
    const dataset = reachesDataset(reach, category, id) ? (await enabled()).find(roles, category, id) : undefined;
    if (dataset === undefined) throw new Refusal("not-found", "There is no such dataset, or you may not use it.");
    return dataset;
  };

  /** Refuses where the data are known not to fit; not where it takes too long to find out. */
  const extentOf = async (dataset: Dataset, { signal, owner }: EngineCall): Promise<TimeExtent | null> => {
    try {
      const engine = engines.of(dataset.source);
      const asked = queryable(dataset, engine);
      const call = { owner, signal: AbortSignal.any([signal, AbortSignal.timeout(extentWaitMs)]) };
      const [first, ...others] = (await engine.check?.(asked, call)) ?? [];
      if (first !== undefined) throw new SourceNotReady([first, ...others], { dataset: dataset.id });
      return await engine.timeExtent(asked, call);
    } catch (error) {
      if (error instanceof EngineFailed && error.reason !== "not-ready") return null;
      throw error;
    }
  };

  return {
    accessible: async ({ roles, reach }) => reachedOf((await enabled()).accessible(roles), reach),
    find: async (user, category, id) => {
      const dataset = await require(user, category, id);
      const engine = engines.of(dataset.source);
      const { filterSupport, parameters } = dataset;
      const columns = dataset.schema.columns;
      return { columns, filterSupport, parameters, map: mapOf(dataset), queryable: queryable(dataset, engine), engine };
    },
    describe: async (user, category, id, signal) => {
      const dataset = await require(user, category, id);
      const engine = engines.of(dataset.source);
      return {
        category: { id: category, description: (await enabled()).describeCategory(category) },
        datasetId: dataset.id,
        description: dataset.description,
        schema: dataset.schema,
        features: [...queryable(dataset, engine).features],
        assists: assistsOf(engine),
        filterSupport: dataset.filterSupport,
        linkedDatasets: dataset.linkedDatasets,
        faMapIcon: dataset.faMapIcon,
        mapSupport: dataset.mapSupport,
        titleField: dataset.titleField,
        subtitleField: dataset.subtitleField,
        temporalField: dataset.temporalField,
        timeExtent: await extentOf(dataset, { signal, owner: user.id }),
      };
    },
    schema: async (user, category, id) => schemaOf(await require(user, category, id)),
    changed: () => {
      remembered = undefined;
    },
  };
}

function reachedOf(list: AccessList, reach: Reach | undefined): AccessList {
  if (reach === undefined) return list;
  return list
    .map((category) => ({
      ...category,
      datasets: category.datasets.filter((one) => reachesDataset(reach, one.datasetCategory, one.datasetId)),
    }))
    .filter(({ datasets }) => datasets.length > 0);
}

function assistsOf(engine: QueryEngine): Assist[] {
  return [
    ...(engine.sorts ? (["SORTING"] as const) : []),
    ...(engine.suggest ? (["SUGGESTIONS"] as const) : []),
    ...(engine.profile ? (["PROFILE"] as const) : []),
    ...(engine.export ? (["EXPORT"] as const) : []),
  ];
}

function queryable(dataset: Dataset, engine: Pick<QueryEngine, "features">): QueryableDataset {
  return {
    category: dataset.category,
    id: dataset.id,
    source: dataset.source,
    columns: dataset.schema.columns.filter(({ combined }) => combined === null),
    temporalField: dataset.temporalField,
    location: placeOf(dataset, dataset.locationField),
    orderBy: orderOf(dataset),
    features: new Set(dataset.features.filter((feature) => engine.features.has(feature))),
  };
}

function mapOf(dataset: Dataset): FoundDataset["map"] {
  const { mapSupport } = dataset;
  const place = placeOf(dataset, mapSupport?.itemLocationField ?? null);
  return mapSupport === null || place === null ? null : { item: mapSupport.groupItemField, time: mapSupport.itemTemporalField, place };
}

function placeOf({ schema }: Pick<Dataset, "schema">, field: string | null): QueryableDataset["location"] {
  const combined = schema.columns.find(({ name }) => name === field)?.combined;
  const [latitude, longitude] = combined?.type === "COORDINATES" ? combined.fields : [];
  return latitude === undefined || longitude === undefined ? null : { latitude, longitude };
}
