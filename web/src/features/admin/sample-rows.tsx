import type { Column } from "@fairway/contract/columns";
import type { ResultRow } from "@fairway/contract/search";
import { cellText } from "#lib/cell-text.ts";
import classes from "./new-from-data.module.css";

/** The first rows of data, as a dataset with these columns shows them. */
export function SampleRows({ columns, rows }: { columns: readonly Column[]; rows: readonly Record<string, unknown>[] }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by keyboard
    <div className={classes["sample"]} tabIndex={0} role="region" aria-label="Sample">
      <table>
        <thead>
          <tr>
            {columns.map(({ name, type, combined }) => (
              <th key={name} scope="col">
                {name} <span>{combined?.type ?? type}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, 10).map((row, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- sample rows have no other key
            <tr key={index}>
              {columns.map((column) => (
                <td key={column.name}>{cellText(column, row as ResultRow)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
