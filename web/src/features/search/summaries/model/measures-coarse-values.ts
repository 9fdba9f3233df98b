import type { Asked } from "@fairway/contract/charts/asked";
import type { DatasetDescription } from "@fairway/contract/datasets";
import { coarseColumnsOf } from "#parts/reader-part/coarse-columns.ts";

/** Whether a figure is made of values that are coarse to the reader: exact is then only how it was computed. */
export function measuresCoarseValues({ measures }: Asked, description: Pick<DatasetDescription, "access" | "schema">): boolean {
  const coarse = coarseColumnsOf(description);
  return measures?.some(({ column }) => column !== undefined && coarse.has(column)) ?? false;
}
