import { type DateOrder, type DecimalMark, type FileReading, type TextEncoding, textEncodings } from "@fairway/contract/readings";
import { NativeSelect, NumberInput } from "@mantine/core";
import { delimiterOptions, encodingName, orderNames, withFields, zoneOptions } from "./reading-words.ts";
import type { ReadingReportProps } from "./reading-report-props.ts";
import classes from "./reading.module.css";

/** How the files are read, as fields. An empty choice lets the rules decide. */
export function ReadingSettings({ file, reading, choices, onChoices }: ReadingReportProps & { file: FileReading }) {
  const change = (changed: ReadingReportProps["choices"]) => onChoices(withFields(choices, changed));
  const hasTimes = reading.columns.some(({ zone }) => zone !== null);
  return (
    <details className={classes["settings"]}>
      <summary>Change how it is read</summary>
      <div>
        {file.sheet === undefined ? (
          <NativeSelect
            label="Encoding"
            value={file.encoding}
            onChange={(event) => change({ encoding: event.currentTarget.value as TextEncoding })}
            data={textEncodings.map((encoding) => ({ value: encoding, label: encodingName(encoding) }))}
          />
        ) : (
          <NativeSelect
            label="Sheet"
            value={file.sheet}
            onChange={(event) => change({ sheet: event.currentTarget.value, headerLine: null })}
            data={(file.sheets ?? []).map(({ name, isHidden }) => ({ value: name, label: isHidden ? `${name} (hidden)` : name }))}
          />
        )}
        {file.delimiter !== null && (
          <NativeSelect
            label="Delimiter"
            value={file.delimiter}
            onChange={(event) => change({ delimiter: event.currentTarget.value })}
            data={delimiterOptions(file.delimiter)}
          />
        )}
        {(file.delimiter !== null || file.sheet !== undefined) && (
          <NumberInput
            label={`${file.sheet === undefined ? "Line" : "Row"} of column names (0: none)`}
            min={0}
            max={1_000}
            allowDecimal={false}
            value={file.headerLine ?? 0}
            onChange={(value) => typeof value === "number" && value !== (file.headerLine ?? 0) && change({ headerLine: value })}
          />
        )}
        {file.paths.length > 0 && (
          <NativeSelect
            label="Where the rows are"
            value={file.path ?? ""}
            onChange={(event) => change({ path: event.currentTarget.value })}
            data={[
              {
                value: file.path ?? "",
                label: `${file.path === null || file.path === "" ? "the whole document" : file.path} (${file.rows})`,
              },
              ...file.paths.filter(({ path }) => path !== file.path).map(({ path, rows }) => ({ value: path, label: `${path} (${rows})` })),
            ]}
          />
        )}
        {reading.dateOrder !== null && (
          <NativeSelect
            label="Order of dates"
            value={reading.dateOrder}
            onChange={(event) => change({ dateOrder: event.currentTarget.value as DateOrder })}
            data={Object.entries(orderNames).map(([value, label]) => ({ value, label }))}
          />
        )}
        {reading.decimalMark !== null && (
          <NativeSelect
            label="Decimal mark"
            value={reading.decimalMark}
            onChange={(event) => change({ decimalMark: event.currentTarget.value as DecimalMark })}
            data={[
              { value: ".", label: "Point (1.5)" },
              { value: ",", label: "Comma (1,5)" },
            ]}
          />
        )}
        {hasTimes && (
          <NativeSelect
            label="Zone of times without one"
            value={reading.zone}
            onChange={(event) => change({ zone: event.currentTarget.value })}
            data={zoneOptions(reading.zone)}
          />
        )}
      </div>
    </details>
  );
}
