import { type DatasetProfileState, datasetProfiles as contract, maxThumbnails } from "@fairway/contract/dataset-profiles";
import { type DatasetRef, datasetKey } from "@fairway/contract/datasets";
import type { Kysely } from "kysely";
import { JobRunner } from "#background/jobs.ts";
import { type Capability, implement } from "#http/capability.ts";
import type { Database } from "#database/schema.ts";
import type { EntityChanges } from "#entities/entity-changes.ts";
import { internalDatasets as internalType } from "#entities/entity-types.ts";
import type { OwnDatasets } from "#own-data/own-datasets.ts";
import type { Handlers } from "#http/handlers.ts";
import type { FigureView, WholeFigures } from "#query/whole-figures.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import { profileChanged, type ProfiledDataset, Profiler, type ProfilerParts } from "./profiler.ts";
import { type Measurement, type ProfileFigures, ProfileStore, type StoredProfile } from "./store.ts";
import { Thumbnails } from "./thumbnails.ts";

interface Parts<Dataset extends ProfiledDataset> extends Omit<ProfilerParts<Dataset>, "store"> {
  readonly db: Kysely<Database>;
  /** The figures of a dataset that the user may have. Refuses with not-found one that the user may not know about. */
  readonly figureView: (user: SignedInUser, dataset: DatasetRef) => Promise<FigureView>;
  /** Every dataset that the user may use, by name. */
  readonly listed: (user: SignedInUser) => Promise<readonly { readonly dataset: DatasetRef; readonly figures: FigureView }[]>;
  readonly entityChanges: Pick<EntityChanges, "subscribe">;
  /** Changes of datasets that users have brought. Default: there are none. */
  readonly ownDatasets?: Pick<OwnDatasets, "onChanged">;
}

export interface DatasetProfiles extends Capability {
  /** Latest figures per dataset, by `datasetKey`. Says nothing on who may read a dataset. */
  readonly profilesOf: (datasets: readonly DatasetRef[]) => Promise<ReadonlyMap<string, WholeFigures<ProfileFigures>>>;
  /** When each dataset was last seen to change, by `datasetKey`. */
  readonly changesOf: () => Promise<ReadonlyMap<string, WholeFigures<number | null>>>;
  /** The most frequent values of a text column that a reader with this view may see. */
  readonly topValuesOf: (dataset: DatasetRef, column: string, view: FigureView) => Promise<string[]>;
  /** The latest measurements of a dataset, newest first. */
  readonly measurementsOf: (dataset: DatasetRef) => Promise<WholeFigures<readonly Measurement[]> | null>;
  /** Computes the profile of an enabled internal dataset soon. Resolves to when it was requested; undefined if there is no such dataset. */
  readonly requestProfile: (datasetId: string) => Promise<Date | undefined>;
  /** Computes every profile that is due now, unless another gateway does. */
  readonly runProfiler: () => Promise<void>;
}

