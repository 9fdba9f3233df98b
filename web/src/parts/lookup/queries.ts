import type { DatasetRef } from "@fairway/contract/datasets";
import { type lookupReportRequest, lookups } from "@fairway/contract/lookups";
import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import { call } from "#lib/gateway/call.ts";

const paramsOf = ({ datasetCategory, datasetId }: DatasetRef) => ({ category: datasetCategory, datasetId });

/** The datasets that one may look up, and why others cannot be. */
export const lookupTargetsQuery = (dataset: DatasetRef) =>
  queryOptions({
    queryKey: ["lookup targets", dataset],
    queryFn: ({ signal }) => call(lookups.targets, { params: paramsOf(dataset) }, { signal }),
  });

const isSame = (one: DatasetRef, other: DatasetRef): boolean =>
  one.datasetCategory === other.datasetCategory && one.datasetId === other.datasetId;

/** The rows that a lookup would find. Refusals name what is wrong with the key, so they are not repeated. */
export const lookupReportQuery = (dataset: DatasetRef, body: z.input<typeof lookupReportRequest>) =>
  queryOptions({
    queryKey: ["lookup report", dataset, body] as const,
    queryFn: ({ signal }) => call(lookups.report, { params: paramsOf(dataset), body }, { signal }),
    staleTime: 60_000,
    retry: false,
    // The description of the other dataset stays while another key is compared.
    placeholderData: (previous, query) => (query !== undefined && isSame(query.queryKey[2].dataset, body.dataset) ? previous : undefined),
  });
