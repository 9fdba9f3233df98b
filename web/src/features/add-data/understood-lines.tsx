import { formatCount } from "@fairway/contract/counts";
import type { DataImport, ImportChoices } from "@fairway/contract/imports";
import type { Reading } from "@fairway/contract/readings";
import { DateOrderField, DecimalMarkField, EncodingField, PathField, ZoneField } from "#parts/reading/reading-fields.tsx";
import { delimiterOptions, encodingName } from "#parts/reading/reading-words.ts";
import { IconBan } from "#ui/icons/ban.ts";
import { IconCalendar } from "#ui/icons/calendar.ts";
import { IconClock } from "#ui/icons/clock.ts";
import { IconDecimal } from "#ui/icons/decimal.ts";
import { IconFile } from "#ui/icons/file.ts";
import { IconTable } from "#ui/icons/table.ts";
import { island } from "#ui/island.tsx";
import { ArchiveLines } from "./archive-lines.tsx";
import { FieldLines } from "./field-lines.tsx";
import { choicesOf } from "./import-choices.ts";
import { capitalized } from "./import-words.ts";
import { Line, Note } from "./line.tsx";
import type { ImportFields } from "./use-import.ts";

const DelimiterFields = island(async () => ({ default: (await import("#parts/reading/delimiter-fields.tsx")).DelimiterFields }));
const MissingWordsField = island(async () => ({ default: (await import("#parts/reading/missing-words-field.tsx")).MissingWordsField }));

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
  // Sheets of one workbook that are read as one.
  const sheets = reading.files.flatMap((one) => (one.file === file?.file && one.sheet !== undefined ? [one.sheet] : []));
  const hasZones = reading.columns.some(({ zone }) => zone !== null);
  const times = reading.columns.filter(({ type }) => type === "TIMESTAMP_SECONDS" || type === "TIMESTAMP_MILLS");
  return (
    <ul>
      <ArchiveLines data={data} onChoose={onChoose} />
      {file && (
        <Line
          icon={IconFile}
          title={file.sheet === undefined ? encodingName(file.encoding) : sheetText(sheets)}
          note={file.sheet === undefined ? encodingNotes[file.encodingState] : ""}
        >
          <EncodingField key={sheets.join("/")} file={file} read={sheets} onChange={change} />
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
          title={hasBothMarks(reading) ? "Decimal point and comma" : reading.decimalMark === "," ? "Decimal comma" : "Decimal point"}
          note={hasBothMarks(reading) ? "Each column in its own way" : answeredNote(reading, "decimalMark")}
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
      {reading.missingWords !== undefined && (
        <Line
          icon={IconBan}
          title="Words for no value"
          note={
            reading.missingWords.length === 0
              ? "None"
              : `${reading.missingWords.slice(0, 4).join(", ")}${reading.missingWords.length > 4 ? " …" : ""}`
          }
        >
          <MissingWordsField
            key={reading.missingWords.join("\n")}
            words={reading.missingWords}
            onChange={(words) => change({ missingWords: words })}
          />
        </Line>
      )}
      {data.fields !== null && data.into === null && <FieldLines data={data} fields={fields} onFields={onFields} />}
    </ul>
  );
}

const sheetText = (sheets: readonly string[]): string =>
  sheets.length === 2
    ? `Sheets ${sheets.join(" and ")}`
    : sheets.length > 1
      ? `Sheets ${sheets[0]} to ${sheets.at(-1)}`
      : `Sheet ${sheets[0] ?? ""}`;

/** Whether some columns have decimal points and others decimal commas. */
const hasBothMarks = ({ columns }: Reading): boolean =>
  [",", "."].every((mark) => columns.some(({ type, format }) => type === "decimal" && format === mark));

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
