import { NativeSelect, NumberInput } from "@mantine/core";
import type { FileFieldProps } from "./reading-fields.tsx";
import { delimiterOptions } from "./reading-words.ts";

/** The delimiter of a CSV file, and the line of its names or the row of those of a sheet. */
export function DelimiterFields({ file: { delimiter, sheet, headerLine }, onChange }: FileFieldProps) {
  if (delimiter === null && sheet === undefined) return null;
  return (
    <>
      {delimiter !== null && (
        <NativeSelect
          label="Delimiter"
          value={delimiter}
          onChange={(event) => onChange({ delimiter: event.currentTarget.value })}
          data={delimiterOptions(delimiter)}
        />
      )}
      <NumberInput
        label={`${sheet === undefined ? "Line" : "Row"} of column names (0: none)`}
        min={0}
        max={1_000}
        allowDecimal={false}
        value={headerLine ?? 0}
        onChange={(value) => typeof value === "number" && value !== (headerLine ?? 0) && onChange({ headerLine: value })}
      />
    </>
  );
}
