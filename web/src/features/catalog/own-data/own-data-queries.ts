import { ownDatasetForm } from "@fairway/contract/own-dataset-form";
import { ownDatasets } from "@fairway/contract/own-datasets";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";

/** The versions of the rows, newest first. */
export const versionsQuery = (id: string) =>
  queryOptions({
    queryKey: ["own-datasets", "versions", id],
    queryFn: ({ signal }) => call(ownDatasets.versions, { params: { id } }, { signal }),
    staleTime: 0,
  });

/** The settings, and what is wrong with them. */
export const editableQuery = (id: string) =>
  queryOptions({
    queryKey: ["own-datasets", "settings", id],
    queryFn: ({ signal }) => call(ownDatasetForm.one, { params: { id } }, { signal }),
    staleTime: 0,
  });
