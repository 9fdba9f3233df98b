import type { DatasetRef } from "@fairway/contract/datasets";
import { graphTemplates } from "@fairway/contract/graph-templates";
import { type SavedSearch, savedSearches } from "@fairway/contract/saved-searches";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/call.ts";
import { logFailure } from "#lib/log.ts";
import { queryClient } from "#lib/query-client.ts";

/** The user's own saved searches, of every dataset. */
export const savedSearchesQuery = queryOptions({
  queryKey: ["favorite", "queries"],
  queryFn: ({ signal }) => call(savedSearches.list, {}, { signal }),
});

/** What others share with a role of the user. */
export const sharedSearchesQuery = queryOptions({
  queryKey: ["favorite", "queries", "shared"],
  queryFn: ({ signal }) => call(savedSearches.shared, {}, { signal }),
});

/** The user's own graph templates, of every dataset. */
export const graphTemplatesQuery = queryOptions({
  queryKey: ["favorite", "graphTemplates"],
  queryFn: ({ signal }) => call(graphTemplates.list, {}, { signal }),
});

/** Fetches what the user has saved, before it is asked for. A failure is only logged. */
export async function fetchSaved(): Promise<void> {
  await Promise.all([
    queryClient.fetchQuery(savedSearchesQuery).catch((error: unknown) => logFailure("The saved searches could not be loaded", error)),
    queryClient.fetchQuery(graphTemplatesQuery).catch((error: unknown) => logFailure("The graph templates could not be loaded", error)),
  ]);
}

export async function saveSearch(draft: {
  datasetCategory: string;
  datasetId: string;
  queryName: string;
  query: string;
  description: string;
  sharedWithRoles: string[];
}): Promise<void> {
  await call(savedSearches.create, { body: draft });
  await queryClient.invalidateQueries({ ...savedSearchesQuery, exact: true });
}

/** The user's own saved search of this name in any case, as the server tells them apart; undefined where there is none. */
export async function findSaved(dataset: DatasetRef, queryName: string): Promise<SavedSearch | undefined> {
  const key = (name: string) => name.normalize("NFC").toLowerCase();
  const saved = await queryClient.fetchQuery({ ...savedSearchesQuery, staleTime: 0 });
  return saved.find(
    (one) =>
      one.datasetCategory === dataset.datasetCategory && one.datasetId === dataset.datasetId && key(one.queryName) === key(queryName),
  );
}

/** The user's own saved search with another name, query, description or roles; what is left out stays. */
export async function editSearch(
  id: string,
  change: { queryName: string; query?: string; description?: string; sharedWithRoles?: string[] },
): Promise<void> {
  await call(savedSearches.edit, { params: { id }, body: change });
  await queryClient.invalidateQueries({ ...savedSearchesQuery, exact: true });
}

/** Gone from the list at once; it comes back, and the failure with it, when the server refuses. */
export async function deleteSearch({ id, datasetCategory, datasetId, queryName, query }: SavedSearch): Promise<void> {
  const { queryKey } = savedSearchesQuery;
  await queryClient.cancelQueries({ queryKey, exact: true });
  const before = queryClient.getQueryData(queryKey);
  queryClient.setQueryData(queryKey, (saved = []) => saved.filter((other) => other.id !== id));
  try {
    await call(savedSearches.remove, { body: { datasetCategory, datasetId, queryName, query } });
  } catch (error) {
    queryClient.setQueryData(queryKey, before);
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

/** Gone from the list once the server has deleted it. */
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
