import { datasets } from "@fairway/contract/datasets";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/call.ts";

/** A dataset's schema with its descriptions. */
export const schemaQuery = (category: string, datasetId: string) =>
  queryOptions({
    queryKey: ["datasets", "schema", category, datasetId],
    queryFn: ({ signal }) => call(datasets.schema, { params: { category, datasetId } }, { signal }),
  });
