import type { Column } from "@fairway/contract/columns";
import type { DatasetDescription } from "@fairway/contract/datasets";
import type { ResultRow } from "@fairway/contract/search";
import { cellText } from "#lib/text/cell-text.ts";
import { useResultZone } from "#lib/time/result-zone.ts";
import { nameColumn } from "./row-text.ts";
import classes from "./rows.module.css";

interface Props {
  description: DatasetDescription;
  rows: readonly ResultRow[];
  /** The column whose values stand at the end of the lines. */
  column: Column | undefined;
}

/** Rows in one line each: name, time and value. */
export function RowLines({ description, rows, column }: Props) {
  const zone = useResultZone();
  const { schema, temporalField } = description;
  const name = nameColumn(description) ?? schema.columns.find((one) => one.combined === null && one.type === "STRING");
  const time = schema.columns.find((one) => one.name === temporalField);
  return (
    <ul className={classes["rows"]} data-valueless={column === undefined || undefined}>
      {rows.map((row, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- rows have no key of their own
        <li key={index}>
          <span title={name && (cellText(name, row) ?? undefined)}>{(name && cellText(name, row)) ?? ""}</span>
          <span>{(time && cellText(time, row, zone)) ?? ""}</span>
          {column && (
            <span>
              {cellText(column, row, zone) ?? ""}
              {column.unit !== undefined && cellText(column, row) !== null && <small> {column.unit}</small>}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
