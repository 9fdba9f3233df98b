import { isDay } from "@fairway/contract/columns";
import type {
  AccessList,
  Assist,
  DatasetDescription,
  DatasetRef,
  FieldFilter,
  FilterSupport,
  TimeExtent,
} from "@fairway/contract/datasets";
import { CachedRead } from "#process/cached-read.ts";
import { externalDatasets, internalDatasets } from "#entities/entity-types.ts";
import type { InternalDataset } from "@fairway/contract/internal-datasets";
import type { LookupTarget } from "@fairway/contract/lookups";
import { isOwnCategory, missingDatasetText } from "@fairway/contract/own-datasets";
import { moreOperator } from "@fairway/contract/filters";
import type { EntityStore } from "#entities/store.ts";
import type { Reach, SignedInUser } from "#http/signed-in-user.ts";
import { type ScopeKeysOf, unreadableKey } from "#personal/scope-keys.ts";
import { mayDo } from "#sharing/access.ts";
import type { OwnDatasets } from "#own-data/own-datasets.ts";
import { reachesDataset } from "#http/reach.ts";
import type { MasterKey } from "#secrets/master-key.ts";
import { Refusal } from "#http/refusal.ts";
import { deniedRows, noteDenied } from "#turns/caller.ts";
import { type DatasetSource, type EngineCall, EngineFailed, type QueryEngine, SourceNotReady } from "#query/engine.ts";
import type { Engines } from "#query/engines.ts";
import type { DescribedDataset, SearchableDataset, UseDataset } from "#query/searchable-dataset.ts";
import type { FigureView } from "#query/whole-figures.ts";
import { type Dataset, type DerivedProblem, type DatasetView, internalDataset, ownDataset } from "./dataset.ts";
import { type ListedDataset, listedDataset } from "./listed-dataset.ts";
import { type Category, EnabledDatasets } from "./enabled-datasets.ts";
import { externalDatasets as datasetsOf } from "./external-dataset.ts";
import { type IndexableDataset, indexableDatasets } from "./indexable-datasets.ts";
import { ownListing } from "./own-index.ts";
import { type PortalDataset, portalDatasets } from "./portal-datasets.ts";
import { featuresOf, mapOf, queryableOf } from "./queryable-dataset.ts";
import { DatasetViews, derivedOf, type FindDataset, othersOfPortal, type Viewer } from "./dataset-view.ts";
import { figureViewOf } from "./figure-view.ts";
import { lookupTargets } from "./lookup-targets.ts";
import { grantCounts } from "./reader-part.ts";
import { type ShownDataset, shownDataset } from "./shown-dataset.ts";
import { mentionsAny } from "./mentions.ts";
import { searchedDataset } from "./searched-dataset.ts";
import { schemaOf, type SystemSchema } from "./system-schema.ts";

export interface DatasetService {
  /** Each category with the datasets this user may use, without empty categories. */
  accessible(user: SignedInUser): Promise<AccessList>;
  /** Refuses with the same `not-found` whether the dataset does not exist, is disabled or is not allowed. */
  readonly find: (user: SignedInUser, category: string, id: string) => Promise<DescribedDataset>;
  /** Like `find`, and leases the dataset's engine for the work. Rejects with EngineFailed if the engine cannot be opened. */
  readonly use: UseDataset<SignedInUser>;
  /** Whether `find` would succeed. `saved`: something of the dataset, which has to name no column that is withheld from the user. */
  readonly canRead: (user: SignedInUser, dataset: DatasetRef, saved?: unknown) => Promise<boolean>;
  /** The part of each of these datasets that the user sees now, to be kept with what is made of their rows. */
  readonly scopeKeys: ScopeKeysOf;
  /** Whether there is such an enabled dataset, whoever may read it. */
  readonly exists: (dataset: DatasetRef) => Promise<boolean>;
  describe(user: SignedInUser, category: string, id: string, signal: AbortSignal): Promise<DatasetDescription>;
  /** Every other dataset that this user may use, as one that this one may look up. Refuses like `find`. */
  readonly lookupTargets: (user: SignedInUser, category: string, id: string) => Promise<LookupTarget[]>;
  /** With the descriptions of the system only. Refuses like `find`. */
  readonly schema: (user: SignedInUser, dataset: DatasetRef) => Promise<SystemSchema>;
  /** Of every dataset that this user may use, by name. */
  readonly schemas: (user: SignedInUser) => Promise<SystemSchema[]>;
  /** Every enabled dataset, whoever may read it, to be indexed. The same list until a dataset may have changed. */
  readonly indexable: () => Promise<readonly IndexableDataset[]>;
  /** Of every dataset that this user may use, by name. */
  readonly listed: (user: SignedInUser) => Promise<ListedDataset[]>;
  /** The figures over all rows of a dataset that this user may have. Refuses like `find`. */
  readonly figures: (user: SignedInUser, dataset: DatasetRef) => Promise<FigureView>;
  /** Every enabled dataset that is not external, whoever may read it, for work of the portal itself. */
  readonly portalDatasets: () => Promise<readonly PortalDataset[]>;
  /** Like `use`, for work of the portal itself on one of `portalDatasets`. */
  readonly useForPortal: <T>(dataset: PortalDataset, work: (dataset: SearchableDataset) => Promise<T>) => Promise<T>;
  /** Like `use`, of an internal dataset that need not be stored like this, for a reader who need not be able to read it: to decide about its rules. */
  readonly useAs: <T>(
    dataset: InternalDataset,
    reader: SignedInUser,
    work: (dataset: SearchableDataset, shown: ShownDataset) => Promise<T>,
  ) => Promise<T>;
  /** How many alternatives each rule of a dataset has that an engine tries one after the other. */
  readonly grantCounts: (dataset: InternalDataset) => readonly number[];
  /** Why lookups and computed columns of a dataset cannot be made. Without a user: with all enabled datasets. */
  readonly derivedProblems: (
    dataset: Pick<Dataset, "schema" | "lookups" | "source">,
    user?: SignedInUser,
  ) => Promise<readonly DerivedProblem[]>;
  /** Call when a dataset may have changed. */
  changed(): void;
}

