import { IconArrowDown } from "#ui/icons/arrow-down.ts";
import { IconArrowUp } from "#ui/icons/arrow-up.ts";
import { type KeyboardEvent, useCallback, useEffect, useMemo, useState } from "react";
import { useFindMatches } from "#lib/text/use-find-matches.ts";
import { forEachYielding } from "#lib/pacing/yielding-loop.ts";
import { resizedBy } from "#ui/kit/use-cells.ts";
import { ColumnEdge } from "#ui/kit/column-edge.tsx";
import { type Placed, placeColumns, useVirtualCells } from "#ui/kit/use-virtual-cells.ts";
import { Highlighted } from "#ui/highlighted.tsx";
import { sortedRows, type TableData } from "./table-data.ts";
import { maxMatches, useFind } from "#lib/text/use-find.ts";
import { ViewFrame } from "./view-frame.tsx";
import classes from "./file-preview.module.css";

interface TableViewProps {
  table: TableData;
  /** How many rows and columns there are. */
  summary: string;
  /** Omitted parts, and the reason. */
  note?: string | undefined;
}

const rowHeightPx = 32;
/** Of the first column of the file, after that of the numbers of rows. */
const firstIndex = 2;
const minWidthPx = 48;
const maxWidthPx = 1_200;

/** A table of texts: virtual in both directions, sorted by the heads of its columns, which can be resized, and searched. */
export function TableView({ table, summary, note }: TableViewProps) {
  const { columns, rows } = table;
  const [sort, setSort] = useState<{ column: number; isDescending: boolean } | null>(null);
  const order = useMemo(() => (sort ? sortedRows(table, sort.column, sort.isDescending) : [...rows.keys()]), [table, rows, sort]);
  const fitting = useMemo(() => columns.map((_, column) => fittingWidth(table, column)), [table, columns]);
  const [resized, setResized] = useState<Readonly<Record<number, number>>>({});
  // Rows are named by their numbers, which stay in view.
  const placed = useMemo(
    () =>
      placeColumns([
        { id: "row", width: 32 + String(rows.length).length * 8, isPinned: true },
        ...columns.map((_, column) => ({ id: String(column), width: resized[column] ?? fitting[column] ?? 80 })),
      ]),
    [columns, rows, fitting, resized],
  );
  const { scroller, down, across, shown, headPx, totalPx } = useVirtualCells({
    columns: placed,
    count: rows.length,
    rowPx: rowHeightPx,
    headPx: rowHeightPx,
    overscan: { rows: 9, columns: 3 },
  });
  const find = useFind();
  const search = useCallback(
    async (pattern: RegExp, signal: AbortSignal) => {
      const found: { at: number; column: number }[] = [];
      const isDone = await forEachYielding(
        order.length,
        (at) => {
          const row = rows[order[at] ?? 0] ?? [];
          for (let column = 0; column < row.length && found.length < maxMatches; column += 1)
            if ((row[column] ?? "").search(pattern) >= 0) found.push({ at, column });
        },
        signal,
      );
      return isDone ? found : null;
    },
    [rows, order],
  );
  const match = useFindMatches(find.pattern, search, find.onFound)[find.current];
  useEffect(() => {
    if (!match) return;
    down.scrollToIndex(match.at, { align: "center" });
    across.scrollToIndex(match.column, { align: "auto" });
  }, [match, down, across]);

  const sortBy = (column: number) =>
    setSort(sort?.column !== column ? { column, isDescending: false } : sort.isDescending ? null : { column, isDescending: true });
  const resize = (column: number, px: number | undefined) =>
    setResized((current) => {
      const { [column]: _, ...others } = current;
      return px === undefined ? others : { ...others, [column]: Math.min(maxWidthPx, Math.max(minWidthPx, px)) };
    });
  const onHeaderKey = (event: KeyboardEvent, column: number, widthPx: number) => {
    const by = resizedBy(event);
    if (by === undefined) return;
    event.preventDefault();
    resize(column, widthPx + by);
  };

  const [numbers, ...inView] = shown;
  const placeOf = (column: Placed<{ id: string }>) => ({ left: column.left, width: column.fullWidth });
  return (
    <ViewFrame summary={summary} note={note} find={find}>
      <div
        ref={scroller}
        className={classes["table"]}
        role="table"
        aria-label="Rows"
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length + 1}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keys
        tabIndex={0}
      >
        <div role="rowgroup" className={classes["header"]} style={{ width: totalPx }}>
          <div role="row" aria-rowindex={1}>
            <span role="columnheader" aria-colindex={1} className={classes["number"]} style={{ width: numbers?.fullWidth }}>
              <span className={classes["hidden"]}>Row</span>
            </span>
            {inView.map((column) => {
              const index = column.index - firstIndex;
              const direction = sort?.column === index ? (sort.isDescending ? "descending" : "ascending") : undefined;
              const { name = "", type, isNumeric } = columns[index] ?? {};
              return (
                <span
                  key={index}
                  role="columnheader"
                  aria-colindex={column.index}
                  aria-sort={direction}
                  data-numeric={isNumeric || undefined}
                  style={placeOf(column)}
                >
                  <button
                    type="button"
                    title={name}
                    onClick={() => sortBy(index)}
                    onKeyDown={(event) => onHeaderKey(event, index, column.width)}
                  >
                    <span>{name || `Column ${index + 1}`}</span>
                    {type !== undefined && <small>{type}</small>}
                    {direction === "ascending" && <IconArrowUp size={12} aria-hidden />}
                    {direction === "descending" && <IconArrowDown size={12} aria-hidden />}
                  </button>
                  <ColumnEdge widthPx={column.width} onResize={(px) => resize(index, px)} />
                </span>
              );
            })}
          </div>
        </div>
        <div role="rowgroup" className={classes["rows"]} style={{ height: down.getTotalSize(), width: totalPx }}>
          {down.getVirtualItems().map((item) => {
            const row = order[item.index] ?? 0;
            return (
              <div key={item.key} role="row" aria-rowindex={item.index + 2} style={{ transform: `translateY(${item.start - headPx}px)` }}>
                <span role="rowheader" aria-colindex={1} className={classes["number"]} style={{ width: numbers?.fullWidth }}>
                  {(row + 1).toLocaleString("en-US")}
                </span>
                {inView.map((column) => {
                  const index = column.index - firstIndex;
                  const text = rows[row]?.[index] ?? "";
                  return (
                    <span
                      key={index}
                      role="cell"
                      aria-colindex={column.index}
                      data-numeric={columns[index]?.isNumeric || undefined}
                      data-current={(match?.at === item.index && match.column === index) || undefined}
                      title={text}
                      style={placeOf(column)}
                    >
                      <Highlighted text={text} find={find.pattern} />
                    </span>
                  );
                })}
              </div>
            );
          })}
        </div>
      </div>
    </ViewFrame>
  );
}

/** Fits the name and the first rows. */
function fittingWidth({ columns, rows }: TableData, column: number): number {
  const { name = "", type = "" } = columns[column] ?? {};
  const head = name.length + (type === "" ? 0 : type.length + 1) + 2;
  const longest = rows.slice(0, 100).reduce((max, row) => Math.max(max, row[column]?.length ?? 0), head);
  return Math.min(360, Math.max(64, 20 + longest * 8));
}
