import { Checkbox } from "@mantine/core";
import { type KeyboardEvent, memo, type ReactNode, type RefObject } from "react";
import { classNames } from "#ui/class-names.ts";
import { IconArrowDown } from "#ui/icons/arrow-down.ts";
import { IconArrowUp } from "#ui/icons/arrow-up.ts";
import { nextRowIndex } from "#ui/next-row-index.ts";
import type { VirtualRows } from "./use-virtual-rows.ts";
import classes from "./kit.module.css";

export interface RowsColumn<Row, Sort = never> {
  /** Unique among the columns; styles know it as `data-column`. */
  id: string;
  header: ReactNode;
  headerHint?: string;
  /** The header is a button that sorts by this, and turns the order around. */
  sortsBy?: Sort;
  /** Controls in it take the tab index. Not needed where the table gets all cells of a row at once. */
  cell?: (row: Row, tabIndex: 0 | -1, index: number) => ReactNode;
  tooltip?: (row: Row) => string;
  /** Attributes by which styles distinguish cells. */
  marks?: (row: Row) => Readonly<Record<`data-${string}`, string | boolean | undefined>>;
  className?: string | undefined;
  /** Of the cells below the header. */
  cellClassName?: string | undefined;
}

interface Sorted<Sort> {
  column: Sort;
  descending: boolean;
}

export interface RowSelection<Row> {
  /** Keys of rows. */
  selected: ReadonlySet<string>;
  /** Labels of the boxes in the first column; null keeps its room without boxes. */
  boxes: { all: string; of: (row: Row) => string } | null;
  /** `extend`: from the last row that was toggled to this one. */
  toggle: (row: Row, extend: boolean) => void;
  toggleAll: (isSelected: boolean) => void;
  /** Escape clears the selection before it closes a dialog. */
  isClearedByEscape?: boolean;
}

export interface RowFocus<Row> {
  /** Index of the row that is the tab stop. */
  active: number;
  onActive: (index: number) => void;
  /** A key that moves nothing, on the row itself or on a control in it. True if it did something. */
  onKey?: (event: KeyboardEvent, row: Row, isOnRow: boolean) => boolean;
  /** Instead of all keys. */
  onKeyDown?: (event: KeyboardEvent, index: number) => void;
}

interface Props<Row, Sort> {
  label: string;
  columns: readonly RowsColumn<Row, Sort>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  virtual: VirtualRows;
  /** With the header; -1 while it is not known. Default: of the rows. */
  rowCount?: number;
  sort?: Sorted<Sort>;
  onSort?: (sort: Sorted<Sort>) => void;
  selection?: RowSelection<Row>;
  /** Makes the table a grid in which the row has the focus. Without it, no row has. */
  focus?: RowFocus<Row>;
  /** Opens a row by the pointer; the keyboard has a control in the row. */
  onOpen?: (row: Row) => void;
  /** All cells of a row at once, instead of those of the columns. */
  renderCells?: (row: Row) => ReactNode;
  /** The row that a link leads to. */
  current?: string | null;
  /** Rows differ in height. */
  isMeasured?: boolean;
  /** The header is not in a group of rows. */
  hasBareHead?: boolean;
  /** CSS tracks of the columns, where a style sheet does not have them. */
  tracks?: string;
  /** Below the last row, in the scroller. */
  after?: ReactNode;
  bodyRef?: RefObject<HTMLDivElement | null>;
  className?: string | undefined;
  rowClassName?: string | undefined;
}

/**
 * A table of virtual rows. As a grid it has one tab stop, the active row with its controls: arrows, Page Up and Down, Home and End
 * move to another row, and the keys of the feature act on it.
 */
export function RowsTable<Row, Sort = never>(props: Props<Row, Sort>) {
  const { label, columns, rows, rowKey, virtual, selection, focus, onOpen, renderCells, current, isMeasured, tracks, bodyRef, after } =
    props;
  const { scroller, isInOwnScroller, virtualizer, marginPx, page } = virtual;
  const role = focus ? "grid" : "table";
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    const row = rows[index];
    // Menus of a row are elsewhere in the document.
    if (!row || !(event.target instanceof Node) || !event.currentTarget.contains(event.target)) return;
    const next = nextRowIndex(event.key, index, rows.length, page());
    if (next !== undefined) {
      focus?.onActive(next);
      virtual.focus(next);
    } else if (!focus?.onKey?.(event, row, event.target === event.currentTarget)) return;
    event.preventDefault();
  };
  const table = (
    <div
      role={role}
      aria-label={label}
      aria-rowcount={props.rowCount ?? rows.length + 1}
      aria-multiselectable={selection ? true : undefined}
      className={props.className}
    >
      <HeadRow {...props} />
      <div ref={bodyRef} role="rowgroup" className={classes["rowsTableBody"]} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (!row) return null;
          const key = rowKey(row);
          return (
            <BodyRow
              key={key}
              row={row}
              index={index}
              top={start - marginPx}
              columns={columns}
              renderCells={renderCells}
              tracks={tracks}
              className={props.rowClassName}
              isGrid={focus !== undefined}
              isActive={index === focus?.active}
              isSelected={selection?.selected.has(key)}
              isCurrent={key === current}
              boxes={selection?.boxes}
              holdsEscape={selection?.isClearedByEscape && selection.selected.size > 0}
              onToggle={selection?.toggle}
              onActive={focus?.onActive}
              onKeyDown={focus && (focus.onKeyDown ?? onKeyDown)}
              onOpen={onOpen}
              measure={isMeasured ? virtualizer.measureElement : undefined}
            />
          );
        })}
      </div>
    </div>
  );
  if (!isInOwnScroller) return table;
  return (
    <div ref={scroller} className={classes["scroller"]} data-grid={focus ? true : undefined}>
      {table}
      {after}
    </div>
  );
}

