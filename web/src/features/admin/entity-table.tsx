import { Checkbox } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useCallback, useRef, useState } from "react";
import { EntityRowMenu } from "./entity-row-menu.tsx";
import { EntityRowWarnings } from "./entity-row-warnings.tsx";
import { can, type EntityAbility, type EntityKind } from "./entity-kind.ts";
import { type EntityRow, type EntitySort, enabledColumn, idColumn } from "./entity-list.ts";
import { widthsOf } from "./entity-widths.ts";
import type { RowActions } from "./use-entity-actions.ts";
import classes from "./entity-table.module.css";

const abilities: readonly EntityAbility[] = ["edit", "copy", "export", "toggle", "remove"];
const rowPx = 32;

interface EntityTableProps {
  kind: EntityKind;
  /** Filtered and in order. */
  rows: readonly EntityRow[];
  /** Places of the shown columns among the kind's. */
  columns: readonly number[];
  sort: EntitySort;
  onSort: (sort: EntitySort) => void;
  selected: ReadonlySet<string>;
  onSelect: (selected: ReadonlySet<string>) => void;
  actions: RowActions;
}

/**
 * The entities as a grid of virtual rows. The arrow keys move from row to row, Space chooses one, Enter edits it, and its menu
 * opens by Shift+F10; only the row that holds the focus is in the order of Tab.
 */
export function EntityTable({ kind, rows, columns: wanted, sort, onSort, selected, onSelect, actions }: EntityTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const phone = useMediaQuery("(max-width: 720px)", undefined, { getInitialValueInEffect: false });
  // There is room for what people call it, and for its menu.
  const columns = phone ? wanted.filter((index) => kind.columns[index]?.name === kind.nameField) : wanted;
  const [active, setActive] = useState(0);
  const [menuOf, setMenuOf] = useState<string | null>(null);
  const at = Math.min(active, rows.length - 1);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 8,
    scrollMargin: rowPx,
    scrollPaddingStart: rowPx,
    // The row that holds the focus stays in the document, wherever one scrolls.
    rangeExtractor: useCallback((range: Range) => withIndex(defaultRangeExtractor(range), at), [at]),
  });

  // A type that can only be looked at has nothing to choose rows for.
  const isLive = abilities.some((ability) => can(kind, ability));
  const togglable = rows.some(({ enabled }) => enabled !== undefined);
  const someWarn = rows.some(({ warnings }) => warnings.length > 0);
  // One that the gateway gave says nothing to people.
  const withId = !phone || !kind.givenId;
  const widths = widthsOf(kind, rows, columns);
  const template = [
    isLive ? "calc(var(--page-pad) + 24px)" : "calc(var(--page-pad) - 12px)",
    ...(withId ? [phone ? "minmax(96px, 1fr)" : shareOf(widths.id)] : []),
    ...(phone ? columns.map(() => "minmax(88px, 1fr)") : widths.columns.map(shareOf)),
    ...(togglable ? ["96px"] : []),
    `calc(var(--page-pad) + ${someWarn ? 68 : 36}px)`,
  ].join(" ");
  const style = { gridTemplateColumns: template };
  const everyChosen = rows.every(({ id }) => selected.has(id));
  const someChosen = rows.some(({ id }) => selected.has(id));

  const choose = (id: string) => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    onSelect(next);
  };
  const focusRow = (index: number) => {
    const to = Math.max(0, Math.min(rows.length - 1, index));
    setActive(to);
    virtualizer.scrollToIndex(to);
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-index="${to}"]`)?.focus());
  };
  const onKeyDown = (event: KeyboardEvent, index: number, row: EntityRow) => {
    if (!(event.target instanceof HTMLElement)) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? rowPx) / rowPx) - 2);
    const to: Partial<Record<string, number>> = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      PageDown: index + page,
      PageUp: index - page,
      Home: 0,
      End: rows.length - 1,
    };
    const target = to[event.key];
    if (event.target.matches("[role=row]") || event.target.matches("input, [data-row-menu]")) {
      if (target !== undefined) focusRow(target);
      else if (event.key === "F10" && event.shiftKey) setMenuOf(row.id);
      else if (!event.target.matches("[role=row]")) return;
      else if (event.key === " " && isLive) choose(row.id);
      else if (event.key === "Enter" && can(kind, "edit")) actions(row)[0]?.run();
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
            <div role="columnheader" className={classes["check"]}>
              {isLive && (
                <Checkbox
                  aria-label="Select all"
                  checked={everyChosen}
                  indeterminate={someChosen && !everyChosen}
                  onChange={() => onSelect(everyChosen ? new Set() : new Set(rows.map(({ id }) => id)))}
                />
              )}
            </div>
            {withId && header("id", idColumn)}
            {columns.map((index) => header(kind.columns[index]?.name ?? "", index))}
            {togglable && header("enabled", enabledColumn)}
            <div role="columnheader" className={classes["menu"]}>
              <span className="visually-hidden">Actions</span>
            </div>
          </div>
        </div>
        <div role="rowgroup">
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            if (!row) return null;
            const isActive = index === at;
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
                <div role="gridcell" className={classes["check"]}>
                  {isLive && (
                    <Checkbox
                      aria-label={`Select ${row.name}`}
                      tabIndex={isActive ? 0 : -1}
                      checked={selected.has(row.id)}
                      onChange={() => choose(row.id)}
                    />
                  )}
                </div>
                {withId && (
                  <div role="gridcell" className={`${classes["cell"]} ${classes["mono"]}`} title={row.id}>
                    {row.id}
                  </div>
                )}
                {columns.map((place) => (
                  <Cell key={place} kind={kind} row={row} place={place} />
                ))}
                {togglable && (
                  <div role="gridcell" className={classes["cell"]}>
                    <span className={classes["dot"]} data-enabled={row.enabled} />
                    <span className={row.enabled === true ? "visually-hidden" : classes["mute"]}>
                      {row.enabled === true ? "enabled" : "disabled"}
                    </span>
                  </div>
                )}
                <div role="gridcell" className={classes["menu"]}>
                  {row.warnings.length > 0 && (
                    <EntityRowWarnings
                      name={row.name}
                      warnings={row.warnings}
                      tabIndex={isActive ? 0 : -1}
                      onOpen={() => can(kind, "edit") && actions(row)[0]?.run()}
                    />
                  )}
                  {isLive && (
                    <EntityRowMenu
                      name={row.name}
                      tabIndex={isActive ? 0 : -1}
                      actions={() => actions(row)}
                      opened={menuOf === row.id}
                      onChange={(opened) => setMenuOf(opened ? row.id : null)}
                    />
                  )}
                </div>
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

function Cell({ kind, row, place }: { kind: EntityKind; row: EntityRow; place: number }) {
  const text = row.cells[place] ?? "";
  const column = kind.columns[place];
  const look = [classes["cell"], column?.mono && classes["mono"], column?.number && classes["number"]].filter(Boolean).join(" ");
  return (
    <div role="gridcell" className={look} title={text} data-optional>
      {text}
    </div>
  );
}

/** A short column keeps what it needs; long ones share what is left. */
const shareOf = (neededPx: number): string => `minmax(${Math.min(neededPx, 128)}px, ${neededPx}fr)`;

function withIndex(indexes: number[], index: number): number[] {
  return index < 0 || indexes.includes(index) ? indexes : [...indexes, index].toSorted((one, other) => one - other);
}
