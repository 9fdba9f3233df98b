import type { Column } from "@fairway/contract/columns";
import type { DatasetDraft } from "./dataset-draft.ts";

/** Places of rows, as a column that combines their latitude and longitude. */
export const isPlace = ({ combined }: Column): boolean => combined?.type === "COORDINATES";

/** The draft with another time column. What the map says follows where it was the same. */
export function withTime(draft: DatasetDraft, temporalField: string | null): Partial<DatasetDraft> {
  const { mapSupport, filterSupport } = draft;
  return {
    temporalField,
    ...(temporalField === null ? { filterSupport: { ...filterSupport, supportsTimeRange: false } } : {}),
    ...(draft.temporalField === null ? { filterSupport: { ...filterSupport, supportsTimeRange: true } } : {}),
    mapSupport:
      mapSupport === null || mapSupport.itemTemporalField !== draft.temporalField
        ? mapSupport
        : temporalField === null
          ? null
          : { ...mapSupport, itemTemporalField: temporalField },
  };
}

/** The draft with another location. What the map says follows where it was the same. */
export function withLocation(draft: DatasetDraft, locationField: string | null): Partial<DatasetDraft> {
  const { mapSupport, filterSupport } = draft;
  return {
    locationField,
    ...(locationField === null ? { filterSupport: { ...filterSupport, supportsGeospatial: false } } : {}),
    ...(draft.locationField === null ? { filterSupport: { ...filterSupport, supportsGeospatial: true } } : {}),
    mapSupport:
      mapSupport === null || mapSupport.itemLocationField !== draft.locationField
        ? mapSupport
        : locationField === null
          ? null
          : { ...mapSupport, itemLocationField: locationField },
  };
}

/** The draft with a column that tells the items of the map apart; null = no map. */
export function withItem(draft: DatasetDraft, groupItemField: string | null): Partial<DatasetDraft> {
  const { mapSupport, locationField, temporalField } = draft;
  if (groupItemField === null) return { mapSupport: null };
  if (mapSupport !== null) return { mapSupport: { ...mapSupport, groupItemField } };
  if (locationField === null || temporalField === null) return {};
  return { mapSupport: { groupItemField, itemLocationField: locationField, itemTemporalField: temporalField } };
}

/** The draft with a new column of places, which is its location. */
export function withNewPlace(draft: DatasetDraft, latitude: string, longitude: string): Partial<DatasetDraft> {
  const taken = new Set(draft.schema.columns.map(({ name }) => name.toLowerCase()));
  let name = "location";
  for (let number = 2; taken.has(name); number += 1) name = `location_${number}`;
  const place: Column = {
    name,
    type: "STRING",
    description: "",
    combined: { type: "COORDINATES", fields: [latitude, longitude], joinedBy: ", " },
  };
  return { ...withLocation(draft, name), schema: { ...draft.schema, columns: [...draft.schema.columns, place] } };
}
