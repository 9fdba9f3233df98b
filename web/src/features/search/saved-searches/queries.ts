import type { DatasetRef } from "@fairway/contract/datasets";
import { graphTemplates } from "@fairway/contract/graph-templates";
import type { CallOf } from "@fairway/contract/route";
import { type SavedSearch, savedSearches } from "@fairway/contract/saved-searches";
import type { ShareDraft } from "@fairway/contract/sharing";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";
import { logFailure } from "#lib/browser/log.ts";
import { queryClient } from "#lib/gateway/query-client.ts";

/** The user's own saved searches, of every dataset. */
export const savedSearchesQuery = queryOptions({
  queryKey: ["favorite", "queries"],
  queryFn: ({ signal }) => call(savedSearches.list, {}, { signal }),
});

/** Searches that others share with the user. */
export const sharedSearchesQuery = queryOptions({
  queryKey: ["favorite", "queries", "shared"],
  queryFn: ({ signal }) => call(savedSearches.shared, {}, { signal }),
});

/** The user's own graph templates, of every dataset. */
export const graphTemplatesQuery = queryOptions({
  queryKey: ["favorite", "graphTemplates"],
  queryFn: ({ signal }) => call(graphTemplates.list, {}, { signal }),
});

/** Prefetches what the user has saved. Failures are only logged. */
export async function fetchSaved(): Promise<void> {
  await Promise.all([
    queryClient.fetchQuery(savedSearchesQuery).catch((error: unknown) => logFailure("The saved searches could not be loaded", error)),
    queryClient.fetchQuery(graphTemplatesQuery).catch((error: unknown) => logFailure("The graph templates could not be loaded", error)),
  ]);
}

export async function saveSearch(draft: CallOf<typeof savedSearches.create>["body"]): Promise<void> {
  await call(savedSearches.create, { body: draft });
  await queryClient.invalidateQueries({ ...savedSearchesQuery, exact: true });
}

/** Finds the user's own saved search by name, case-insensitive like the server; undefined if there is none. */
export async function findSaved(dataset: DatasetRef, queryName: string): Promise<SavedSearch | undefined> {
  const key = (name: string) => name.normalize("NFC").toLowerCase();
  const saved = await queryClient.fetchQuery({ ...savedSearchesQuery, staleTime: 0 });
  return saved.find(
    (search) =>
      search.datasetCategory === dataset.datasetCategory &&
      search.datasetId === dataset.datasetId &&
      key(search.queryName) === key(queryName),
  );
}

/** Edits a saved search; omitted fields stay unchanged. Rejects with `stale-version` if it was saved since `version`. */
export async function editSearch(
  id: string,
  change: { queryName: string; query?: string; description?: string; version?: number },
): Promise<void> {
  try {
    await call(savedSearches.edit, { params: { id }, body: change });
  } finally {
    // Those of others too, and also after a refusal: another person may have saved it.
    await queryClient.invalidateQueries(savedSearchesQuery);
  }
}

/** Edits the newest version of a saved search, whoever saved it. Rejects with `stale-version` if it is saved meanwhile, or there is none. */
export async function editNewest(id: string, change: Parameters<typeof editSearch>[1]): Promise<void> {
  const [own, shared] = await Promise.all([
    queryClient.fetchQuery({ ...savedSearchesQuery, staleTime: 0 }),
    queryClient.fetchQuery({ ...sharedSearchesQuery, staleTime: 0 }),
  ]);
  const newest = [...own, ...shared].find((search) => search.id === id);
  await editSearch(id, newest === undefined ? change : { ...change, version: newest.version });
}

export async function shareSearch(id: string, shares: ShareDraft[]): Promise<void> {
  await call(savedSearches.share, { params: { id }, body: { shares } });
  await queryClient.invalidateQueries({ ...savedSearchesQuery, exact: true });
}

/** Gives the saved search to somebody who can edit it. */
export async function giveSearch(id: string, userId: string): Promise<void> {
  await call(savedSearches.transfer, { params: { id }, body: { userId } });
  await queryClient.invalidateQueries(savedSearchesQuery);
}

/** Removes the user's own share. */
export async function leaveSearch(id: string): Promise<void> {
  await call(savedSearches.leave, { params: { id } });
  await queryClient.invalidateQueries(sharedSearchesQuery);
}

/** Removes it from the list optimistically; restores it and rethrows if the server refuses. */
export async function deleteSearch({ id, datasetCategory, datasetId, queryName, query }: SavedSearch): Promise<void> {
  const { queryKey } = savedSearchesQuery;
  await queryClient.cancelQueries({ queryKey, exact: true });
  const previous = queryClient.getQueryData(queryKey);
  queryClient.setQueryData(queryKey, (saved = []) => saved.filter((other) => other.id !== id));
  try {
    await call(savedSearches.remove, { body: { datasetCategory, datasetId, queryName, query } });
  } catch (error) {
    queryClient.setQueryData(queryKey, previous);
    throw error;
  }
}

export async function saveGraphTemplate(draft: {
  datasetCategory: string;
  datasetId: string;
  templateName: string;
  templateJson: string;
}): Promise<void> {
  await call(graphTemplates.create, { body: draft });
  await queryClient.invalidateQueries({ ...graphTemplatesQuery, exact: true });
}

/** Deletes on the server, then refetches the list. */
export async function deleteGraphTemplate(template: {
  datasetCategory: string;
  datasetId: string;
  templateName: string;
  templateJson: string;
}): Promise<void> {
  const { datasetCategory, datasetId, templateName, templateJson } = template;
  await call(graphTemplates.remove, { body: { datasetCategory, datasetId, templateName, templateJson } });
  await queryClient.invalidateQueries({ ...graphTemplatesQuery, exact: true });
}
