import { type CSSProperties, type HTMLAttributes, type KeyboardEvent, type PointerEvent, type ReactNode, useMemo, useState } from "react";
import { pressed } from "#ui/shortcut-keys.ts";
import { BodyRow, type Cell, placeOf } from "./cells-rows.tsx";
import { useColumnDrag } from "./column-drag.ts";
import { ColumnEdge } from "./column-edge.tsx";
import { type CellAt, cellAt, cellOf, type Cells, type CellsColumn, nextPosition, resizedBy } from "./use-cells.ts";
import classes from "./kit.module.css";

export interface CellsHeader {
  label: ReactNode;
  hint?: string | undefined;
  /** Beside the label, such as a button of a menu with the attribute `data-column-menu`. */
  after?: ReactNode;
  sorted?: "ascending" | "descending" | undefined;
  /** A click or a key sorts; with Shift, by `several` columns. */
  sort?: ((several: boolean) => void) | undefined;
}

/** Changes of columns by the pointer and the keys. */
export interface ColumnArranging {
  move: (id: string, step: -1 | 1) => void;
  /** To where another column is. */
  drop: (id: string, target: string) => void;
  /** Undefined fits the width to what the column holds. */
  resize: (id: string, px: number | undefined) => void;
}

interface Props<Row, Column extends CellsColumn> {
  label: string;
  cells: Cells<Column>;
  rows: readonly Row[];
  /** Loaded or not; null while it is not known. */
  totalRows: number | null;
  /** As `cell`, a new function draws all of them again. */
  header: (column: Column) => CellsHeader;
  cell: (cell: Cell<Row, Column>) => ReactNode;
  /** Stays the same object. */
  arranging: ColumnArranging;
  /** Rows that are selected, and the one that is open. */
  marked: ReadonlySet<number>;
  opened: number | null;
  /** The cell that is searched for, its row from 0. */
  found: CellAt | null;
  /** A key on a cell that moves nothing. True if it did something. */
  onKey: (event: KeyboardEvent, index: number, id: string) => boolean;
  /** Keys moved to this row. */
  onMoved: (index: number) => void;
  /** A key would move down from the last row. */
  onPastEnd: (() => void) | undefined;
  onCellClick: (target: Element, index: number, id: string) => void;
  scrolling: HTMLAttributes<HTMLElement>;
  /** Names the row of headers in the tour. */
  tour: string;
}

/**
 * A grid of virtual rows and columns in which a cell has the focus. Keys of the grid pattern of ARIA move; on a header Enter sorts,
 * Alt+Down opens the menu, Alt+arrows move and Shift+arrows resize the column.
 */
