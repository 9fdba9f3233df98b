import { type Column, isNumeric } from "@fairway/contract/columns";
import type { LookupReport } from "@fairway/contract/lookups";
import type { CellValue } from "@fairway/contract/search";
import { cutText, valueText } from "#lib/text/cell-text.ts";
import type { LookupDraft } from "./lookup-draft.ts";
import classes from "./lookup.module.css";

interface Props {
  report: LookupReport;
  columns: readonly Column[];
  picked: LookupDraft["columns"];
  others: readonly Column[];
  zone: string;
}

const maxCharacters = 60;

/** The most frequent keys, and what is found for them. */
export function FoundRows({ report: { key, rows }, columns, picked, others, zone }: Props) {
  if (rows.length === 0) return null;
  const keys = key.flatMap(({ column }) => columns.find(({ name }) => name === column) ?? []);
  const found = picked.flatMap(({ from, name }) => {
    const column = others.find((other) => other.name === from);
    return column === undefined ? [] : [{ column, name }];
  });
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region is reached by the keyboard
    <div className={classes["rows"]} tabIndex={0} role="region" aria-label="Preview">
      <table>
        <thead>
          <tr>
            {keys.map((column) => (
              <th key={column.name} scope="col" className={alignment(column)}>
                {column.name}
              </th>
            ))}
            {found.map(({ column, name }) => (
              <th key={column.name} scope="col" className={`${classes["new"]} ${alignment(column)}`}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={JSON.stringify(row.key)}>
              {keys.map((column, at) => (
                <td key={column.name} className={alignment(column)}>
                  <Value column={column} value={row.key[at] ?? null} zone={zone} />
                </td>
              ))}
              {found.map(({ column }) => (
                <td key={column.name} className={`${classes["new"]} ${alignment(column)}`}>
                  <Value column={column} value={row.values?.[column.name] ?? null} zone={zone} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const alignment = ({ type }: Column): string => (isNumeric(type) ? (classes["number"] ?? "") : "");

function Value({ column, value, zone }: { column: Column; value: CellValue; zone: string }) {
  const text = valueText(column, value, zone);
  return text === null ? <span className={classes["empty"]}>no value</span> : cutText(text, maxCharacters).text;
}
