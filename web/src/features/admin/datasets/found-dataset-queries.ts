import { datasetAdministration } from "@fairway/contract/dataset-administration";
import type { ReadingChoices } from "@fairway/contract/readings";
import { infiniteQueryOptions, queryOptions, skipToken, useQuery } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";
import { browserHints } from "#parts/reading/reading-words.ts";
import { useLastData } from "./use-last-data.ts";

/** A path below the data folder or in a bucket, or a table's full name. */
export interface ChosenSource {
  readonly kind: "files" | "bucket" | "table";
  readonly name: string;
}

/**
 * The dataset that a source would make, read as chosen. Inspects it again on every choice, as the data may have changed; `found`
 * stays meanwhile, and if a choice is refused.
 */
export function useProposal(chosen: ChosenSource | null, choices: ReadingChoices) {
  const query = useQuery({
    queryKey: ["admin", "inspect", chosen, choices],
    queryFn: chosen === null ? skipToken : ({ signal }) => inspect(chosen, choices, signal),
    retry: false,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const found = useLastData(chosen, query.data);
  return { found, isReading: query.isFetching, error: query.error, refetch: query.refetch };
}

async function inspect({ kind, name }: ChosenSource, choices: ReadingChoices, signal: AbortSignal) {
  if (kind === "table") {
    return { ...(await call(datasetAdministration.inspectTable, { body: { table: name } }, { signal })), reading: null };
  }
  const chosen = Object.keys(choices).length === 0 ? {} : { choices };
  const found = await call(datasetAdministration.inspect, { body: { path: name, ...chosen, hints: browserHints() } }, { signal });
  return { ...found, reading: found.reading ?? null };
}

export type Proposal = ReturnType<typeof useProposal>;

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