function HeadRow<Row, Sort>(props: Props<Row, Sort>) {
  const { columns, rows, rowKey, selection, sort, onSort, hasBareHead, tracks, rowClassName } = props;
  return (
    <div role={hasBareHead ? undefined : "rowgroup"} className={classes["rowsTableHead"]}>
      <div role="row" aria-rowindex={1} className={classNames(classes["row"], rowClassName)} style={{ gridTemplateColumns: tracks }}>
        {selection && <SelectAll selection={selection} keys={rows.map(rowKey)} />}
        {columns.map(({ id, header, headerHint, sortsBy, className }) => {
          const isSorted = sort !== undefined && sort.column === sortsBy;
          const Arrow = sort?.descending ? IconArrowDown : IconArrowUp;
          return (
            <div
              key={id}
              role="columnheader"
              data-column={id}
              aria-sort={isSorted ? (sort.descending ? "descending" : "ascending") : undefined}
              className={className}
            >
              {sortsBy === undefined ? (
                header
              ) : (
                <button
                  type="button"
                  title={headerHint}
                  className={classes["sort"]}
                  onClick={() => onSort?.({ column: sortsBy, descending: isSorted && !sort.descending })}
                >
                  {header}
                  {isSorted && <Arrow size={14} aria-hidden />}
                </button>
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function SelectAll<Row>({ selection, keys }: { selection: RowSelection<Row>; keys: readonly string[] }) {
  const { boxes, selected, toggleAll } = selection;
  if (boxes === null) return <span />;
  const hasAll = keys.every((key) => selected.has(key));
  return (
    <div role="columnheader" data-column="select" className={classes["select"]}>
      <Checkbox
        aria-label={boxes.all}
        checked={hasAll}
        indeterminate={!hasAll && keys.some((key) => selected.has(key))}
        onChange={() => toggleAll(!hasAll)}
      />
    </div>
  );
}

interface BodyRowProps<Row> {
  row: Row;
  index: number;
  top: number;
  columns: readonly RowsColumn<Row, unknown>[];
  renderCells: ((row: Row) => ReactNode) | undefined;
  tracks: string | undefined;
  className: string | undefined;
  isGrid: boolean;
  isActive: boolean;
  isSelected: boolean | undefined;
  isCurrent: boolean;
  boxes: RowSelection<Row>["boxes"] | undefined;
  holdsEscape: boolean | undefined;
  onToggle: RowSelection<Row>["toggle"] | undefined;
  onActive: ((index: number) => void) | undefined;
  onKeyDown: ((event: KeyboardEvent, index: number) => void) | undefined;
  onOpen: ((row: Row) => void) | undefined;
  measure: ((row: HTMLElement | null) => void) | undefined;
}

// While scrolling, rows stay as they are.
const BodyRow = memo(function BodyRow<Row>(props: BodyRowProps<Row>) {
  const { row, index, top, columns, renderCells, tracks, isGrid, isActive, isSelected, boxes, onToggle, onOpen, measure } = props;
  const tabIndex = isActive || !isGrid ? 0 : -1;
  const grid = isGrid && {
    "aria-selected": isSelected,
    "data-mantine-stop-propagation": props.holdsEscape,
    tabIndex,
    onFocus: () => props.onActive?.(index),
    onKeyDown: (event: KeyboardEvent) => props.onKeyDown?.(event, index),
  };
  const open = onOpen && {
    "data-opens": true,
    onClick: () => {
      if (getSelection()?.isCollapsed !== false) onOpen(row);
    },
  };
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-current={props.isCurrent || undefined}
      data-index={index}
      ref={measure}
      className={classNames(classes["row"], props.className)}
      style={{ gridTemplateColumns: tracks, transform: `translateY(${top}px)` }}
      {...grid}
      {...open}
    >
      {boxes === null && <span />}
      {boxes && (
        <div role="gridcell" data-column="select" className={classes["select"]}>
          <Checkbox
            aria-label={boxes.of(row)}
            tabIndex={tabIndex}
            checked={isSelected ?? false}
            onChange={({ nativeEvent }) => onToggle?.(row, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
          />
        </div>
      )}
      {renderCells
        ? renderCells(row)
        : columns.map(({ id, cell, tooltip, marks, className, cellClassName }) => (
            <div
              key={id}
              role={isGrid ? "gridcell" : "cell"}
              data-column={id}
              title={tooltip?.(row)}
              className={classNames(className, cellClassName)}
              {...marks?.(row)}
            >
              {cell?.(row, tabIndex, index)}
            </div>
          ))}
    </div>
  );
}) as <Row>(props: BodyRowProps<Row>) => ReactNode;
