import {
  type CSSProperties,
  type MouseEvent,
  type PointerEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { ValueOperator } from "#parts/filters/value-filter.ts";
import { useVirtualList } from "#ui/kit/use-virtual-list.ts";
import { useColumnDrag } from "./column-drag.ts";
import { moveColumn, moveTargetOf } from "./column-layout.ts";
import { fractionDigits } from "./fraction-digits.ts";
import { headerHeights, type ResultTableProps, rowHeights } from "./table-props.ts";
import { sortStateOf, useColumnActions } from "./column-actions.ts";
import { HeaderCell } from "./table-header.tsx";
import { TableRow } from "./table-row.tsx";
import { useGridFocus, useGridKeys } from "./grid-navigation.ts";
import { useScrollPast } from "./scroll-past.ts";
import { useTableColumns } from "./use-table-columns.ts";
import classes from "./table.module.css";

/** The rows as an ARIA grid: virtualized rows and columns, a sticky header and arrow key navigation. */
export function ResultTable(props: ResultTableProps) {
  const { columns, rows, totalRows, layout, onLayoutChange, sort, selectedRow, find, currentMatch } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const rowHeightPx = rowHeights[props.rowSize];
  const headerHeightPx = headerHeights[props.hasPictures ? "withPictures" : "plain"];
  const { placed, totalWidth } = useTableColumns(columns, rows, layout);
  const pinned = useMemo(() => placed.filter((column) => column.isPinned), [placed]);
  const center = useMemo(() => placed.filter((column) => !column.isPinned), [placed]);
  const pinnedWidth = pinned.reduce((sum, column) => sum + column.width, 0);

  const names = useMemo(() => placed.map(({ column }) => column.name), [placed]);
  const focus = useGridFocus({ scroller, names, rowCount: rows.length });
  const { followRow } = focus;
  const activeRow = focus.active.row - 1;
  const activeCenter = center.findIndex(({ column }) => column.name === focus.active.column);

  const { virtualizer: rowVirtualizer } = useVirtualList({
    count: rows.length,
    scroller,
    estimateSize: () => rowHeightPx,
    overscan: 6,
    scrollMargin: headerHeightPx,
    scrollPaddingStart: headerHeightPx,
    kept: activeRow,
  });
  useLayoutEffect(() => rowVirtualizer.measure(), [rowVirtualizer, rowHeightPx]);
  const { virtualizer: columnVirtualizer } = useVirtualList({
    horizontal: true,
    count: center.length,
    scroller,
    estimateSize: (index) => center[index]?.width ?? 0,
    getItemKey: (index) => center[index]?.column.name ?? index,
    overscan: 1,
    paddingStart: pinnedWidth,
    scrollPaddingStart: pinnedWidth,
    kept: activeCenter,
  });
  const widths = placed.map((column) => column.width).join();
  useLayoutEffect(() => columnVirtualizer.measure(), [columnVirtualizer, widths, names]);

  const virtualColumns = columnVirtualizer.getVirtualItems();
  const shown = useMemo(() => virtualColumns.flatMap((item) => center[item.index] ?? []), [virtualColumns, center]);

  const reveal = useCallback(
    (row: number, column: string | null) => {
      if (row >= 0) rowVirtualizer.scrollToIndex(row);
      else rowVirtualizer.scrollToOffset(0);
      const index = center.findIndex((candidate) => candidate.column.name === column);
      if (index >= 0) columnVirtualizer.scrollToIndex(index);
    },
    [rowVirtualizer, columnVirtualizer, center],
  );
  useEffect(() => {
    if (selectedRow === null) return;
    rowVirtualizer.scrollToIndex(selectedRow);
    // Tab and closing the details return to the selected row.
    followRow(selectedRow + 1);
  }, [selectedRow, rowVirtualizer, followRow]);
  useEffect(() => {
    if (currentMatch) reveal(currentMatch.row, currentMatch.column);
    // oxlint-disable-next-line react/exhaustive-deps -- reveals a new match once, not again when columns move
  }, [currentMatch]);

  const { drag, onPointerDown, wasDragged } = useColumnDrag({
    scroller,
    onDrop: useCallback((name: string, target: string) => onLayoutChange(moveColumn(layout, name, target)), [layout, onLayoutChange]),
  });
  const actions = useColumnActions({
    ...props,
    names,
    focusHeader: (name) => focus.moveTo({ row: 0, column: name }, { take: true }),
    widthOf: (name) => placed.find(({ column }) => column.name === name)?.ownWidth ?? 0,
    onPointerDown,
    wasDragged,
  });
  const onKeyDown = useGridKeys({ ...props, focus, names, actions, reveal, scroller });
  const scrolling = useScrollPast(scroller, props.onScrolledPast);

  const onClick = (event: MouseEvent<HTMLElement>) => {
    const target = event.target instanceof Element ? event.target : null;
    const cell = target?.closest<HTMLElement>("[role=gridcell]");
    if (!cell) return;
    const row = Number(cell.dataset["row"]) - 1;
    const record = rows[row];
    const column = columns.find((candidate) => candidate.name === cell.dataset["column"]);
    if (!record || !column) return;
    focus.moveTo({ row: row + 1, column: column.name }, { take: false });
    const operator = target?.closest<HTMLElement>("[data-value-filter]")?.dataset["valueFilter"];
    if (target?.closest("[data-mark]")) props.onMark(row);
    else if (isValueOperator(operator)) props.onFilterValue(column, record, operator);
    else if (target?.closest("[data-see-more]")) props.onSeeMore(column, record);
    // Selecting text in a cell must not select its row.
    else if (getSelection()?.isCollapsed !== false) props.onSelectRow(row, { wantsFocus: false });
  };

  const [hovered, setHovered] = useState<{ row: number; column: string } | null>(null);
  const onPointerOver = ({ target, pointerType }: PointerEvent) => {
    const cell = pointerType === "mouse" && target instanceof Element ? target.closest<HTMLElement>("[role=gridcell]") : null;
    const column = cell?.dataset["column"];
    const row = Number(cell?.dataset["row"]) - 1;
    if (row !== hovered?.row || column !== hovered.column) setHovered(column === undefined ? null : { row, column });
  };
  const filterableNames = columns.filter((column) => column.combined === null && props.canFilter(column)).map(({ name }) => name);
  const filterableKey = JSON.stringify(filterableNames);
  // oxlint-disable-next-line react/exhaustive-deps -- the key represents the names
  const filterable = useMemo(() => new Set(filterableNames), [filterableKey]);

  const fractions = useMemo(() => fractionDigits(columns, rows), [columns, rows]);

  return (
    <div className={classes["wrap"]} style={{ "--row-h": `${rowHeightPx}px` } as CSSProperties}>
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- roving tabindex of the cells, as in the grid pattern */}
      <div
        ref={scroller}
        role="grid"
        aria-label={props.label}
        aria-rowcount={totalRows === null ? -1 : totalRows + 1}
        aria-colcount={placed.length}
        className={classes["scroller"]}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onFocus={focus.onFocus}
        onPointerOver={onPointerOver}
        onPointerLeave={() => setHovered(null)}
        {...scrolling}
      >
        <div role="rowgroup" className={classes["head"]} style={{ width: totalWidth }}>
          <div role="row" aria-rowindex={1} className={classes["headRow"]} data-tour="rows" style={{ height: headerHeightPx - 1 }}>
            {[...pinned, ...shown].map((column) => (
              <HeaderCell
                key={column.column.name}
                placed={column}
                distributions={props.hasPictures ? props.distributions : undefined}
                isActive={focus.active.row === 0 && focus.active.column === column.column.name}
                drag={drag?.name === column.column.name ? "source" : drag?.target === column.column.name ? drag.side : undefined}
                actions={actions}
                {...sortStateOf(sort, column.column.name)}
                canSort={props.onSort !== undefined && column.column.combined === null}
                canFilter={props.canFilter(column.column)}
                canProfile={column.column.combined === null}
                canGraph={props.onGraph !== undefined && column.column.combined === null}
                isPinned={column.isPinned}
                canMoveLeft={moveTargetOf(layout, column.column.name, -1) !== undefined}
                canMoveRight={moveTargetOf(layout, column.column.name, 1) !== undefined}
                hasOwnWidth={Object.hasOwn(layout.widths, column.column.name)}
              />
            ))}
          </div>
        </div>
        <div role="rowgroup" className={classes["body"]} style={{ width: totalWidth, height: rowVirtualizer.getTotalSize() }}>
          {rowVirtualizer.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            return (
              row && (
                <TableRow
                  key={index}
                  row={row}
                  index={index}
                  top={start - headerHeightPx}
                  totalWidth={totalWidth}
                  pinned={pinned}
                  center={shown}
                  activeColumn={activeRow === index ? (focus.active.column ?? undefined) : undefined}
                  hoveredColumn={hovered?.row === index ? hovered.column : undefined}
                  filterable={filterable}
                  fractions={fractions}
                  isMarked={props.marked.has(index)}
                  isSelected={selectedRow === index}
                  find={find}
                  matchColumn={currentMatch?.row === index ? currentMatch.column : undefined}
                  cellTextCharacters={props.cellTextCharacters}
                />
              )
            );
          })}
        </div>
      </div>
      {drag && (
        <div className={classes["ghost"]} style={{ left: drag.x + 12, top: drag.y + 12 }}>
          {drag.name}
        </div>
      )}
    </div>
  );
}

const isValueOperator = (text: string | undefined): text is ValueOperator => text === "=" || text === "<>";
