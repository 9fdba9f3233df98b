import { descriptions } from "@fairway/contract/descriptions";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/call.ts";

/** A dataset's schema with its descriptions. */
export const schemaQuery = (category: string, datasetId: string) =>
  queryOptions({
    queryKey: ["datasets", "schema", category, datasetId],
    queryFn: ({ signal }) => call(descriptions.schema, { params: { category, datasetId } }, { signal }),
  });