/** Profiles of datasets that are not external, computed in the background. */
export function openDatasetProfiles<Dataset extends ProfiledDataset>(parts: Parts<Dataset>): DatasetProfiles {
  const { db, figureView, listed, entityChanges, ownDatasets } = parts;
  // Figures are computed once, with the portal's own account, and shown to all readers.
  const profiledDatasets = async () => (await parts.profiledDatasets()).filter(({ hasRowsPerReader = false }) => !hasRowsPerReader);
  const store = new ProfileStore(db);
  const thumbnails = new Thumbnails(store);
  const profiler = new JobRunner(new Profiler({ ...parts, store, profiledDatasets }));
  const changed = () => {
    const logFailure = (error: unknown) => parts.log.warn({ err: error }, "could not look for changed datasets");
    profileChanged(profiler, profiledDatasets).catch(logFailure);
  };
  entityChanges.subscribe((type) => {
    if (type === undefined || type === internalType.name) changed();
  });
  ownDatasets?.onChanged(changed);

  const requestProfile: DatasetProfiles["requestProfile"] = async (datasetId) => {
    const known = (await profiledDatasets()).find(({ dataset, isOwn = false }) => dataset.datasetId === datasetId && !isOwn);
    if (known === undefined) return undefined;
    const requestedAt = await store.request(known.dataset);
    void profiler.wake();
    return requestedAt;
  };

  /** Of those with a profile of their data. */
  const measuredOf = async (datasets: readonly DatasetRef[]) => {
    const [figures, known] = await Promise.all([store.figures(), profiledDatasets()]);
    const sources = new Map(known.map(({ dataset, source }) => [datasetKey(dataset), source]));
    const current = datasets.map(datasetKey).flatMap((key) => {
      const one = figures.get(key);
      return one !== undefined && one.source === sources.get(key) ? [[key, one] as const] : [];
    });
    return new Map(current);
  };
  const profilesOf: DatasetProfiles["profilesOf"] = async (datasets) =>
    new Map([...(await measuredOf(datasets))].map(([key, { figures }]) => [key, figures]));

  const findKnown = async (dataset: DatasetRef) =>
    (await profiledDatasets()).find((one) => datasetKey(one.dataset) === datasetKey(dataset));

  const handlers: Handlers<typeof contract> = {
    read: async ({ user, params }) => {
      const dataset = { datasetCategory: params.category, datasetId: params.datasetId };
      const view = await figureView(user, dataset);
      if (view.rows === "some") return { state: "restricted", profile: null, failure: null };
      const known = await findKnown(dataset);
      if (known !== undefined) return stateOf(known, (await store.read(dataset))?.shownTo(view) ?? undefined);
      const isInternal = (await parts.profiledDatasets()).some((one) => datasetKey(one.dataset) === datasetKey(dataset));
      return { state: isInternal ? "none" : "unsupported", profile: null, failure: null };
    },
    thumbnail: async ({ user, params }) => {
      const dataset = { datasetCategory: params.category, datasetId: params.datasetId };
      const view = await figureView(user, dataset);
      const [known, stored] = await Promise.all([findKnown(dataset), store.thumbnail(dataset)]);
      const isCurrent = known !== undefined && stored?.source === known.source;
      return (isCurrent ? stored.figures.shownTo(view) : null) ?? { coverage: null, positions: [] };
    },
    thumbnails: async (call) => {
      const readable = (await listed(call.user)).filter(({ figures }) => figures.rows === "all");
      const views = new Map(readable.map(({ dataset, figures }) => [datasetKey(dataset), figures]));
      const measured = await measuredOf(readable.map(({ dataset }) => dataset));
      const shown = [...measured].flatMap(([key, { dataset, source, measuredMs }]) => {
        const view = views.get(key);
        return view === undefined ? [] : [{ dataset, source, measuredMs, view }];
      });
      const answer = await thumbnails.listFor(shown.slice(0, maxThumbnails));
      call.answerVersion(answer.version);
      return answer.thumbnails;
    },
    update: async ({ params }) => {
      const isPerReader = ({ dataset, hasRowsPerReader }: Dataset) => dataset.datasetId === params.id && hasRowsPerReader;
      if ((await parts.profiledDatasets()).some(isPerReader)) {
        throw new Refusal("not-supported", "Readers of this dataset may see different rows of its table, so it has no profile.");
      }
      const requestedAt = await requestProfile(params.id);
      if (requestedAt === undefined) throw new Refusal("not-found", "There is no such dataset, or it is disabled.");
      return { requestedMs: requestedAt.getTime() };
    },
  };
  return {
    profilesOf,
    changesOf: async () => {
      const [changes, known] = await Promise.all([store.changes(), profiledDatasets()]);
      const keys = new Set(known.map(({ dataset }) => datasetKey(dataset)));
      return new Map([...changes].filter(([key]) => keys.has(key)));
    },
    topValuesOf: async (dataset, column, view) => {
      const known = (await profiledDatasets()).find((one) => datasetKey(one.dataset) === datasetKey(dataset));
      const stored = known && (await store.read(dataset))?.shownTo(view);
      const profile = known && stored ? profileOf(known, stored) : null;
      const values = profile?.columns.find(({ name }) => name === column)?.top.map(({ value }) => value) ?? [];
      return values.filter((value) => typeof value === "string");
    },
    measurementsOf: async (dataset) => ((await findKnown(dataset)) === undefined ? null : store.measurements(dataset)),
    requestProfile,
    runProfiler: () => profiler.runDue(),
    routes: { datasetProfiles: implement(contract, handlers) },
    close: () => profiler.close(),
  };
}

function stateOf(dataset: ProfiledDataset, stored: StoredProfile | undefined): DatasetProfileState {
  if (stored === undefined) return { state: "none", profile: null, failure: null };
  const profile = profileOf(dataset, stored);
  const { failed_at: failedAt, problem } = stored;
  const failure = failedAt === null ? null : { problem: problem ?? "", failedMs: failedAt.getTime() };
  if (stored.is_running || stored.is_requested) return { state: "running", profile, failure };
  return { state: failure !== null ? "failed" : profile === null ? "none" : "done", profile, failure };
}

/** Null for a profile of other data. Without columns that the dataset no longer has in the same type. */
function profileOf({ source, columns }: ProfiledDataset, stored: StoredProfile): DatasetProfileState["profile"] {
  if (stored.measured_at === null || stored.source !== source) return null;
  const profiled = new Map((stored.columns ?? []).map((column) => [column.name, column]));
  return {
    measuredMs: stored.measured_at.getTime(),
    rows: Number(stored.rows),
    oldestMs: stored.oldest_ms,
    newestMs: stored.newest_ms,
    coverage: stored.coverage,
    columns: columns.flatMap(({ name, type }) => {
      const column = profiled.get(name);
      return column?.type === type ? [column] : [];
    }),
  };
}
