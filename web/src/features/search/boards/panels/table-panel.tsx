import type { Column } from "@fairway/contract/columns";
import type { ResultRow } from "@fairway/contract/search";
import { alignsRight, cellText } from "#lib/cell-text.ts";
import { useResultZone } from "#lib/result-zone.ts";
import classes from "./panels.module.css";

interface Props {
  title: string;
  columns: readonly Column[];
  rows: readonly ResultRow[];
}

/** The first rows of a panel. */
export default function TablePanel({ title, columns, rows }: Props) {
  const zone = useResultZone();
  if (rows.length === 0) return <p className={classes["nothing"]}>No rows.</p>;
  return (
    // A scrolling region must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={classes["tableScroller"]} tabIndex={0} role="region" aria-label={`Rows of ${title}`}>
      <table className={classes["table"]}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.name} scope="col" data-number={alignsRight(column) || undefined}>
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- rows have no keys of their own
            <tr key={index}>
              {columns.map((column) => (
                <td key={column.name} data-number={alignsRight(column) || undefined}>
                  {cellText(column, row, zone) ?? ""}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
