import { type ColumnDistributions, distributions, type TimeDistribution } from "@fairway/contract/distributions";
import { call } from "#lib/gateway/call.ts";
import { countDataOf } from "#parts/search-model/search-data.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";

const paramsOf = ({ datasetDescription: { category, datasetId } }: SearchRecord) => ({ category: category.id, datasetId });

export const askOverTime = (record: SearchRecord, signal: AbortSignal): Promise<TimeDistribution> =>
  call(distributions.overTime, { params: paramsOf(record), body: countDataOf(record) }, { signal });

export const askOfColumns = (record: SearchRecord, columns: string[], signal: AbortSignal): Promise<ColumnDistributions> =>
  call(distributions.ofColumns, { params: paramsOf(record), body: { ...countDataOf(record), columns } }, { signal });