export interface DatasetServiceParts {
  readonly entities: Pick<EntityStore, "list">;
  readonly engines: Engines;
  /** Datasets that users have brought. Default: none. */
  readonly ownDatasets?: Pick<OwnDatasets, "list">;
  /** Descriptions, and the order in which categories are listed. */
  readonly categories: readonly Category[];
  /** Makes the keys of what readers see of datasets. */
  readonly masterKey: Pick<MasterKey, "digest">;
  /** Whether readers of a source may see different rows of it, and the portal itself yet others. Default: never. */
  readonly hasRowsPerReader?: (source: DatasetSource) => boolean;
}

/** Upper bound on how long a description waits for the time extent of the data. */
const extentTimeoutMs = 1_000;

/** Own datasets that are not known are looked for in the database at most this often. */
const minRereadMs = 250;

export function datasetService({
  entities,
  engines,
  ownDatasets,
  categories,
  masterKey,
  hasRowsPerReader = () => false,
}: DatasetServiceParts): DatasetService {
  const views = new DatasetViews((text) => masterKey.digest("scope", text));
  const enabled = new CachedRead(async () => {
    const lists = await Promise.all([entities.list(internalDatasets), entities.list(externalDatasets), ownDatasets?.list() ?? []]);
    const [internal, external] = [
      lists[0].filter(({ enabled: isEnabled }) => isEnabled),
      lists[1].filter(({ enabled: isEnabled }) => isEnabled),
    ];
    const all = [...internal.map(internalDataset), ...external.flatMap(datasetsOf), ...lists[2].map(ownDataset)];
    return new EnabledDatasets(
      all,
      categories,
      external.map(({ body: { name, description } }) => ({ id: name, description })),
      views,
    );
  });

  const viewerOf = async (reader: SignedInUser): Promise<Viewer> => {
    const all = await enabled.get();
    const find: FindDataset = ({ datasetCategory, datasetId }) =>
      reachesDataset(reader.reach, datasetCategory, datasetId) ? all.find(reader, datasetCategory, datasetId) : undefined;
    return { reader, find };
  };

  const viewIn = (viewer: Viewer, ref: DatasetRef): DatasetView | undefined => {
    const dataset = viewer.find(ref);
    return dataset && views.of(dataset, viewer);
  };

  let lastRereadMs = 0;
  const lookUp = async (user: SignedInUser, category: string, id: string): Promise<DatasetView | undefined> => {
    const view = viewIn(await viewerOf(user), { datasetCategory: category, datasetId: id });
    if (view !== undefined) return view;
    // Its owner may ask for it before this gateway was told that it exists.
    if (!isOwnCategory(category) || Date.now() - lastRereadMs < minRereadMs) {
      if ((await enabled.get()).any(category, id) !== undefined) noteDenied("dataset");
      return undefined;
    }
    lastRereadMs = Date.now();
    enabled.forget();
    return lookUp(user, category, id);
  };

  const readable = async (user: SignedInUser): Promise<DatasetView[]> => {
    const [all, viewer] = await Promise.all([enabled.get(), viewerOf(user)]);
    return all
      .readableByName(user)
      .filter(({ category, id }) => reachesDataset(user.reach, category, id))
      .map((dataset) => views.of(dataset, viewer));
  };

  const isWhole = ({ source }: DatasetView): boolean => !hasRowsPerReader(source);
  const figuresOf = (dataset: DatasetView): FigureView => figureViewOf(dataset, hasRowsPerReader(dataset.source));

  /** The other datasets that one may look up. */
  const othersOf = (viewer: Viewer) => ({ findView: (ref: DatasetRef) => viewIn(viewer, ref), findOther: views.others(viewer), isWhole });
  const noOthers = { findView: () => undefined, findOther: () => undefined, isWhole };

  const leased = async <T>(
    dataset: DatasetView,
    others: ReturnType<typeof othersOf>,
    work: (dataset: SearchableDataset) => Promise<T>,
  ): Promise<T> => {
    const { engine, release } = await engines.lease(dataset.source);
    const uses: Promise<unknown>[] = [];
    try {
      const keepOpen = (until: Promise<unknown>) => void uses.push(until);
      const searchable = { ...describedOf(dataset), queryable: queryableOf(dataset, engine), engine, keepOpen };
      const found = { ...searchable, other: lookupTargets(dataset, others).find };
      return await work({ ...found, deriving: (search, path) => searchedDataset(found, search, others.findOther, path) });
    } catch (error) {
      if (error instanceof Refusal) noteDeniedColumns(error, dataset);
      throw error;
    } finally {
      void Promise.allSettled(uses).then(release);
    }
  };

  const require = async (user: SignedInUser, category: string, id: string): Promise<DatasetView> => {
    const dataset = await lookUp(user, category, id);
    if (dataset === undefined) throw new Refusal("not-found", missingDatasetText(category));
    return dataset;
  };

  /** The links to datasets that this user may know about. */
  const readableLinks = async (user: SignedInUser, { linkedDatasets }: DatasetView) => {
    const targets = await Promise.all(linkedDatasets.map(({ datasetCategory, datasetId }) => lookUp(user, datasetCategory, datasetId)));
    return linkedDatasets.filter((_, index) => targets[index] !== undefined);
  };

  /** Throws if the data is known not to be readable; returns null if finding out fails or takes too long. */
  const extentOf = async (dataset: DatasetView, engine: QueryEngine, { signal, ...caller }: EngineCall): Promise<TimeExtent | null> => {
    try {
      const queryableDataset = queryableOf(dataset, engine);
      const call = { ...caller, signal: AbortSignal.any([signal, AbortSignal.timeout(extentTimeoutMs)]) };
      const [first, ...others] = (await engine.check?.(queryableDataset, call)) ?? [];
      if (first !== undefined) throw new SourceNotReady([first, ...others], { dataset: dataset.id });
      return await engine.timeExtent(queryableDataset, call);
    } catch (error) {
      if (error instanceof EngineFailed && error.reason !== "not-ready") return null;
      throw error;
    }
  };

  return {
    accessible: async (caller) => withinReach((await enabled.get()).accessible(caller), caller.reach),
    find: async (user, category, id) => describedOf(await require(user, category, id)),
    use: async (user, category, id, work) => {
      const dataset = await require(user, category, id);
      if (dataset.part?.rows === "none") noteDenied(deniedRows);
      return leased(dataset, othersOf(await viewerOf(user)), work);
    },
    canRead: async (user, { datasetCategory, datasetId }, saved) => {
      const view = await lookUp(user, datasetCategory, datasetId);
      return view !== undefined && !mentionsAny(saved, view.withheld);
    },
    scopeKeys: (user, datasets) =>
      Promise.all(
        datasets.map(async ({ datasetCategory, datasetId }) => {
          const view = await lookUp(user, datasetCategory, datasetId);
          return [datasetCategory, datasetId, view?.key ?? unreadableKey] as const;
        }),
      ),
    exists: async ({ datasetCategory, datasetId }) => (await enabled.get()).has(datasetCategory, datasetId),
    describe: async (user, category, id, signal) => {
      const dataset = await require(user, category, id);
      const { engine, release } = await engines.lease(dataset.source);
      try {
        return {
          category: { id: category, description: (await enabled.get()).describeCategory(category) },
          datasetId: dataset.id,
          description: dataset.description,
          schema: dataset.schema,
          features: [...featuresOf(dataset, engine)],
          assists: assistsOf(engine),
          filterSupport: withDays(dataset),
          moreOperators: dataset.parameters === null ? [...moreOperator.options] : [],
          linkedDatasets: await readableLinks(user, dataset),
          faMapIcon: dataset.faMapIcon,
          mapSupport: dataset.mapSupport,
          mapView: dataset.mapView ?? null,
          titleField: dataset.titleField,
          subtitleField: dataset.subtitleField,
          temporalField: dataset.temporalField,
          timeExtent: await extentOf(dataset, engine, { signal, owner: user.id, user: user.username }),
          ...accessPart(dataset, user, masterKey),
          ...ownPart(dataset, user),
        };
      } finally {
        release();
      }
    },
    lookupTargets: async (user, category, id) => {
      const dataset = await require(user, category, id);
      const others = othersOf(await viewerOf(user));
      return lookupTargets(dataset, others).list(withinReach((await enabled.get()).accessible(user), user.reach));
    },
    schema: async (user, { datasetCategory, datasetId }) => schemaOf(await require(user, datasetCategory, datasetId)),
    indexable: async () => indexableDatasets(await enabled.get()),
    schemas: async (user) => (await readable(user)).map(schemaOf),
    listed: async (user) => (await readable(user)).map((dataset) => listedDataset(dataset, figuresOf)),
    figures: async (user, { datasetCategory, datasetId }) => figuresOf(await require(user, datasetCategory, datasetId)),
    portalDatasets: async () => portalDatasets(await enabled.get(), hasRowsPerReader),
    useForPortal: ({ entity }, work) => leased(entity, noOthers, work),
    useAs: async (body, reader, work) => {
      const dataset = unsaved(body);
      const viewer = await viewerOf(reader);
      const view = views.of(dataset, viewer);
      return leased(view, othersOf(viewer), (searchable) => work(searchable, shownDataset(dataset, view, reader)));
    },
    grantCounts: (body) => grantCounts(unsaved(body)),
    derivedProblems: async (dataset, user) => {
      const all = await enabled.get();
      const findOther =
        user === undefined
          ? othersOfPortal(({ datasetCategory, datasetId }) => all.any(datasetCategory, datasetId))
          : views.others(await viewerOf(user));
      return derivedOf(dataset, findOther)?.problems ?? [];
    },
    changed: () => enabled.forget(),
  };
}

