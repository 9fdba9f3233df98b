import { type DatasetProfileState, datasetProfiles as contract } from "@fairway/contract/dataset-profiles";
import { type DatasetRef, datasetKey } from "@fairway/contract/datasets";
import type { Kysely } from "kysely";
import { type Capability, implement } from "#capability.ts";
import type { Database } from "#database/schema.ts";
import type { Handlers, SignedInUser } from "#http/handlers.ts";
import { type Measurement, type ProfileFigures, ProfileStore } from "./store.ts";

/** An enabled internal dataset, as far as its profile depends on it. */
export interface ProfiledDataset {
  readonly dataset: DatasetRef;
  /** Identifies its data. A profile of other data is not shown. */
  readonly source: string;
  /** Plain columns. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

interface Parts {
  readonly db: Kysely<Database>;
  /** Refuses with not-found a dataset that the user may not know about. */
  readonly requireReadable: (user: SignedInUser, dataset: DatasetRef) => Promise<unknown>;
  readonly internalDatasets: () => Promise<readonly ProfiledDataset[]>;
}

export interface DatasetProfiles extends Capability {
  /** Latest figures per dataset, by `datasetKey`. Says nothing on who may read a dataset. */
  readonly profilesOf: (datasets: readonly DatasetRef[]) => Promise<ReadonlyMap<string, ProfileFigures>>;
  /** The latest measurements of a dataset, newest first. */
  readonly measurementsOf: (dataset: DatasetRef) => Promise<readonly Measurement[]>;
}

/** Profiles of internal datasets, computed in the background. */
export function openDatasetProfiles({ db, requireReadable, internalDatasets }: Parts): DatasetProfiles {
  const store = new ProfileStore(db);

  const profilesOf: DatasetProfiles["profilesOf"] = async (datasets) => {
    const [figures, known] = await Promise.all([store.figures(), internalDatasets()]);
    const sources = new Map(known.map(({ dataset, source }) => [datasetKey(dataset), source]));
    const current = datasets.map(datasetKey).flatMap((key) => {
      const one = figures.get(key);
      return one !== undefined && one.source === sources.get(key) ? [[key, one] as const] : [];
    });
    return new Map(current);
  };

  const handlers: Pick<Handlers<typeof contract>, "read"> = {
    read: async ({ user, params }) => {
      const dataset = { datasetCategory: params.category, datasetId: params.datasetId };
      await requireReadable(user, dataset);
      const known = (await internalDatasets()).find((one) => datasetKey(one.dataset) === datasetKey(dataset));
      return known === undefined ? { state: "unsupported", profile: null, failure: null } : stateOf(known, await store.read(dataset));
    },
  };
  return {
    profilesOf,
    measurementsOf: (dataset) => store.measurements(dataset),
    routes: { datasetProfiles: implement({ read: contract.read }, handlers) },
  };
}

type StoredProfile = Awaited<ReturnType<ProfileStore["read"]>>;

function stateOf(dataset: ProfiledDataset, stored: StoredProfile): DatasetProfileState {
  if (stored === undefined) return { state: "none", profile: null, failure: null };
  const profile = profileOf(dataset, stored);
  const { failed_at: failedAt, problem } = stored;
  const failure = failedAt === null ? null : { problem: problem ?? "", failedMs: failedAt.getTime() };
  if (stored.is_running) return { state: "running", profile, failure };
  return { state: failure !== null ? "failed" : profile === null ? "none" : "done", profile, failure };
}

/** Null for a profile of other data. Without columns that the dataset no longer has in the same type. */
function profileOf({ source, columns }: ProfiledDataset, stored: NonNullable<StoredProfile>): DatasetProfileState["profile"] {
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
