import type { DataImport, SampledRow } from "@fairway/contract/imports";
import { isDay, isNumeric, isTimestamp } from "@fairway/contract/columns";
import { formatCount } from "@fairway/contract/counts";
import { type ReactNode, type Ref, useCallback, useImperativeHandle, useMemo, useState } from "react";
import { cellText } from "#lib/text/cell-text.ts";
import { IconCalendar } from "#ui/icons/calendar.ts";
import { IconClock } from "#ui/icons/clock.ts";
import { IconDecimal } from "#ui/icons/decimal.ts";
import { IconLetterCase } from "#ui/icons/letter-case.ts";
import { Icon123 } from "#ui/icons/number-123.ts";
import { IconToggleLeft } from "#ui/icons/toggle-left.ts";
import type { IconComponent } from "#ui/icons/icon.ts";
import { type Cell } from "#ui/kit/cells-rows.tsx";
import { type CellsHeader, CellsTable } from "#ui/kit/cells-table.tsx";
import { useCells } from "#ui/kit/use-cells.ts";
import { placeColumns } from "#ui/kit/use-virtual-cells.ts";
import { importColumns, type ImportColumn, lineColumn } from "./import-columns.ts";
import { kindText } from "./import-words.ts";
import classes from "./add-data.module.css";

export interface ImportRowsHandle {
  /** Takes the focus to the active cell or header. */
  focus: () => void;
  /** Goes to the next value that could not be read; false if the sample has none. */
  nextUnread: () => boolean;
}

interface Props {
  ref: Ref<ImportRowsHandle>;
  data: DataImport;
  /** Opens the choices of a column. */
  onColumn: (name: string) => void;
}

/** The first rows. Arrows move in the header, and Enter opens a column's choices. */
export function ImportRows({ ref, data, onColumn }: Props) {
  const { sample, reading } = data;
  const rows = sample?.rows ?? noRows;
  const [widths, setWidths] = useState<ReadonlyMap<string, number>>(new Map());
  const fitted = useMemo(() => importColumns({ sample, reading }), [sample, reading]);
  const placed = useMemo(
    () =>
      placeColumns(
        fitted.map((column) => ({ ...column, width: widths.get(column.id) ?? column.width })),
        12,
      ),
    [fitted, widths],
  );
  const cells = useCells<ImportColumn>({ columns: placed, count: rows.length, rowPx: 32, headPx: 81 });
  const { active, moveTo, reveal } = cells;
  const arranging = useMemo(
    () => ({
      move: () => undefined,
      drop: () => undefined,
      resize: (id: string, px: number | undefined) =>
        setWidths((before) => new Map([...before].filter(([one]) => one !== id).concat(px === undefined ? [] : [[id, clampPx(px)]]))),
    }),
    [],
  );
  useImperativeHandle(
    ref,
    () => ({
      focus: () => moveTo(active, { take: true }),
      nextUnread: () => {
        const next = nextUnread(
          rows,
          placed.map(({ id }) => id),
          active,
        );
        if (next === null) return false;
        reveal(next);
        moveTo(next, { take: true });
        return true;
      },
    }),
    [active, moveTo, reveal, rows, placed],
  );
  const asked = useMemo(
    () => new Set((reading?.questions ?? []).filter(({ isAnswered }) => !isAnswered).flatMap(({ columns }) => columns)),
    [reading],
  );
  const header = useCallback((column: ImportColumn) => headerOf(column, onColumn), [onColumn]);
  const cell = useCallback((one: Cell<SampledRow, ImportColumn>) => <ImportCell {...one} isAsked={asked.has(one.column.id)} />, [asked]);
  return (
    <CellsTable
      label="First rows"
      cells={cells}
      rows={rows}
      totalRows={rows.length}
      header={header}
      cell={cell}
      arranging={arranging}
      marked={noMarks}
      opened={null}
      found={null}
      onKey={() => false}
      onMoved={() => undefined}
      onPastEnd={undefined}
      onCellClick={() => undefined}
      scrolling={{}}
      tour="import"
    />
  );
}

const clampPx = (px: number): number => Math.min(600, Math.max(64, px));
const noRows: readonly SampledRow[] = [];
const noMarks: ReadonlySet<number> = new Set();

function headerOf({ id, column, reading, counts }: ImportColumn, onColumn: (name: string) => void): CellsHeader {
  if (column === null) return { label: <span className={classes["lineHead"]}>line</span> };
  const kind = reading === undefined ? "" : kindText(reading);
  const Icon = iconOf(column);
  return {
    label: (
      <span className={classes["head"]}>
        <span className={classes["headName"]}>
          <Icon size={14} aria-hidden />
          <span>{column.name}</span>
          {reading?.unit && <small>{reading.unit}</small>}
        </span>
        <span className={classes["headKind"]} data-state={reading?.state}>
          {kind}
        </span>
        <Spread counts={counts} />
      </span>
    ),
    hint: reading?.sentence,
    sort: () => onColumn(id),
  };
}

function iconOf(column: NonNullable<ImportColumn["column"]>): IconComponent {
  if (isDay(column)) return IconCalendar;
  if (isTimestamp(column.type)) return IconClock;
  if (column.type === "integer") return Icon123;
  if (isNumeric(column.type)) return IconDecimal;
  return column.type === "BOOLEAN" ? IconToggleLeft : IconLetterCase;
}

/** How the values of a column are spread, 20 pixels high. */
function Spread({ counts }: { counts: readonly number[] }) {
  const greatest = Math.max(1, ...counts);
  return (
    <span className={classes["spread"]} aria-hidden>
      {counts.map((count, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- bars have no other name
        <i key={index} style={{ height: count === 0 ? 1 : Math.max(2, Math.round((count / greatest) * 20)) }} />
      ))}
    </span>
  );
}

function ImportCell({ row, column: { id, column }, isAsked }: Cell<SampledRow, ImportColumn> & { isAsked: boolean }): ReactNode {
  if (column === null) return <span className={classes["lineNumber"]}>{typeof row.line === "number" ? formatCount(row.line) : ""}</span>;
  const unread = row.unreadable?.[id];
  if (unread !== undefined)
    return (
      <span className={classes["unreadCell"]} title={`'${unread}' could not be read; it is empty`}>
        {unread}
        <span className="visually-hidden"> could not be read</span>
      </span>
    );
  const text = cellText(column, row.values);
  if (text === null) return <span className={classes["emptyCell"]}>empty</span>;
  return isAsked ? <span className={classes["askedCell"]}>{text}</span> : text;
}

/** The next unread value behind a cell, row by row; the first one behind the last. */
function nextUnread(
  rows: readonly SampledRow[],
  ids: readonly string[],
  after: { row: number; column: string | null },
): { row: number; column: string } | null {
  const all = rows.flatMap(({ unreadable = {} }, index) =>
    ids.filter((id) => id !== lineColumn && Object.hasOwn(unreadable, id)).map((column) => ({ row: index + 1, column })),
  );
  const start = ids.indexOf(after.column ?? "");
  const isBehind = ({ row, column }: { row: number; column: string }) =>
    row > after.row || (row === after.row && ids.indexOf(column) > start);
  return all.find(isBehind) ?? all[0] ?? null;
}