/** Tells the audit log which withheld columns a refused call has named. */
function noteDeniedColumns({ errors }: Refusal, { withheld }: DatasetView): void {
  const text = errors.map(({ message }) => message.toLowerCase()).join(" ");
  for (const name of withheld) if (text.includes(`'${name.toLowerCase()}'`)) noteDenied(`column ${name}`);
}

const unsaved = (body: InternalDataset): Dataset => internalDataset({ body, version: 0, updatedAt: new Date(0) });

/** The filters that a dataset offers, of which those on whole days say so. */
function withDays({ filterSupport, schema }: DatasetView): FilterSupport {
  const days = new Set(schema.columns.filter(isDay).map(({ name }) => name));
  if (days.size === 0) return filterSupport;
  const marked = (filters: readonly FieldFilter[]) => filters.map((filter) => (days.has(filter.name) ? { ...filter, day: true } : filter));
  return {
    ...filterSupport,
    staticFilters: marked(filterSupport.staticFilters),
    preFilledFilters: marked(filterSupport.preFilledFilters),
    additionalFilters: marked(filterSupport.additionalFilters),
  };
}

/** The part of a description that tells of rules: nothing if they forbid it. */
function accessPart({ part, key }: DatasetView, user: SignedInUser, masterKey: Pick<MasterKey, "digest">) {
  if (part === null || !part.isTold) return {};
  const { isTold: _isTold, ...told } = part;
  return { access: { ...told, version: masterKey.digest("access version", JSON.stringify([user.id, key])) } };
}

