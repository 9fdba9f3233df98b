import { type Column, isNumeric } from "@fairway/contract/columns";
import type { CellValue } from "@fairway/contract/search";
import type { ResultColumn } from "@fairway/expressions/tree";
import { cutText, valueText } from "#lib/text/cell-text.ts";
import type { Preview } from "./formula-preview.ts";
import classes from "./formula.module.css";

type Typed = Pick<Column, "name" | "type" | "day">;

const maxCharacters = 100;

/** Some rows with the columns that the formula uses, and its result beside them. */
export function PreviewTable({ preview, result, name, zone }: { preview: Preview; result: ResultColumn; name: string; zone: string }) {
  const own: Typed = { name: name.trim() === "" ? "result" : name, ...result };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region is reached by the keyboard
    <div className={classes["preview"]} tabIndex={0} role="region" aria-label="Preview">
      <table>
        <thead>
          <tr>
            {preview.inputs.map((column) => (
              <th key={column.name} scope="col" className={alignment(column)}>
                {column.name}
              </th>
            ))}
            <th scope="col" className={alignment(own)}>
              {own.name}
            </th>
          </tr>
        </thead>
        <tbody>
          {preview.rows.map(({ index, row, value }) => (
            <tr key={index}>
              {preview.inputs.map((column) => (
                <Cell key={column.name} column={column} value={row[column.name] ?? null} zone={zone} />
              ))}
              <Cell column={own} value={value} zone={zone} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const alignment = ({ type }: Typed): string | undefined => (isNumeric(type) ? classes["number"] : undefined);

function Cell({ column, value, zone }: { column: Typed; value: CellValue; zone: string }) {
  const text = valueText(column, value, zone);
  return (
    <td className={alignment(column)}>
      {text === null ? <span className={classes["empty"]}>no value</span> : cutText(text, maxCharacters).text}
    </td>
  );
}
