import { pluralize } from "@fairway/contract/counts";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useFindMatches } from "#lib/use-find-matches.ts";
import { forEachYielding } from "#lib/yielding-loop.ts";
import { Highlighted } from "#ui/highlighted.tsx";
import { LoadingRows } from "#ui/states.tsx";
import { type CsvTable, loadTable, sortedRows } from "./csv-table.ts";
import { partNote } from "./part-note.ts";
import type { ViewProps } from "./preview-type.ts";
import { useFile } from "./use-file.ts";
import { maxMatches, useFind } from "./use-find.ts";
import { ViewFrame } from "./view-frame.tsx";
import classes from "./views.module.css";

export function CsvView(props: ViewProps) {
  const table = useFile(props, loadTable);
  return table === null ? <LoadingRows label="Loading preview" /> : <Table table={table} partNote={partNote(props.file)} />;
}

const rowHeightPx = 32;

function Table({ table, partNote: part }: { table: CsvTable; partNote: string | undefined }) {
  const { header, rows, columns, shownColumns, isCut } = table;
  const [sort, setSort] = useState<{ column: number; isDescending: boolean } | null>(null);
  const order = useMemo(() => (sort ? sortedRows(rows, sort.column, sort.isDescending) : [...rows.keys()]), [rows, sort]);
  const shapes = useMemo(() => Array.from({ length: shownColumns }, (_, column) => shapeOf(table, column)), [table, shownColumns]);
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
    count: shownColumns,
    getScrollElement: () => scroller.current,
    estimateSize: (column) => shapes[column]?.width ?? 80,
    overscan: 2,
    scrollPaddingStart: numbersWidth,
    scrollPaddingEnd: 24,
  });
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

  const shown = across.getVirtualItems();
  const width = numbersWidth + across.getTotalSize();
  const sortBy = (column: number) =>
    setSort(sort?.column !== column ? { column, isDescending: false } : sort.isDescending ? null : { column, isDescending: true });
  const left = columns > shownColumns ? `Shows the first ${shownColumns.toLocaleString("en-US")} columns.` : undefined;
  const cut = isCut ? `Shows the first ${rows.length.toLocaleString("en-US")} rows.` : undefined;
  const note = [part, cut, left].filter((text) => text !== undefined).join(" ");
  return (
    <ViewFrame
      summary={`${pluralize(rows.length, "row")}, ${pluralize(columns, "column")}`}
      note={note === "" ? undefined : note}
      find={find}
    >
      <div
        ref={scroller}
        className={classes["table"]}
        role="table"
        aria-label="Rows"
        aria-rowcount={rows.length + 1}
        aria-colcount={shownColumns + 1}
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
              return (
                <span
                  key={index}
                  role="columnheader"
                  aria-colindex={index + 2}
                  {...(direction ? { "aria-sort": direction } : {})}
                  {...(shapes[index]?.isNumeric ? { "data-numeric": true } : {})}
                  style={{ left: numbersWidth + start, width: size }}
                >
                  <button type="button" title={header[index] ?? ""} onClick={() => sortBy(index)}>
                    <span>{header[index] || `Column ${index + 1}`}</span>
                    {direction === "ascending" && <IconArrowUp size={12} aria-hidden />}
                    {direction === "descending" && <IconArrowDown size={12} aria-hidden />}
                  </button>
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
                    {...(shapes[index]?.isNumeric ? { "data-numeric": true } : {})}
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

/** Width and alignment of a column, from its first rows. */
function shapeOf({ header, rows }: CsvTable, column: number): { width: number; isNumeric: boolean } {
  const sample = rows.slice(0, 100).map((row) => row[column] ?? "");
  const longest = Math.max((header[column]?.length ?? 0) + 2, ...sample.map(({ length }) => length));
  const filled = sample.filter((text) => text.trim() !== "");
  return {
    width: Math.min(360, Math.max(64, 20 + longest * 8)),
    isNumeric: filled.length > 0 && filled.every((text) => !Number.isNaN(Number(text))),
  };
}
