import { Checkbox } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconArrowDown } from "#ui/icons/arrow-down.ts";
import { IconArrowUp } from "#ui/icons/arrow-up.ts";
import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useCallback, useRef, useState } from "react";
import { EntityRowMenu } from "./entity-row-menu.tsx";
import { EntityRowWarnings } from "./entity-row-warnings.tsx";
import { can, type EntityAction, type EntityKind } from "./entity-kind.ts";
import { type EntityRow, type EntitySort, enabledColumn, idColumn } from "./entity-list.ts";
import { trackOf, widthsOf } from "./entity-widths.ts";
import type { RowActions } from "./use-entity-actions.ts";
import classes from "./entity-table.module.css";
import { pressed } from "#ui/shortcut-keys.ts";

const rowActions: readonly EntityAction[] = ["edit", "copy", "export", "toggle", "remove"];
const rowPx = 32;

interface EntityTableProps {
  kind: EntityKind;
  /** Filtered and sorted. */
  rows: readonly EntityRow[];
  /** Indexes of the shown columns among the kind's. */
  columns: readonly number[];
  sort: EntitySort;
  onSort: (sort: EntitySort) => void;
  selected: ReadonlySet<string>;
  onSelect: (selected: ReadonlySet<string>) => void;
  actions: RowActions;
}

/**
 * The entities as a grid of virtual rows. Arrow keys move between rows, Space selects a row, Enter edits it, and Shift+F10 opens
 * its menu. Only the focused row is in the tab order.
 */
