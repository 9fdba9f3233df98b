import { ownValue } from "@fairway/contract/records";
import { formatCount, pluralize } from "@fairway/contract/counts";
import type { ColumnReading, ReadingState } from "@fairway/contract/readings";
import { Button, NativeSelect } from "@mantine/core";
import { useState } from "react";
import type { ReadingReportProps } from "./reading-report-props.ts";
import { typeNames, wayKey, wayOfKey, zoneOptions } from "./reading-words.ts";
import classes from "./reading.module.css";

interface Props extends Pick<ReadingReportProps, "choices" | "onChoices"> {
  columns: readonly ColumnReading[];
}

/** More follow on demand, as each row has a field. */
const shownAtFirst = 100;

const stateNames: Readonly<Record<ReadingState, string>> = { sure: "Sure", assumed: "Assumed", mixed: "Some do not fit" };

/** Each column: how it is read, how sure that is, and what could not be read. */
export function ReadingColumns({ columns, choices, onChoices }: Props) {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? columns : columns.slice(0, shownAtFirst);
  const choose = (name: string, chosen: Partial<ReturnType<typeof wayOfKey>> & { zone?: string }) =>
    onChoices({ ...choices, columns: { ...choices.columns, [name]: { ...ownValue(choices.columns ?? {}, name), ...chosen } } });
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by keyboard */}
      <div className={classes["columns"]} tabIndex={0} role="region" aria-label="Columns">
        <table>
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">Read as</th>
              <th scope="col">How sure</th>
              <th scope="col">Values</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((column) => (
              <tr key={column.name}>
                <th scope="row">
                  {column.name}
                  {column.unit !== null && <span> {column.unit}</span>}
                </th>
                <td>
                  <Way column={column} onChoose={(key) => choose(column.name, wayOfKey(key))} />
                </td>
                <td data-state={column.state}>
                  <strong>{stateNames[column.state]}</strong>
                  <p>{column.sentence}</p>
                  {column.zone !== null && (
                    <ColumnZone name={column.name} zone={column.zone} onZone={(zone) => choose(column.name, { zone })} />
                  )}
                </td>
                <td>
                  <Values column={column} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {!isWhole && columns.length > shownAtFirst && (
        <Button variant="default" onClick={() => setIsWhole(true)}>
          {`Show all ${formatCount(columns.length)} columns`}
        </Button>
      )}
    </>
  );
}

/** How a column is read, to be changed where another way fits its values. */
function Way({ column, onChoose }: { column: ColumnReading; onChoose: (key: string) => void }) {
  const own = { value: wayKey(column), label: column.label ?? typeNames[column.type] };
  const others = column.also
    .filter((way) => wayKey(way) !== own.value)
    .map((way) => ({
      value: wayKey(way),
      label: way.unreadable > 0 ? `${way.label} (${pluralize(way.unreadable, "value")} not read)` : way.label,
    }));
  if (others.length === 0) return own.label;
  return (
    <NativeSelect
      aria-label={`Read ${column.name} as`}
      value={own.value}
      onChange={(event) => onChoose(event.currentTarget.value)}
      data={[own, ...others]}
    />
  );
}

/** The zone of times that name none, to be changed where it is shown. */
function ColumnZone({ name, zone, onZone }: { name: string; zone: string; onZone: (zone: string) => void }) {
  // Every list has hundreds of zones, and a source may have many columns.
  const [isOpen, setIsOpen] = useState(false);
  if (!isOpen)
    return (
      <button type="button" className={classes["link"]} aria-label={`Change the zone of ${name}`} onClick={() => setIsOpen(true)}>
        Change the zone
      </button>
    );
  return (
    <NativeSelect
      aria-label={`Zone of ${name}`}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- it takes the place of the button that was pressed
      autoFocus
      value={zone}
      onChange={(event) => onZone(event.currentTarget.value)}
      data={zoneOptions(zone)}
    />
  );
}

function Values({ column: { filled, empty, unreadable } }: { column: ColumnReading }) {
  return (
    <>
      {filled === 0 ? "No values" : pluralize(filled, "value")}
      {empty > 0 && filled > 0 && `, ${formatCount(empty)} empty`}
      {unreadable.count > 0 && (
        <details>
          <summary>{`${formatCount(unreadable.count)} not read`}</summary>
          <ul>
            {unreadable.first.map(({ file, line, text, reason }) => (
              <li key={`${file} ${line} ${text}`}>
                {`${file === undefined ? "" : `${file}, `}${line === null ? "" : `line ${formatCount(line)}: `}`}
                <code>{text}</code>
                {reason !== undefined && ` (${reason})`}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
