import { datasetAdministration } from "@fairway/contract/dataset-administration";
import { infiniteQueryOptions, queryOptions, useQuery } from "@tanstack/react-query";
import { call } from "#lib/call.ts";

/** A path below the data folder or in a bucket, or a table's full name. */
export interface ChosenSource {
  readonly kind: "files" | "bucket" | "table";
  readonly name: string;
}

/** The dataset that a source would make. Inspects it again on every choice, as the data may have changed. */
export function useProposal(chosen: ChosenSource | null) {
  return useQuery({
    queryKey: ["admin", "inspect", chosen],
    queryFn: ({ signal }) =>
      chosen?.kind === "table"
        ? call(datasetAdministration.inspectTable, { body: { table: chosen.name } }, { signal })
        : call(datasetAdministration.inspect, { body: { path: chosen?.name ?? "" } }, { signal }),
    enabled: chosen !== null,
    retry: false,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}

export type ProposalQuery = ReturnType<typeof useProposal>;

export const dataFolderQuery = (path: string) =>
  queryOptions({
    queryKey: ["admin", "data-folder", path],
    queryFn: ({ signal }) => call(datasetAdministration.dataFolder, { query: { path } }, { signal }),
    staleTime: 0,
  });

/** The buckets that datasets may read, or one folder (`s3://bucket/folder`), page by page. */
export const bucketsQuery = (within: string) =>
  infiniteQueryOptions({
    queryKey: ["admin", "buckets", within],
    queryFn: ({ pageParam, signal }) =>
      call(datasetAdministration.buckets, { query: { within, ...(pageParam === null ? {} : { next: pageParam }) } }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });

export const tablesQuery = (within: string, contains: string) =>
  queryOptions({
    queryKey: ["admin", "tables", within, contains],
    queryFn: ({ signal }) => call(datasetAdministration.tables, { query: { within, contains } }, { signal }),
    staleTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
