import { type DatasetDescription, datasetKey } from "@fairway/contract/datasets";
import { logFailure } from "#lib/browser/log.ts";
import { GatewayError } from "#lib/gateway/gateway-error.ts";
import { queryClient } from "#lib/gateway/query-client.ts";
import { describeQuery, describeRoot } from "#parts/dataset-picker/queries.ts";
import { forgetRowsOf, tellChangedAccess } from "#parts/reader-part/changed-access.ts";
import { emptyResults, type SearchRecord } from "#parts/search-model/search-record.ts";
import { describeSearch } from "./describe-search.ts";
import { findRecord, patchRecord, useOpenSearches } from "./records.ts";
import { dropRuns, runFromStart } from "./search-runs.ts";

/**
 * Drops the rows of open searches whose datasets show the reader others than before, and searches again. Datasets say what they show while
 * they have rules: the first ones change it as well.
 */
export async function reloadChangedAccess(): Promise<void> {
  // Descriptions that are not shown are read anew when they are needed. Removing one that is being read would cancel that.
  queryClient.removeQueries({ queryKey: describeRoot, type: "inactive", fetchStatus: "idle" });
  const described = new Map(
    useOpenSearches
      .getState()
      .records.filter(hasRun)
      .map(({ datasetDescription }) => [keyOf(datasetDescription), datasetDescription]),
  );
  await Promise.all([...described.values()].map(reloadSearches));
}

/** Searches that have run in this tab. */
const hasRun = ({ run }: SearchRecord): boolean => run > 0;

const keyOf = ({ category, datasetId }: DatasetDescription): string => datasetKey({ datasetCategory: category.id, datasetId });

async function reloadSearches(before: DatasetDescription): Promise<void> {
  const now = await describeAgain(before);
  if (now === "unknown") return;
  const changed = useOpenSearches
    .getState()
    .records.filter(
      (record) =>
        hasRun(record) &&
        keyOf(record.datasetDescription) === keyOf(before) &&
        record.datasetDescription.access?.version !== now?.access?.version,
    );
  if (changed.length === 0) return;
  forgetRowsOf(before.datasetId);
  const reloaded = await Promise.all(changed.map(({ id }) => reloadSearch(id)));
  if (reloaded.includes(true)) tellChangedAccess(before.datasetId);
}

/** Null if the reader may not know of the dataset any more. */
async function describeAgain({ category, datasetId }: DatasetDescription): Promise<DatasetDescription | null | "unknown"> {
  try {
    return await queryClient.fetchQuery({ ...describeQuery(category.id, datasetId), staleTime: 0 });
  } catch (error) {
    if (error instanceof GatewayError && (error.status === 403 || error.status === 404)) return null;
    logFailure("What may be seen of a dataset could not be read", error);
    return "unknown";
  }
}

/** Whether the search is shown. Others load their rows when they are opened. */
async function reloadSearch(id: string): Promise<boolean> {
  const record = findRecord(id);
  if (!record) return false;
  dropRuns(id);
  patchRecord(id, { ...emptyResults(), isSearching: true });
  const { category, datasetId } = record.datasetDescription;
  // Without a description, the search says what it is refused with.
  const datasetDescription = await describeSearch(category.id, datasetId, record.added).catch(() => record.datasetDescription);
  patchRecord(id, { ...emptyResults(), datasetDescription });
  const isShown = location.href.includes(id);
  if (isShown) runFromStart(id, { keepsSlices: true });
  return isShown;
}
