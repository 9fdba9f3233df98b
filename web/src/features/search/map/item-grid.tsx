import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, memo, useCallback, useEffect, useRef, useState } from "react";
import { hasPath } from "#features/search/map/model/path-model.ts";
import type { MapItem } from "#features/search/map/model/map-items.ts";
import type { PathState } from "#features/search/map/model/path-sessions.ts";
import { ageText, type Staleness } from "#features/search/map/model/item-age.ts";
import { nextRowIndex } from "#ui/next-row-index.ts";
import classes from "./item-panel.module.css";

/** Of a row whose name fits on one line. */
const rowPx = 32;
type Cell = "path" | "name";

interface Props {
  items: readonly MapItem[];
  selected: string | null;
  paths: ReadonlyMap<string, PathState>;
  stalenessOf: (timeMs: number | null) => Staleness;
  /** When an item was last seen before `endMs`. */
  seenMs: (item: MapItem) => number | null;
  /** The time that ages are measured against. */
  endMs: number;
  /** The color of a column's value by the item's index; null for the color of its age. */
  dotColor: ((index: number) => string) | null;
  onSelect: (item: MapItem) => void;
  onTogglePath: (item: MapItem) => void;
  onHover: (id: string | null) => void;
  /** A character was typed in the list; it belongs to the filter. */
  onType: () => void;
}

/** Virtualized grid of items with one tab stop: up and down move between items, left and right between path and name. */
export function ItemGrid(props: Props) {
  const { items, selected, paths, stalenessOf, seenMs, endMs, dotColor, onSelect, onTogglePath, onHover, onType } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const pendingFocus = useRef<Cell | null>(null);
  const [active, setActive] = useState<{ id: string; cell: Cell } | null>(null);
  const indexOf = (id: string | undefined | null) => (id === undefined || id === null ? -1 : items.findIndex((item) => item.id === id));
  const activeIndex = indexOf(active?.id);
  const selectedIndex = indexOf(selected);
  const stop = activeIndex >= 0 ? activeIndex : Math.max(0, selectedIndex);
  const stopCell = active?.cell ?? "name";

  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 12,
    indexAttribute: "data-row",
    // A new function on every render would remeasure all rows.
    getItemKey: useCallback((index: number) => items[index]?.id ?? index, [items]),
    rangeExtractor: useCallback(
      (range: Range) => {
        const indexes = defaultRangeExtractor(range);
        return stop < 0 || stop >= range.count || indexes.includes(stop)
          ? indexes
          : [...indexes, stop].toSorted((one, other) => one - other);
      },
      [stop],
    ),
  });
  useEffect(() => {
    if (selectedIndex >= 0) virtualizer.scrollToIndex(selectedIndex, { align: "auto" });
    // Filtering changes the row index of the selected item, but must not scroll to it.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only a new selection scrolls
  }, [selected, virtualizer]);
  useEffect(() => {
    const cell = pendingFocus.current;
    if (cell === null) return;
    pendingFocus.current = null;
    scroller.current?.querySelector<HTMLElement>(`[data-row="${stop}"] [data-cell="${cell}"]`)?.focus({ preventScroll: true });
  }, [stop, stopCell]);

  const move = (index: number, cell: Cell) => {
    const item = items[index];
    if (!item) return;
    // Items without a path have no focusable path cell.
    const targetCell = hasPath(item) ? cell : "name";
    pendingFocus.current = targetCell;
    virtualizer.scrollToIndex(index, { align: "auto" });
    setActive({ id: item.id, cell: targetCell });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = nextRowIndex(event.key, stop, items.length);
    if (target !== undefined) move(target, stopCell);
    else if (event.key === "ArrowLeft") move(stop, "path");
    else if (event.key === "ArrowRight") move(stop, "name");
    // The character itself goes into the field, which is focused by then.
    else if (event.key.length === 1 && event.key !== " " && event.key !== "/" && event.key !== "?") return onType();
    else return;
    event.preventDefault();
  };

  return (
    <div ref={scroller} className={classes["scroll"]} data-scroller="items">
      <div
        role="grid"
        tabIndex={-1}
        aria-label="Items"
        aria-rowcount={items.length}
        aria-colcount={3}
        className={classes["grid"]}
        style={{ height: virtualizer.getTotalSize() }}
        onKeyDown={onKeyDown}
        onPointerLeave={() => onHover(null)}
      >
        {virtualizer.getVirtualItems().map(({ index, key, start }) => {
          const item = items[index];
          const timeMs = item ? seenMs(item) : null;
          return (
            item && (
              <ItemRow
                key={key}
                item={item}
                index={index}
                top={start}
                measure={virtualizer.measureElement}
                isSelected={index === selectedIndex}
                path={paths.get(item.id)}
                staleness={timeMs !== null && timeMs > endMs ? "unseen" : stalenessOf(timeMs)}
                color={dotColor?.(index) ?? null}
                age={ageText(timeMs, endMs)}
                stopCell={index === stop ? stopCell : null}
                onFocusCell={setActive}
                onSelect={onSelect}
                onTogglePath={onTogglePath}
                onHover={onHover}
              />
            )
          );
        })}
      </div>
    </div>
  );
}

