import {
  type DateOrder,
  type DecimalMark,
  type FileReading,
  type Reading,
  type ReadingChoices,
  type TextEncoding,
  textEncodings,
} from "@fairway/contract/readings";
import { NativeSelect } from "@mantine/core";
import { island } from "#ui/island.tsx";
import { encodingName, orderNames, zoneOptions } from "./reading-words.ts";

const SheetsField = island(async () => ({ default: (await import("./sheets-field.tsx")).SheetsField }));

export interface FileFieldProps {
  file: FileReading;
  /** Receives only what was changed. */
  onChange: (changed: ReadingChoices) => void;
}

interface ReadingFieldProps {
  reading: Reading;
  onChange: (changed: ReadingChoices) => void;
}

/** The encoding of a text file, or the sheet of a workbook. `read`: the sheets that are read as one; without it, only one can be chosen. */
export function EncodingField({ file: { encoding, sheet, sheets }, read, onChange }: FileFieldProps & { read?: readonly string[] }) {
  if (sheet === undefined)
    return (
      <NativeSelect
        label="Encoding"
        value={encoding}
        onChange={(event) => onChange({ encoding: event.currentTarget.value as TextEncoding })}
        data={textEncodings.map((one) => ({ value: one, label: encodingName(one) }))}
      />
    );
  const alike = (sheets ?? []).filter(({ isAlike, isHidden }) => isAlike === true && !isHidden).map(({ name }) => name);
  // No name of a sheet holds a slash.
  const several = read !== undefined && read.length > 1 && read.length < alike.length;
  const all = alike.length > 1 ? [{ value: "/", label: `All ${alike.length} sheets with these columns` }] : [];
  const some = several ? [{ value: "//", label: `${read.length} of ${alike.length} sheets with these columns` }] : [];
  const choose = (names: readonly string[]) => {
    const [only] = names;
    onChange(names.length > 1 ? { sheets: [...names], sheet: null, headerLine: null } : { sheet: only, sheets: null, headerLine: null });
  };
  return (
    <>
      <NativeSelect
        label="Sheet"
        value={several ? "//" : read !== undefined && read.length > 1 ? "/" : sheet}
        onChange={(event) => choose(event.currentTarget.value === "/" ? alike : [event.currentTarget.value])}
        data={[
          ...some,
          ...all,
          ...(sheets ?? []).map(({ name, isHidden }) => ({ value: name, label: isHidden ? `${name} (hidden)` : name })),
        ]}
      />
      {read !== undefined && alike.length > 2 && (
        <SheetsField key={read.join("/")} sheets={(sheets ?? []).filter(({ isAlike }) => isAlike === true)} read={read} onChange={choose} />
      )}
    </>
  );
}

/** Of JSON files with several lists of rows. */
export function PathField({ file: { path, paths, rows }, onChange }: FileFieldProps) {
  if (paths.length === 0) return null;
  return (
    <NativeSelect
      label="Where the rows are"
      value={path ?? ""}
      onChange={(event) => onChange({ path: event.currentTarget.value })}
      data={[
        { value: path ?? "", label: `${path === null || path === "" ? "the whole document" : path} (${rows})` },
        ...paths.filter((other) => other.path !== path).map((other) => ({ value: other.path, label: `${other.path} (${other.rows})` })),
      ]}
    />
  );
}

export function DateOrderField({ reading: { dateOrder }, onChange }: ReadingFieldProps) {
  if (dateOrder === null) return null;
  return (
    <NativeSelect
      label="Order of dates"
      value={dateOrder}
      onChange={(event) => onChange({ dateOrder: event.currentTarget.value as DateOrder })}
      data={Object.entries(orderNames).map(([value, label]) => ({ value, label }))}
    />
  );
}

export function DecimalMarkField({ reading: { decimalMark }, onChange }: ReadingFieldProps) {
  if (decimalMark === null) return null;
  return (
    <NativeSelect
      label="Decimal mark"
      value={decimalMark}
      onChange={(event) => onChange({ decimalMark: event.currentTarget.value as DecimalMark })}
      data={[
        { value: ".", label: "Point (1.5)" },
        { value: ",", label: "Comma (1,5)" },
      ]}
    />
  );
}

/** Of times without an offset. */
export function ZoneField({ reading: { zone, columns }, onChange }: ReadingFieldProps) {
  if (!columns.some((column) => column.zone !== null)) return null;
  return (
    <NativeSelect
      label="Zone of times without one"
      value={zone}
      onChange={(event) => onChange({ zone: event.currentTarget.value })}
      data={zoneOptions(zone)}
    />
  );
}
