import { IconArrowDown } from "#ui/icons/arrow-down.ts";
import { IconArrowUp } from "#ui/icons/arrow-up.ts";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useFindMatches } from "#lib/text/use-find-matches.ts";
import { forEachYielding } from "#lib/pacing/yielding-loop.ts";
import { resizedBy } from "#ui/kit/use-cells.ts";
import { ColumnEdge } from "#ui/kit/column-edge.tsx";
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
const minWidthPx = 48;
const maxWidthPx = 1_200;

/** A table of texts: virtual in both directions, sorted by the heads of its columns, which can be resized, and searched. */
export function TableView({ table, summary, note }: TableViewProps) {
  const { columns, rows } = table;
  const [sort, setSort] = useState<{ column: number; isDescending: boolean } | null>(null);
  const order = useMemo(() => (sort ? sortedRows(table, sort.column, sort.isDescending) : [...rows.keys()]), [table, rows, sort]);
  const fitting = useMemo(() => columns.map((_, column) => fittingWidth(table, column)), [table, columns]);
  const [resized, setResized] = useState<Readonly<Record<number, number>>>({});
  const widthOf = (column: number) => resized[column] ?? fitting[column] ?? 80;
  const numbersWidth = 32 + String(rows.length).length * 8;
  const find = useFind();
  const scroller = useRef<HTMLDivElement>(null);
  const down = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx,
    overscan: 8,
    scrollPaddingStart: rowHeightPx,
  });
  const across = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => scroller.current,
    estimateSize: widthOf,
    overscan: 2,
    scrollPaddingStart: numbersWidth,
    scrollPaddingEnd: 24,
  });
  useLayoutEffect(() => across.measure(), [across, resized]);
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
  const onHeaderKey = (event: KeyboardEvent, column: number) => {
    const by = resizedBy(event);
    if (by === undefined) return;
    event.preventDefault();
    resize(column, widthOf(column) + by);
  };

  const shown = across.getVirtualItems();
  const width = numbersWidth + across.getTotalSize();
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
        <div role="rowgroup" className={classes["header"]} style={{ width }}>
          <div role="row" aria-rowindex={1}>
            <span role="columnheader" aria-colindex={1} className={classes["number"]} style={{ width: numbersWidth }}>
              <span className={classes["hidden"]}>Row</span>
            </span>
            {shown.map(({ index, start, size }) => {
              const direction = sort?.column === index ? (sort.isDescending ? "descending" : "ascending") : undefined;
              const { name = "", type, isNumeric } = columns[index] ?? {};
              return (
                <span
                  key={index}
                  role="columnheader"
                  aria-colindex={index + 2}
                  {...(direction ? { "aria-sort": direction } : {})}
                  {...(isNumeric ? { "data-numeric": true } : {})}
                  style={{ left: numbersWidth + start, width: size }}
                >
                  <button type="button" title={name} onClick={() => sortBy(index)} onKeyDown={(event) => onHeaderKey(event, index)}>
                    <span>{name || `Column ${index + 1}`}</span>
                    {type !== undefined && <small>{type}</small>}
                    {direction === "ascending" && <IconArrowUp size={12} aria-hidden />}
                    {direction === "descending" && <IconArrowDown size={12} aria-hidden />}
                  </button>
                  <ColumnEdge widthPx={size} onResize={(px) => resize(index, px)} />
                </span>
              );
            })}
          </div>
        </div>
        <div role="rowgroup" className={classes["rows"]} style={{ height: down.getTotalSize(), width }}>
          {down.getVirtualItems().map((item) => {
            const row = order[item.index] ?? 0;
            return (
              <div key={item.key} role="row" aria-rowindex={item.index + 2} style={{ transform: `translateY(${item.start}px)` }}>
                <span role="rowheader" aria-colindex={1} className={classes["number"]} style={{ width: numbersWidth }}>
                  {(row + 1).toLocaleString("en-US")}
                </span>
                {shown.map(({ index, start, size }) => (
                  <span
                    key={index}
                    role="cell"
                    aria-colindex={index + 2}
                    {...(columns[index]?.isNumeric ? { "data-numeric": true } : {})}
                    {...(match?.at === item.index && match.column === index ? { "data-current": true } : {})}
                    title={rows[row]?.[index] ?? ""}
                    style={{ left: numbersWidth + start, width: size }}
                  >
                    <Highlighted text={rows[row]?.[index] ?? ""} find={find.pattern} />
                  </span>
                ))}
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
