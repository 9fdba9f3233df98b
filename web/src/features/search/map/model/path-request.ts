import type { PathDataDraft } from "@fairway/contract/map-results";
import { countDataOf } from "#parts/search-model/search-data.ts";
import type { SearchDefinition } from "#parts/search-model/search-record.ts";
import type { MapFields } from "./map-fields.ts";
import type { MapItem } from "./map-items.ts";

/** The columns that a path needs: place, time, and what its layers read. */
export const pathColumns = ({ latitude, longitude, time }: MapFields, more: readonly string[]): string[] => [
  ...new Set([time.name, latitude, longitude, ...more]),
];

/** Whether the path of an item can be asked for: its group has to be known. */
export const hasPath = ({ group }: Pick<MapItem, "group">): boolean => group !== null && group !== "";

interface Wanted {
  fields: MapFields;
  columns: readonly string[];
  minimumIntervalMs: number;
  paging?: { offset: number; max: number } | undefined;
}

/** The body of a path call, and without `paging` of its count: the search narrowed to the item. */
export function pathDataOf(search: SearchDefinition, { group }: Pick<MapItem, "group">, wanted: Wanted): PathDataDraft {
  const { filters = [], ...asked } = countDataOf(search);
  return {
    ...(wanted.paging ? { paging: wanted.paging } : {}),
    ...asked,
    filters: [...filters, { name: wanted.fields.group.name, operator: "=", value: group ?? "" }],
    columns: pathColumns(wanted.fields, wanted.columns),
    minimumIntervalMs: wanted.minimumIntervalMs,
  };
}
