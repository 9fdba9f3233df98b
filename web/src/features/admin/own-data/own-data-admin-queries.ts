import { ownDatasetAdministration } from "@fairway/contract/own-datasets";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";

/** The own datasets of all users. */
export const allOwnDataQuery = queryOptions({
  queryKey: ["admin", "own-datasets"],
  queryFn: ({ signal }) => call(ownDatasetAdministration.list, {}, { signal }),
  staleTime: 0,
});
