import type { ColumnType } from "@fairway/contract/columns";
import { formatCount, pluralize } from "@fairway/contract/counts";
import type { Reading } from "@fairway/contract/readings";
import classes from "./add-data.module.css";

interface Props {
  reading: Reading;
  /** Null shows all of them. */
  onShow: (column: string | null) => void;
}

/** Values that could not be read by column, then lines by file, each with its first text. */
export function UnreadList({ reading, onShow }: Props) {
  const columns = reading.columns.filter(({ unreadable }) => unreadable.count > 0);
  const files = reading.files.filter(({ unreadable }) => unreadable.count > 0);
  if (columns.length === 0 && files.length === 0) return null;
  return (
    <section aria-label="Could not be read" className={classes["section"]}>
      <h2>Could not be read</h2>
      <ul className={classes["unread"]}>
        {columns.slice(0, 20).map(({ name, type, day, unreadable: { count, first } }) => (
          <li key={name}>
            {`${pluralize(count, "value")} of `}
            <b>{name}</b>
            {` ${count === 1 ? "is" : "are"} not ${kindOf(type, day, count)}${firstText(first)}; ${count === 1 ? "it is" : "they are"} empty. `}
            <button type="button" className={classes["link"]} aria-label={`Show the unread values of ${name}`} onClick={() => onShow(name)}>
              Show
            </button>
          </li>
        ))}
        {columns.length > 20 && <li>{`and ${formatCount(columns.length - 20)} columns more`}</li>}
        {files.map(({ file, unreadable: { count, first } }) => (
          <li key={file}>
            {`${pluralize(count, "line")}${reading.fileCount > 1 ? ` of ${file}` : ""} ${count === 1 ? "is" : "are"} left out${firstText(first)}. `}
            <button type="button" className={classes["link"]} aria-label={`Show the unread lines of ${file}`} onClick={() => onShow(null)}>
              Show
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** `a whole number`, `whole numbers`, `true or false`. */
function kindOf(type: ColumnType, day: boolean, count: number): string {
  const name = day ? "day" : nouns[type];
  if (name === null) return "true or false";
  return count === 1 ? `a ${name}` : `${name}s`;
}

const nouns: Readonly<Record<ColumnType, string | null>> = {
  STRING: "text",
  integer: "whole number",
  decimal: "number",
  BOOLEAN: null,
  TIMESTAMP_SECONDS: "time",
  TIMESTAMP_MILLS: "time",
};

/** ` (line 9: 7?)`. */
function firstText([first]: Reading["columns"][number]["unreadable"]["first"]): string {
  if (first === undefined) return "";
  const { line, text, reason } = first;
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return ` (${line === null ? "" : `line ${formatCount(line)}: `}${reason === undefined ? shown : `${reason}: ${shown}`})`;
}
