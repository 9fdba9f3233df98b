import { memo, useCallback, useEffect } from "react";
import { hasPath } from "#features/search/map/model/path-model.ts";
import type { MapItem } from "#features/search/map/model/map-items.ts";
import type { PathState } from "#features/search/map/model/path-sessions.ts";
import { ageText, type Staleness } from "#features/search/map/model/item-age.ts";
import { stopProps, useCellStops } from "#ui/kit/use-cell-stops.ts";
import { useVirtualRows } from "#ui/kit/use-virtual-rows.ts";
import classes from "./frame/map.module.css";

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
  /** The value of this column, which takes the place of the age. */
  valueTextOf: ((item: MapItem) => string) | null;
  onSelect: (item: MapItem) => void;
  onTogglePath: (item: MapItem) => void;
  onHover: (id: string | null) => void;
  /** A character was typed in the list; it belongs to the filter. */
  onType: () => void;
}

/** Virtualized grid of items with one tab stop: up and down move between items, left and right between path and name. */
export function ItemGrid(props: Props) {
  const { items, selected, paths, stalenessOf, seenMs, endMs, dotColor, valueTextOf, onSelect, onTogglePath, onHover, onType } = props;
  const indexOf = (id: string | null) => items.findIndex((item) => item.id === id);
  const selectedIndex = indexOf(selected);
  const { stop, stopCell, setActive, onKeyDown } = useCellStops<Cell>({
    count: items.length,
    keyOf: (index) => items[index]?.id,
    indexOf: (id) => found(id === selected ? selectedIndex : indexOf(id)),
    selected,
    cells: ["path", "name"],
    hasLeft: (index) => items[index] !== undefined && hasPath(items[index]),
    reveal: (index) => virtualizer.scrollToIndex(index, { align: "auto" }),
    onType,
  });
  const keyOf = useCallback((index: number) => items[index]?.id ?? index, [items]);
  const { scroller, virtualizer } = useVirtualRows({ count: items.length, rowPx, overscan: 12, kept: stop, keyOf });
  useEffect(() => {
    if (selectedIndex >= 0) virtualizer.scrollToIndex(selectedIndex, { align: "auto" });
    // Filtering changes the row index of the selected item, but must not scroll to it.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only a new selection scrolls
  }, [selected, virtualizer]);

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
          const isUnseen = timeMs !== null && timeMs > endMs;
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
                staleness={isUnseen ? "unseen" : stalenessOf(timeMs)}
                color={dotColor?.(index) ?? null}
                age={valueTextOf === null || isUnseen ? ageText(timeMs, endMs) : valueTextOf(item)}
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

const found = (index: number): number | undefined => (index === -1 ? undefined : index);

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
  /** Its age, or the value that colors it. */
  age: string;
  /** The focusable cell; null in other rows. */
  stopCell: Cell | null;
  onFocusCell: (active: { key: string; cell: Cell }) => void;
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
  const cell = (of: Cell) => stopProps({ key: id, cell: of }, stopCell === of, on.onFocusCell);
  return (
    <div
      role="row"
      tabIndex={-1}
      aria-rowindex={index + 1}
      aria-selected={isSelected}
      ref={measure}
      data-index={index}
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
        {loading === null && problem === null && color === null && stalenessSuffix[staleness] !== "" && (
          <span className="visually-hidden">{stalenessSuffix[staleness]}</span>
        )}
      </span>
    </div>
  );
});
