import { descriptions } from "@fairway/contract/descriptions";
import { queryOptions } from "@tanstack/react-query";
import { callVersioned } from "#lib/gateway/call.ts";

export const schemaQueryKey = (category: string, datasetId: string) => ["datasets", "schema", category, datasetId] as const;

/** A dataset's schema with its descriptions, and the ETag for saving them. */
export const schemaQuery = (category: string, datasetId: string) =>
  queryOptions({
    queryKey: schemaQueryKey(category, datasetId),
    queryFn: async ({ signal }) => {
      const { result, etag } = await callVersioned(descriptions.schema, { params: { category, datasetId } }, { signal });
      return { schema: result, etag };
    },
  });
