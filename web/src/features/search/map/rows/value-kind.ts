import { type Column, isTimestamp } from "@fairway/contract/columns";
import type { Quantity } from "#parts/map-look/rows-look.ts";
import type { ValueKind } from "#features/search/map/model/scale-limits.ts";
import type { ColorBy } from "./measures.ts";

export const quantityOf = ({ measure, perArea }: ColorBy): Quantity => (measure !== null ? "measure" : perArea ? "density" : "count");

/** Times have limits at starts of days and hours, counts have whole ones. Undefined for what the values say. */
export function valueKindOf(column: Column | undefined, { measure, perArea }: ColorBy): ValueKind | undefined {
  if (measure === null) return perArea ? "decimal" : "whole";
  if (column === undefined || !isTimestamp(column.type)) return undefined;
  return { unitMs: column.type === "TIMESTAMP_SECONDS" ? 1_000 : 1 };
}