interface RowProps extends Pick<Props, "onSelect" | "onTogglePath" | "onHover"> {
  item: MapItem;
  index: number;
  top: number;
  /** Reports the height of the row, which a long name makes higher. */
  measure: (row: HTMLElement | null) => void;
  isSelected: boolean;
  path: PathState | undefined;
  staleness: Staleness | "unseen";
  /** Instead of the color of its age. */
  color: string | null;
  age: string;
  /** The focusable cell; null in other rows. */
  stopCell: Cell | null;
  onFocusCell: (active: { id: string; cell: Cell }) => void;
}

const stalenessSuffix: Readonly<Record<RowProps["staleness"], string>> = {
  fresh: "",
  unseen: "",
  warning: ", stale",
  error: ", very stale",
};

const ItemRow = memo(function ItemRow({ item, index, top, measure, isSelected, path, staleness, color, age, stopCell, ...on }: RowProps) {
  const { id, name, mark, problem } = item;
  const loading = path?.phase === "loading" ? `loading ${path.percent}%` : null;
  const cell = (of: Cell) => ({
    "data-cell": of,
    tabIndex: stopCell === of ? 0 : -1,
    onFocus: () => on.onFocusCell({ id, cell: of }),
  });
  return (
    <div
      role="row"
      tabIndex={-1}
      aria-rowindex={index + 1}
      aria-selected={isSelected}
      ref={measure}
      data-row={index}
      className={classes["row"]}
      style={{ transform: `translateY(${top}px)` }}
      onPointerEnter={() => on.onHover(id)}
    >
      <span role="gridcell" className={classes["pathCell"]}>
        <button
          type="button"
          role="checkbox"
          aria-checked={path === undefined ? false : path.phase === "visible" ? true : "mixed"}
          aria-label={[`Path of ${name}${mark === null ? "" : ` ${mark}`}`, ...(loading === null ? [] : [loading])].join(", ")}
          title={path === undefined ? "Show path" : path.phase === "visible" ? "Hide path" : "Cancel loading"}
          disabled={!hasPath(item)}
          className={classes["check"]}
          onClick={() => on.onTogglePath(item)}
          {...cell("path")}
        />
      </span>
      <span role="gridcell" className={classes["nameCell"]}>
        <button
          type="button"
          className={classes["name"]}
          title={name === id ? name : `${name} (${id})`}
          onClick={() => on.onSelect(item)}
          {...cell("name")}
        >
          <i
            className={classes["dot"]}
            data-stale={problem === null ? staleness : "none"}
            style={color === null || problem !== null ? undefined : { background: color }}
          />
          <span className={classes["texts"]}>
            <span>{name}</span>
            {mark !== null && <small>{mark}</small>}
          </span>
        </button>
      </span>
      <span role="gridcell" className={classes["age"]}>
        {loading ??
          (problem === null ? age : problem === "text" ? "text for coordinates" : problem === "missing" ? "no coordinates" : problem)}
        {loading === null && problem === null && stalenessSuffix[staleness] !== "" && (
          <span className="visually-hidden">{stalenessSuffix[staleness]}</span>
        )}
      </span>
    </div>
  );
});
