import { type Column, isTimestamp } from "@fairway/contract/columns";
import type { OwnDatasetSettings } from "@fairway/contract/internal-datasets";
import type { DataImport } from "@fairway/contract/imports";
import { Refusal } from "#http/refusal.ts";

type Fields = NonNullable<DataImport["fields"]>;

/** The columns of a dataset's position, time and item, by name. */
export function fieldsOf({ schema, temporalField, locationField, mapSupport }: OwnDatasetSettings): Fields {
  const [latitude = null, longitude = null] = schema.columns.find(({ name }) => name === locationField)?.combined?.fields ?? [];
  return { temporalField, latitude, longitude, itemField: mapSupport?.groupItemField ?? null };
}

/** The settings with other fields; what is omitted stays as it was found. Refuses names that are no such columns. */
export function withFields(
  settings: OwnDatasetSettings,
  { temporalField, latitude, longitude, itemField }: { readonly [K in keyof Fields]?: string | null | undefined },
): OwnDatasetSettings {
  const found = fieldsOf(settings);
  const fields: Fields = {
    temporalField: temporalField === undefined ? found.temporalField : temporalField,
    latitude: latitude === undefined ? found.latitude : latitude,
    longitude: longitude === undefined ? found.longitude : longitude,
    itemField: itemField === undefined ? found.itemField : itemField,
  };
  const plain = settings.schema.columns.filter(({ combined }) => combined === null);
  for (const [field, name] of Object.entries(fields)) {
    const column = plain.find((one) => one.name === name);
    const path = `fields.${field}`;
    if (name !== null && column === undefined) throw new Refusal("unknown-column", `'${path}': there is no such column.`, { path });
    if (field === "temporalField" && column !== undefined && !isTimestamp(column.type))
      throw new Refusal("invalid-value", `'${name}' is no time.`, { path });
  }
  const location = locationColumn(settings, fields);
  const others = settings.schema.columns.filter(({ name }) => name !== settings.locationField);
  const locationField = location?.name ?? null;
  const isMapped = locationField !== null && fields.temporalField !== null && fields.itemField !== null;
  return {
    ...settings,
    schema: { columns: location === null ? others : [...others, location] },
    temporalField: fields.temporalField,
    locationField,
    mapSupport: isMapped
      ? {
          ...settings.mapSupport,
          groupItemField: fields.itemField ?? "",
          itemLocationField: locationField,
          itemTemporalField: fields.temporalField ?? "",
        }
      : null,
    filterSupport: {
      ...settings.filterSupport,
      supportsTimeRange: fields.temporalField !== null,
      supportsGeospatial: locationField !== null,
    },
  };
}

function locationColumn({ schema, locationField }: OwnDatasetSettings, { latitude, longitude }: Fields): Column | null {
  if (latitude === null || longitude === null) return null;
  const known = schema.columns.find(({ name }) => name === locationField);
  const taken = new Set(schema.columns.filter((one) => one !== known).map(({ name }) => name.toLowerCase()));
  const name = known?.name ?? ["location", "coordinates", "place_on_map"].find((one) => !taken.has(one)) ?? `${latitude} and ${longitude}`;
  return {
    name,
    type: "STRING",
    description: known?.description ?? "Latitude and longitude.",
    combined: { type: "COORDINATES", fields: [latitude, longitude], joinedBy: ", " },
  };
}
