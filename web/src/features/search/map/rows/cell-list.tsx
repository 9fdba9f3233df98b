import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import classes from "./rows.module.css";

export interface ListedCell {
  readonly key: string;
  /** A CSS color; null without a value. */
  readonly color: string | null;
  readonly place: string;
  readonly value: string;
  /** Rows behind the value, where few could mislead. */
  readonly rows: string | null;
}

interface Props {
  label: string;
  cells: readonly ListedCell[];
  selected: string | null;
  /** The arrow keys or the mouse are on a cell; null: on none. */
  onPoint: (key: string | null, how: "keys" | "mouse") => void;
  onOpen: (key: string) => void;
}

/** Cells or rows by value: arrows outline one on the map, Enter opens its card. */
export function CellList({ label, cells, selected, onPoint, onOpen }: Props) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const index = cells.findIndex(({ key }) => key === (activeKey ?? selected));
  const selectedIndex = cells.findIndex(({ key }) => key === selected);
  useEffect(() => {
    if (selectedIndex >= 0) list.current?.children[selectedIndex]?.scrollIntoView({ block: "nearest" });
    // Other cells in view must not scroll the list.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only a new selection scrolls
  }, [selected]);
  const moveTo = (next: number) => {
    const cell = cells[Math.max(0, Math.min(cells.length - 1, next))];
    if (cell === undefined) return;
    setActiveKey(cell.key);
    list.current?.children[cells.indexOf(cell)]?.scrollIntoView({ block: "nearest" });
    onPoint(cell.key, "keys");
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Partial<Record<string, number>> = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      Home: 0,
      End: cells.length - 1,
      PageDown: index + 10,
      PageUp: index - 10,
    };
    const next = steps[event.key];
    if (next !== undefined) {
      event.preventDefault();
      moveTo(next);
    } else if ((event.key === "Enter" || event.key === " ") && cells[index] !== undefined) {
      event.preventDefault();
      onOpen(cells[index].key);
    }
  };
  return (
    <div
      ref={list}
      role="listbox"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={index >= 0 ? `${id}-${index}` : undefined}
      className={classes["list"]}
      onKeyDown={onKeyDown}
      onFocus={() => {
        if (index < 0) moveTo(0);
        else onPoint(cells[index]?.key ?? null, "keys");
      }}
      onBlur={() => onPoint(null, "keys")}
      onPointerLeave={() => onPoint(null, "mouse")}
    >
      {cells.map((cell, at) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the list keeps the focus and handles keys
        <div
          key={cell.key}
          id={`${id}-${at}`}
          role="option"
          aria-selected={cell.key === selected}
          data-active={at === index || undefined}
          className={classes["cell"]}
          onPointerEnter={() => onPoint(cell.key, "mouse")}
          onClick={() => {
            setActiveKey(cell.key);
            onOpen(cell.key);
          }}
        >
          <i
            className={classes["swatch"]}
            data-hollow={cell.color === null || undefined}
            style={cell.color === null ? undefined : { background: cell.color }}
          />
          <span className={classes["place"]}>{cell.place}</span>
          <span className={classes["value"]}>
            {cell.value}
            {cell.rows !== null && <> · {cell.rows}</>}
          </span>
        </div>
      ))}
    </div>
  );
}
