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
