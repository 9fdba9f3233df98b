import { type DatasetGroup, type DatasetGroupDraft, datasetGroups } from "@fairway/contract/dataset-groups";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";
import { queryClient } from "#lib/gateway/query-client.ts";

/** The user's dataset groups, sorted by name. */
export const groupsQuery = queryOptions({
  queryKey: ["dataset-groups"],
  queryFn: ({ signal }) => call(datasetGroups.list, {}, { signal }),
});

/** Creates the group if `id` is null, otherwise edits it, and refetches the groups. */
export async function saveGroup(id: string | null, body: DatasetGroupDraft): Promise<DatasetGroup> {
  const saved = await (id === null ? call(datasetGroups.create, { body }) : call(datasetGroups.edit, { body }));
  await queryClient.invalidateQueries(groupsQuery);
  return saved;
}

export async function deleteGroup(name: string): Promise<void> {
  await call(datasetGroups.remove, { params: { name } });
  await queryClient.invalidateQueries(groupsQuery);
}
