import { derivedColumnLimits } from "@fairway/contract/derived-columns";
import type { Column } from "@fairway/contract/columns";
import { type KeyboardEvent, useCallback, useEffect, useMemo } from "react";
import { useResultZone } from "#lib/time/result-zone.ts";
import type { ValueOperator } from "#parts/filters/value-filter.ts";
import { type Cell, CellsSkeleton } from "#ui/kit/cells-rows.tsx";
import { CellsTable } from "#ui/kit/cells-table.tsx";
import { useCells } from "#ui/kit/use-cells.ts";
import { pressed } from "#ui/shortcut-keys.ts";
import type { ResultRow } from "@fairway/contract/search";
import { sortStateOf, useColumnActions } from "./column-actions.ts";
import { type ColumnLayout, moveTargetOf } from "./column-layout.ts";
import { type TableColumn, useTableColumns } from "./column-width.ts";
import { fractionDigits } from "./fraction-digits.ts";
import { useScrollPast } from "./scroll-past.ts";
import { ResultCell } from "./table-cell.tsx";
import { ColumnName, headerOf } from "./table-header.tsx";
import { headerHeights, type ResultTableProps, rowHeights, type RowSize } from "./table-props.ts";

/** The rows as a grid: what its cells and headers hold, and what a click or a key on them does. */
export function ResultTable(props: ResultTableProps) {
  const { columns, rows, layout, sort, selectedRow, find, currentMatch, canFilter, cellTextCharacters } = props;
  const zone = useResultZone();
  const placed = useTableColumns(columns, rows, layout);
  const cells = useCells({ columns: placed, count: rows.length, ...heightsOf(props) });
  const { follow, reveal } = cells;
  useEffect(() => {
    // Tab and closing the details return to the selected row.
    if (selectedRow !== null) follow(selectedRow + 1);
  }, [selectedRow, follow]);
  useEffect(() => {
    if (currentMatch) reveal({ ...currentMatch, row: currentMatch.row + 1 });
    // oxlint-disable-next-line react/exhaustive-deps -- reveals a new match once, not again when columns move
  }, [currentMatch]);

  const actions = useColumnActions({
    ...props,
    names: cells.ids,
    focusHeader: (column) => cells.moveTo({ row: 0, column }, { take: true }),
  });
  const canSort = props.onSort !== undefined;
  const hasGraphs = props.onGraph !== undefined;
  const hasSummaries = props.onSummarize !== undefined;
  const canCompute = props.onCompute !== undefined;
  const { added, coarse, canLookUp } = props;
  const computedCount = [...added.values()].filter((how) => how === "computed").length;
  const pictures = props.hasPictures ? props.distributions : undefined;
  const header = useCallback(
    ({ column, isPinned }: TableColumn) => {
      const { name, combined } = column;
      const isOwn = combined === null;
      const state = {
        ...sortStateOf(sort, name),
        canSort: canSort && isOwn,
        canFilter: canFilter(column),
        canProfile: isOwn,
        canGraph: hasGraphs && isOwn,
        canSummarize: hasSummaries && isOwn,
        canCompute,
        canAdd: computedCount < derivedColumnLimits.computedOfSearch,
        canLookUp,
        addedAs: added.get(name),
        coarse: coarse.get(name),
        isPinned,
        canMoveLeft: moveTargetOf(layout, name, -1) !== undefined,
        canMoveRight: moveTargetOf(layout, name, 1) !== undefined,
        hasOwnWidth: Object.hasOwn(layout.widths, name),
      };
      return headerOf(column, state, actions, pictures);
    },
    [sort, layout, canSort, hasGraphs, hasSummaries, canCompute, computedCount, canLookUp, added, coarse, canFilter, actions, pictures],
  );

  const filterableNames = columns.filter((column) => column.combined === null && canFilter(column)).map(({ name }) => name);
  const filterableKey = JSON.stringify(filterableNames);
  // oxlint-disable-next-line react/exhaustive-deps -- the key represents the names
  const filterable = useMemo(() => new Set(filterableNames), [filterableKey]);
  const fractions = useMemo(() => fractionDigits(columns, rows), [columns, rows]);
  const cell = useCallback(
    (one: Cell<ResultRow, TableColumn>) => <ResultCell {...one} {...{ zone, filterable, fractions, find, cellTextCharacters }} />,
    [zone, filterable, fractions, find, cellTextCharacters],
  );

  const valueAt = (index: number, name: string): [Column, ResultRow] | null => {
    const row = rows[index];
    const column = columns.find((candidate) => candidate.name === name);
    return row && column ? [column, row] : null;
  };
  const onKey = (event: KeyboardEvent, index: number, name: string): boolean => {
    const value = valueAt(index, name);
    if (value === null) return false;
    if (pressed(event, "table.details")) props.onSelectRow(index, { wantsFocus: true });
    else if (pressed(event, "table.select")) props.onMark(index);
    // If text is selected, the browser copies that.
    else if (pressed(event, "table.copy") && getSelection()?.isCollapsed !== false) props.onCopyCell(...value);
    else return false;
    return true;
  };
  const onCellClick = (target: Element, index: number, name: string) => {
    const value = valueAt(index, name);
    if (value === null) return;
    const operator = target.closest<HTMLElement>("[data-value-filter]")?.dataset["valueFilter"];
    if (target.closest("[data-mark]")) props.onMark(index);
    else if (isValueOperator(operator)) props.onFilterValue(...value, operator);
    else if (target.closest("[data-see-more]")) props.onSeeMore(...value);
    // Selecting text in a cell must not select its row.
    else if (getSelection()?.isCollapsed !== false) props.onSelectRow(index, { wantsFocus: false });
  };

  return (
    <CellsTable
      label={props.label}
      cells={cells}
      rows={rows}
      totalRows={props.totalRows}
      header={header}
      cell={cell}
      arranging={actions}
      marked={props.marked}
      opened={selectedRow}
      found={currentMatch}
      onKey={onKey}
      onMoved={(index) => selectedRow !== null && props.onSelectRow(index, { wantsFocus: false })}
      onPastEnd={props.onScrolledPast}
      onCellClick={onCellClick}
      scrolling={useScrollPast(cells.scroller, props.onScrolledPast)}
      tour="rows"
    />
  );
}

interface SkeletonProps {
  columns: readonly Column[];
  layout: ColumnLayout;
  label: string;
  rowSize: RowSize;
  hasPictures: boolean;
}

/** The table while its first rows load. */
export function TableSkeleton({ columns, layout, label, ...sizes }: SkeletonProps) {
  const placed = useTableColumns(columns, noRows, layout);
  return <CellsSkeleton label={label} columns={placed} labelOf={nameOf} {...heightsOf(sizes)} />;
}

const noRows: never[] = [];
const nameOf = ({ column }: TableColumn) => <ColumnName column={column} />;
const heightsOf = ({ rowSize, hasPictures }: { rowSize: RowSize; hasPictures: boolean }) => ({
  rowPx: rowHeights[rowSize],
  headPx: headerHeights[hasPictures ? "withPictures" : "plain"],
});
const isValueOperator = (text: string | undefined): text is ValueOperator => text === "=" || text === "<>";