/** The part of a description that only own datasets have. */
function ownPart({ own }: DatasetView, user: SignedInUser) {
  const can = own === null ? undefined : mayDo(own, user);
  if (own === null || can === undefined) return {};
  return { source: { kind: "imported" as const }, own: ownListing(own, can), dataVersion: own.dataVersion };
}

const describedOf = (dataset: DatasetView): DescribedDataset => ({
  columns: dataset.schema.columns,
  filterSupport: dataset.filterSupport,
  parameters: dataset.parameters,
  map: mapOf(dataset),
  dataVersion: dataset.own?.dataVersion,
  isPart: dataset.part !== null && dataset.part.isTold && (dataset.part.rows !== "all" || dataset.part.columns !== "all"),
  hasNoRows: dataset.part?.rows === "none" && dataset.scope.problem === null,
});

function withinReach(list: AccessList, reach: Reach | undefined): AccessList {
  if (reach === undefined) return list;
  return list
    .map((category) => ({
      ...category,
      datasets: category.datasets.filter(({ datasetCategory, datasetId }) => reachesDataset(reach, datasetCategory, datasetId)),
    }))
    .filter(({ datasets }) => datasets.length > 0);
}

function assistsOf(engine: QueryEngine): Assist[] {
  return [
    ...(engine.supportsSort ? (["SORTING"] as const) : []),
    ...(engine.suggest ? (["SUGGESTIONS"] as const) : []),
    ...(engine.profile ? (["PROFILE"] as const) : []),
    ...(engine.export ? (["EXPORT"] as const) : []),
    ...(engine.breakdown ? (["BREAKDOWN"] as const) : []),
    ...(engine.grid ? (["GRID"] as const) : []),
  ];
}
