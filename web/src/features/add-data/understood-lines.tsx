import { formatCount } from "@fairway/contract/counts";
import type { DataImport, ImportChoices } from "@fairway/contract/imports";
import type { Reading } from "@fairway/contract/readings";
import { NativeSelect } from "@mantine/core";
import { type ReactNode, useId, useState } from "react";
import { DateOrderField, DecimalMarkField, DelimiterFields, EncodingField, PathField, ZoneField } from "#parts/reading/reading-fields.tsx";
import { delimiterOptions, encodingName } from "#parts/reading/reading-words.ts";
import { IconCalendar } from "#ui/icons/calendar.ts";
import { IconChevronRight } from "#ui/icons/chevron-right.ts";
import { IconClock } from "#ui/icons/clock.ts";
import { IconDecimal } from "#ui/icons/decimal.ts";
import { IconFile } from "#ui/icons/file.ts";
import type { IconComponent } from "#ui/icons/icon.ts";
import { IconId } from "#ui/icons/id.ts";
import { IconMapPin } from "#ui/icons/map-pin.ts";
import { IconTable } from "#ui/icons/table.ts";
import { choicesOf } from "./import-choices.ts";
import { capitalized } from "./import-words.ts";
import type { ImportFields } from "./use-import.ts";
import classes from "./add-data.module.css";

interface Props {
  data: DataImport;
  reading: Reading;
  fields: ImportFields;
  onFields: (changed: Partial<ImportFields>) => void;
  onChoose: (choices: ImportChoices) => void;
}

/** The reading as short lines that open their choices. */
export function UnderstoodLines({ data, reading, fields, onFields, onChoose }: Props) {
  const [file] = reading.files;
  const change = (changed: Parameters<typeof choicesOf>[0]) => onChoose(choicesOf(changed));
  const hasZones = reading.columns.some(({ zone }) => zone !== null);
  const times = reading.columns.filter(({ type }) => type === "TIMESTAMP_SECONDS" || type === "TIMESTAMP_MILLS");
  return (
    <ul>
      {file && (
        <Line
          icon={IconFile}
          title={file.sheet === undefined ? encodingName(file.encoding) : `Sheet ${file.sheet}`}
          note={file.sheet === undefined ? encodingNotes[file.encodingState] : ""}
        >
          <EncodingField file={file} onChange={change} />
        </Line>
      )}
      {file && (file.delimiter !== null || file.sheet !== undefined) && (
        <Line
          icon={IconTable}
          title={tableText(file.delimiter, file.headerLine)}
          note={file.skipLines > 0 ? skippedText(file.skipLines) : ""}
        >
          <DelimiterFields file={file} onChange={change} />
        </Line>
      )}
      {file && file.paths.length > 0 && (
        <Line icon={IconTable} title={file.path === null || file.path === "" ? "The whole document" : `Rows in ${file.path}`}>
          <PathField file={file} onChange={change} />
        </Line>
      )}
      {reading.decimalMark !== null && (
        <Line
          icon={IconDecimal}
          title={reading.decimalMark === "," ? "Decimal comma" : "Decimal point"}
          note={answeredNote(reading, "decimalMark")}
        >
          <DecimalMarkField reading={reading} onChange={change} />
        </Line>
      )}
      {reading.dateOrder !== null && (
        <Line
          icon={IconCalendar}
          title={reading.dateOrder === "day-first" ? "Day first" : "Month first"}
          note={answeredNote(reading, "dateOrder")}
        >
          <DateOrderField reading={reading} onChange={change} />
        </Line>
      )}
      {hasZones ? (
        <Line icon={IconClock} title={`Times without a zone: ${reading.zone}`}>
          <ZoneField reading={reading} onChange={change} />
        </Line>
      ) : (
        times.length > 0 &&
        times.every(({ day }) => day) && <Note icon={IconClock} title="No time zone needed" note="Days only, no time of day" />
      )}
      {data.fields !== null && data.into === null && <FieldLines data={data} fields={fields} onFields={onFields} />}
    </ul>
  );
}

/** Which columns are the time, the position and the item. */
export function FieldLines({ data, fields, onFields }: Pick<Props, "data" | "fields" | "onFields">) {
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
      <Line icon={IconClock} title={temporalField === null ? "No time" : `Time: ${temporalField}`}>
        {select(
          "temporalField",
          "Column with the time",
          named((type) => type.startsWith("TIMESTAMP")),
        )}
      </Line>
      <Line
        icon={IconId}
        title={itemField === null ? "No item" : `Item: ${itemField}`}
        note={itemField === null ? "" : `One map item per ${itemField}`}
      >
        {select(
          "itemField",
          "Column that names the item",
          named(() => true),
        )}
      </Line>
    </>
  );
}

interface LineProps {
  icon: IconComponent;
  title: string;
  note?: string;
}

/** A line that opens its choices below it. */
function Line({ icon: Icon, title, note = "", children }: LineProps & { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <li>
      <button type="button" className={classes["line"]} aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        <Icon size={16} aria-hidden />
        <span>
          <b>{title}</b>
          {note !== "" && <small>{note}</small>}
        </span>
        <IconChevronRight size={14} aria-hidden />
      </button>
      <div id={id} className={classes["lineChoices"]} hidden={!isOpen}>
        {isOpen && children}
      </div>
    </li>
  );
}

/** A line without choices. */
const Note = ({ icon: Icon, title, note }: Required<LineProps>) => (
  <li className={classes["line"]}>
    <Icon size={16} aria-hidden />
    <span>
      <b>{title}</b>
      <small>{note}</small>
    </span>
  </li>
);

const encodingNotes = { sure: "", assumed: "Assumed: other encodings fit, too", mixed: "Some lines do not fit" } as const;

function tableText(delimiter: string | null, headerLine: number | null): string {
  if (delimiter === null) return headerLine === null ? "No column names" : `Names in row ${formatCount(headerLine)}`;
  const name = delimiterOptions(delimiter).find(({ value }) => value === delimiter)?.label ?? delimiter;
  return `${capitalized(name)}, ${headerLine === null ? "no column names" : `names in line ${formatCount(headerLine)}`}`;
}

const skippedText = (lines: number): string => (lines === 1 ? "1 line above is no data" : `${formatCount(lines)} lines above are no data`);

/** Whether a person answered, or the file proves it. */
function answeredNote({ questions }: Reading, name: string): string {
  const asked = questions.find(({ question }) => question === name);
  if (asked === undefined) return "";
  return asked.isAnswered ? "As you answered" : "Not answered yet";
}