export function CellsTable<Row, Column extends CellsColumn>(props: Props<Row, Column>) {
  const { cells, rows, totalRows, header, cell, arranging, marked, opened, found, scrolling } = props;
  const { scroller, down, ids, columns, shown, active, rowPx, headPx, totalPx: width } = cells;
  const { drag, startDrag, wasDragged } = useColumnDrag(scroller, arranging.drop);
  const [hovered, setHovered] = useState<CellAt | null>(null);

  const onPointerOver = ({ target, pointerType }: PointerEvent) => {
    const over = pointerType === "mouse" ? cellOf(target) : null;
    const next = over?.row === 0 ? null : over;
    if (next?.row !== hovered?.row || next?.column !== hovered?.column) setHovered(next);
  };
  const headerKey = (event: KeyboardEvent, id: string): boolean => {
    const column = columns.find((candidate) => candidate.id === id);
    const { key, altKey, ctrlKey, metaKey } = event;
    // With Shift, the column is added to the order.
    if (column && pressed({ key, altKey, ctrlKey, metaKey, shiftKey: false }, "table.sort")) {
      const { sort } = header(column);
      sort?.(event.shiftKey);
      return sort !== undefined;
    }
    if (pressed(event, "table.menu")) {
      // An open menu closes on a key press outside of it, which this one still is when it reaches the document.
      event.stopPropagation();
      cellAt(scroller.current, { row: 0, column: id })?.querySelector<HTMLElement>("[data-column-menu]")?.click();
      return true;
    }
    const moved = pressed(event, "table.moveColumn");
    const resized = resizedBy(event);
    if (moved) {
      arranging.move(id, moved === "Alt+ArrowLeft" ? -1 : 1);
      cells.moveTo({ row: 0, column: id }, { take: true });
    } else if (resized !== undefined && column) arranging.resize(id, column.width + resized);
    return moved !== null || resized !== undefined;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { row, column } = active;
    // Menus and buttons within cells handle their own keys.
    if (!(event.target instanceof HTMLElement) || event.target.dataset["row"] === undefined || column === null) return;
    if (row === 0 ? headerKey(event, column) : props.onKey(event, row - 1, column)) return event.preventDefault();
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowPx) - 2);
    const next = nextPosition(event, { row, column: ids.indexOf(column) }, { rows: rows.length, columns: ids.length, page });
    if (!next) return;
    event.preventDefault();
    if (row === rows.length && row > 0 && (event.key === "ArrowDown" || event.key === "PageDown")) props.onPastEnd?.();
    const to = { row: next.row, column: ids[next.column] ?? null };
    cells.reveal(to);
    cells.moveTo(to, { take: true });
    if (to.row > 0) props.onMoved(to.row - 1);
  };

  const activeHeader = active.row === 0 ? active.column : null;
  const { id: dragged, target, side } = drag ?? noDrag;
  // While rows scroll, headers stay as they are.
  const headers = useMemo(
    () =>
      shown.map((column) => {
        const { id } = column;
        const { label, hint, after, sorted, sort } = header(column);
        return (
          <div
            key={id}
            role="columnheader"
            aria-colindex={column.index}
            aria-sort={sorted}
            tabIndex={id === activeHeader ? 0 : -1}
            data-row={0}
            data-column={id}
            data-drag={id === dragged ? "source" : id === target ? side : undefined}
            {...placeOf(column)}
            className={classes["headerCell"]}
          >
            <button
              type="button"
              tabIndex={-1}
              className={classes["label"]}
              title={hint}
              aria-disabled={!sort}
              onPointerDown={(event) => startDrag(event, id)}
              onClick={(event) => {
                if (!wasDragged()) sort?.(event.shiftKey);
              }}
            >
              {label}
            </button>
            {after}
            <ColumnEdge widthPx={column.width} onResize={(px) => arranging.resize(id, px)} />
          </div>
        );
      }),
    [shown, header, activeHeader, dragged, target, side, startDrag, wasDragged, arranging],
  );

  return (
    <div className={classes["cells"]} style={{ "--row-h": `${rowPx}px` } as CSSProperties}>
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- roving tabindex of the cells, as in the grid pattern */}
      <div
        ref={scroller}
        role="grid"
        aria-label={props.label}
        aria-rowcount={totalRows === null ? -1 : totalRows + 1}
        aria-colcount={columns.length}
        className={classes["cellsScroller"]}
        onKeyDown={onKeyDown}
        onClick={({ target }) => {
          const clicked = cellOf(target);
          if (!(target instanceof Element) || !clicked || clicked.row === 0) return;
          cells.moveTo(clicked, { take: false });
          props.onCellClick(target, clicked.row - 1, clicked.column);
        }}
        onFocus={({ target }) => {
          const focused = cellOf(target);
          if (focused) cells.moveTo(focused, { take: false });
        }}
        onPointerOver={onPointerOver}
        onPointerLeave={() => setHovered(null)}
        {...scrolling}
      >
        <div role="rowgroup" className={classes["cellsHead"]} style={{ width }}>
          <div role="row" aria-rowindex={1} className={classes["cellsHeadRow"]} data-tour={props.tour} style={{ height: headPx - 1 }}>
            {headers}
          </div>
        </div>
        <div role="rowgroup" className={classes["cellsBody"]} style={{ width, height: down.getTotalSize() }}>
          {down.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            return (
              row !== undefined && (
                <BodyRow
                  key={index}
                  row={row}
                  index={index}
                  top={start - headPx}
                  width={width}
                  columns={shown}
                  cell={cell}
                  active={active.row === index + 1 ? active.column : null}
                  hovered={hovered?.row === index + 1 ? hovered.column : null}
                  found={found?.row === index ? found.column : null}
                  isMarked={marked.has(index)}
                  isOpened={opened === index}
                />
              )
            );
          })}
        </div>
      </div>
      {drag && (
        <div className={classes["ghost"]} style={{ left: drag.x + 12, top: drag.y + 12 }}>
          {drag.id}
        </div>
      )}
    </div>
  );
}

const noDrag = { id: undefined, target: undefined, side: undefined };