export function EntityTable({ kind, rows, columns: shownColumns, sort, onSort, selected, onSelect, actions }: EntityTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const phone = useMediaQuery("(max-width: 720px)", undefined, { getInitialValueInEffect: false });
  // A phone has room only for the name and the menu.
  const columns = phone ? shownColumns.filter((index) => kind.columns[index]?.name === kind.nameField) : shownColumns;
  const [active, setActive] = useState(0);
  const [menuOf, setMenuOf] = useState<string | null>(null);
  const activeIndex = Math.min(active, rows.length - 1);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 8,
    scrollMargin: rowPx,
    scrollPaddingStart: rowPx,
    // The focused row stays in the document while scrolling.
    rangeExtractor: useCallback((range: Range) => withIndex(defaultRangeExtractor(range), activeIndex), [activeIndex]),
  });

  // Rows of a read-only type cannot be selected.
  const hasActions = rowActions.some((action) => can(kind, action));
  const canToggle = rows.some(({ enabled }) => enabled !== undefined);
  const hasWarnings = rows.some(({ warnings }) => warnings.length > 0);
  const hasMenu = hasActions || hasWarnings;
  // Generated ids are meaningless to people.
  const showsId = !phone || !kind.hasGeneratedId;
  const widths = widthsOf(kind, rows, columns);
  const template = [
    hasActions ? "calc(var(--page-pad) + 24px)" : "calc(var(--page-pad) - 12px)",
    ...(showsId ? [phone ? "minmax(96px, 1fr)" : trackOf(widths.id)] : []),
    ...(phone ? columns.map(() => "minmax(88px, 1fr)") : widths.columns.map(trackOf)),
    ...(canToggle ? ["80px"] : []),
    `calc(var(--page-pad) + ${hasWarnings ? 68 : 36}px)`,
  ].join(" ");
  const style = { gridTemplateColumns: template };
  const allSelected = rows.every(({ id }) => selected.has(id));
  const someSelected = rows.some(({ id }) => selected.has(id));

  const toggleSelected = (id: string) => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    onSelect(next);
  };
  const focusRow = (index: number) => {
    const targetIndexes = Math.max(0, Math.min(rows.length - 1, index));
    setActive(targetIndexes);
    virtualizer.scrollToIndex(targetIndexes);
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-index="${targetIndexes}"]`)?.focus());
  };
  const onKeyDown = (event: KeyboardEvent, index: number, row: EntityRow) => {
    if (!(event.target instanceof HTMLElement)) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? rowPx) / rowPx) - 2);
    const targetIndexes: Partial<Record<string, number>> = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      PageDown: index + page,
      PageUp: index - page,
      Home: 0,
      End: rows.length - 1,
    };
    const target = targetIndexes[event.key];
    if (event.target.matches("[role=row]") || event.target.matches("input, [data-row-menu]")) {
      if (target !== undefined) focusRow(target);
      else if (pressed(event, "entities.menu")) setMenuOf(row.id);
      else if (!event.target.matches("[role=row]")) return;
      else if (pressed(event, "entities.select") && hasActions) toggleSelected(row.id);
      else if (pressed(event, "entities.edit") && can(kind, "edit")) actions(row)[0]?.run();
      else return;
      event.preventDefault();
    }
  };

  const header = (label: string, column: number) => {
    const isSorted = sort.column === column;
    const Arrow = sort.descending ? IconArrowDown : IconArrowUp;
    return (
      <div
        key={column}
        role="columnheader"
        className={classes["cell"]}
        data-optional={column >= 0 || undefined}
        {...(isSorted ? { "aria-sort": sort.descending ? ("descending" as const) : ("ascending" as const) } : {})}
      >
        <button type="button" onClick={() => onSort({ column, descending: isSorted && !sort.descending })}>
          {label}
          {isSorted && <Arrow size={14} aria-hidden />}
        </button>
      </div>
    );
  };

  return (
    <div className={classes["scroller"]} ref={scroller}>
      <div
        role="grid"
        aria-label={kind.title}
        aria-rowcount={rows.length + 1}
        aria-multiselectable
        className={classes["grid"]}
        style={{ height: virtualizer.getTotalSize() + rowPx }}
      >
        <div role="rowgroup" className={classes["head"]}>
          <div role="row" aria-rowindex={1} className={classes["row"]} style={style}>
            {hasActions ? (
              <div role="columnheader" className={classes["check"]}>
                <Checkbox
                  aria-label="Select all"
                  checked={allSelected}
                  indeterminate={someSelected && !allSelected}
                  onChange={() => onSelect(allSelected ? new Set() : new Set(rows.map(({ id }) => id)))}
                />
              </div>
            ) : (
              <span />
            )}
            {showsId && header("id", idColumn)}
            {columns.map((index) => header(kind.columns[index]?.name ?? "", index))}
            {canToggle && header("enabled", enabledColumn)}
            {hasMenu && (
              <div role="columnheader" className={classes["menu"]}>
                <span className="visually-hidden">Actions</span>
              </div>
            )}
          </div>
        </div>
        <div role="rowgroup">
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            if (!row) return null;
            const isActive = index === activeIndex;
            return (
              <div
                key={row.id}
                role="row"
                aria-rowindex={index + 2}
                aria-selected={selected.has(row.id)}
                data-index={index}
                tabIndex={isActive ? 0 : -1}
                className={`${classes["row"]} ${classes["body"]}`}
                style={{ ...style, transform: `translateY(${start}px)` }}
                onFocus={() => setActive(index)}
                onKeyDown={(event) => onKeyDown(event, index, row)}
              >
                {hasActions ? (
                  <div role="gridcell" className={classes["check"]}>
                    <Checkbox
                      aria-label={`Select ${row.name}`}
                      tabIndex={isActive ? 0 : -1}
                      checked={selected.has(row.id)}
                      onChange={() => toggleSelected(row.id)}
                    />
                  </div>
                ) : (
                  <span />
                )}
                {showsId && (
                  <div
                    role="gridcell"
                    className={`${classes["cell"]} ${classes["mono"]}`}
                    title={row.id}
                    data-generated={kind.hasGeneratedId}
                  >
                    {row.id}
                  </div>
                )}
                {columns.map((columnIndex) => (
                  <Cell key={columnIndex} kind={kind} row={row} columnIndex={columnIndex} />
                ))}
                {canToggle && (
                  <div role="gridcell" className={classes["cell"]}>
                    <span className={classes["dot"]} data-enabled={row.enabled} />
                    <span className={row.enabled === true ? "visually-hidden" : classes["muted"]}>
                      {row.enabled === true ? "enabled" : "disabled"}
                    </span>
                  </div>
                )}
                {hasMenu && (
                  <div role="gridcell" className={classes["menu"]}>
                    {row.warnings.length > 0 && (
                      <EntityRowWarnings
                        name={row.name}
                        warnings={row.warnings}
                        tabIndex={isActive ? 0 : -1}
                        onOpen={() => can(kind, "edit") && actions(row)[0]?.run()}
                      />
                    )}
                    {hasActions && (
                      <EntityRowMenu
                        name={row.name}
                        tabIndex={isActive ? 0 : -1}
                        actions={() => actions(row)}
                        opened={menuOf === row.id}
                        onChange={(opened) => setMenuOf(opened ? row.id : null)}
                      />
                    )}
                  </div>
                )}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

function Cell({ kind, row, columnIndex }: { kind: EntityKind; row: EntityRow; columnIndex: number }) {
  const text = row.cells[columnIndex] ?? "";
  const column = kind.columns[columnIndex];
  const kinds = [column?.mono && classes["mono"], column?.isPath && classes["path"], column?.number && classes["number"]];
  return (
    <div
      role="gridcell"
      className={[classes["cell"], ...kinds].filter(Boolean).join(" ")}
      title={text}
      data-optional
      data-name={column !== undefined && column.name === kind.nameField ? true : undefined}
    >
      {column?.isPath ? <bdi dir="ltr">{text}</bdi> : text}
    </div>
  );
}

/** Short columns keep their width; long ones share the remaining space. */
function withIndex(indexes: number[], index: number): number[] {
  return index < 0 || indexes.includes(index) ? indexes : [...indexes, index].toSorted((one, other) => one - other);
}
