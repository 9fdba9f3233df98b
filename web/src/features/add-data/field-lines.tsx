import type { DataImport } from "@fairway/contract/imports";
import { NativeSelect } from "@mantine/core";
import { IconClock } from "#ui/icons/clock.ts";
import { IconId } from "#ui/icons/id.ts";
import { IconMapPin } from "#ui/icons/map-pin.ts";
import { Line } from "./line.tsx";
import type { ImportFields } from "./use-import.ts";

interface Props {
  data: DataImport;
  fields: ImportFields;
  onFields: (changed: Partial<ImportFields>) => void;
}

/** Which columns are the time, the position and the item. */
export function FieldLines({ data, fields, onFields }: Props) {
  const columns = data.sample?.columns ?? [];
  const named = (fits: (type: string) => boolean) => [
    { value: "", label: "None" },
    ...columns.filter(({ type }) => fits(type)).map(({ name }) => ({ value: name, label: name })),
  ];
  const numbers = named((type) => type === "decimal" || type === "integer");
  const select = (field: keyof ImportFields, label: string, options: { value: string; label: string }[]) => (
    <NativeSelect
      label={label}
      value={fields[field] ?? ""}
      data={options}
      onChange={(event) => onFields({ [field]: event.currentTarget.value === "" ? null : event.currentTarget.value })}
    />
  );
  const { latitude, longitude, temporalField, itemField } = fields;
  const isPlaced = latitude !== null && longitude !== null;
  const mapNote = temporalField === null ? "" : `One map item per ${itemField}`;
  const itemNote = itemField === null ? "Shown as a table; a map needs an item, such as a name" : mapNote;
  return (
    <>
      <Line
        icon={IconMapPin}
        title={isPlaced ? "Location" : "No location"}
        note={isPlaced ? `From ${latitude} and ${longitude}` : "Shown as a table"}
      >
        {select("latitude", "Latitude", numbers)}
        {select("longitude", "Longitude", numbers)}
      </Line>
      <Line
        icon={IconClock}
        title={temporalField === null ? "No time" : `Time: ${temporalField}`}
        note={isPlaced && temporalField === null ? "Shown as a table; a map needs a time" : ""}
      >
        {select(
          "temporalField",
          "Column with the time",
          named((type) => type.startsWith("TIMESTAMP")),
        )}
      </Line>
      <Line icon={IconId} title={itemField === null ? "No item" : `Item: ${itemField}`} note={isPlaced ? itemNote : ""}>
        {select(
          "itemField",
          "Column that names the item",
          named(() => true),
        )}
      </Line>
    </>
  );
}
