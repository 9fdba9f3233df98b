import { ownValue } from "@fairway/contract/records";
import { formatCount, pluralize } from "@fairway/contract/counts";
import type { ColumnReading, ReadingState } from "@fairway/contract/readings";
import { Button, NativeSelect } from "@mantine/core";
import { useState } from "react";
import { DataTable, type TableColumn } from "#ui/kit/data-table.tsx";
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
  const choose: Choose = (name, chosen) =>
    onChoices({ ...choices, columns: { ...choices.columns, [name]: { ...ownValue(choices.columns ?? {}, name), ...chosen } } });
  return (
    <>
      <DataTable
        columns={columnsOf(choose)}
        rows={shown}
        rowKey={({ name }) => name}
        scroll={{ role: "region", label: "Columns", className: classes["columns"] }}
        head="panel"
      />
      {!isWhole && columns.length > shownAtFirst && (
        <Button variant="default" onClick={() => setIsWhole(true)}>
          {`Show all ${formatCount(columns.length)} columns`}
        </Button>
      )}
    </>
  );
}

type Choose = (name: string, chosen: Partial<ReturnType<typeof wayOfKey>> & { zone?: string }) => void;

const columnsOf = (choose: Choose): TableColumn<ColumnReading>[] => [
  {
    id: "column",
    header: "Column",
    isRowHeader: true,
    cell: ({ name, unit }) => (
      <>
        {name}
        {unit !== null && <span> {unit}</span>}
      </>
    ),
  },
  {
    id: "way",
    header: "Read as",
    cell: (column) => <Way column={column} onChoose={(key) => choose(column.name, wayOfKey(key))} />,
  },
  {
    id: "state",
    header: "How sure",
    cell: ({ name, state, sentence, zone }) => (
      <>
        <strong data-state={state}>{stateNames[state]}</strong>
        <p>{sentence}</p>
        {zone !== null && <ColumnZone name={name} zone={zone} onZone={(chosen) => choose(name, { zone: chosen })} />}
      </>
    ),
  },
  { id: "values", header: "Values", cell: (column) => <Values column={column} /> },
];

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
