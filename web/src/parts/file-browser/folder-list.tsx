import { Checkbox } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useRef } from "react";
import { localTime, localZone } from "#lib/local-time.ts";
import { sizeText } from "#lib/size-text.ts";
import { FileActions, type ItemActions } from "./file-actions.tsx";
import { FileIcon } from "./file-icon.tsx";
import type { FolderItem, FolderSort, SortColumn } from "./folder.ts";
import { useActiveItem } from "./use-active-item.ts";
import { type Selection, useItemKeys } from "./use-item-keys.ts";
import classes from "./file-browser.module.css";

export interface FolderViewProps {
  label: string;
  /** Filtered and sorted. */
  items: readonly FolderItem[];
  sort: FolderSort;
  onSort: (sort: FolderSort) => void;
  selection: Selection;
  actions: ItemActions;
  goUp: () => void;
  /** Name of the item to start on, such as the folder that was just left. */
  startName: string | null;
  /** Whether the active item takes the focus when the view opens. */
  takesFocus: boolean;
}

const rowPx = { wide: 32, phone: 44 };

/** The items as a grid of virtual rows. Only the active row is in the tab order. */
export function FolderList({ label, items, sort, onSort, selection, actions, goUp, startName, takesFocus }: FolderViewProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const phone = useMediaQuery("(max-width: 720px)", undefined, { getInitialValueInEffect: false });
  const height = phone ? rowPx.phone : rowPx.wide;
  const { active, setActive, focusItem } = useActiveItem({
    items,
    startName,
    takesFocus,
    scroller,
    scrollTo: (index) => virtualizer.scrollToIndex(index),
  });
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 8,
    scrollMargin: height,
    scrollPaddingStart: height,
    // The active row stays in the document while scrolling.
    rangeExtractor: useCallback(
      (range: Range) => [...new Set([...defaultRangeExtractor(range), ...(active < range.count ? [active] : [])])].sort((a, b) => a - b),
      [active],
    ),
  });
  const page = () => Math.max(1, Math.floor((scroller.current?.clientHeight ?? height) / height) - 2);
  const onKeyDown = useItemKeys({ items, columns: 1, page: page(), focusItem, open: actions.open, goUp, selection });

  const header = (column: SortColumn, text: string, note?: string) => {
    const isSorted = sort.column === column;
    const Arrow = sort.descending ? IconArrowDown : IconArrowUp;
    return (
      <div
        role="columnheader"
        className={classes["cell"]}
        data-column={column}
        {...(isSorted ? { "aria-sort": sort.descending ? ("descending" as const) : ("ascending" as const) } : {})}
      >
        <button type="button" onClick={() => onSort({ column, descending: isSorted && !sort.descending })}>
          {text}
          {note !== undefined && <small>{note}</small>}
          {isSorted && <Arrow size={14} aria-hidden />}
        </button>
      </div>
    );
  };

  return (
    <div className={classes["scroller"]} ref={scroller}>
      <div
        role="grid"
        aria-label={label}
        aria-rowcount={items.length + 1}
        aria-multiselectable
        className={classes["grid"]}
        style={{ height: virtualizer.getTotalSize() + height }}
      >
        <div role="rowgroup" className={classes["head"]}>
          <div role="row" aria-rowindex={1} className={classes["row"]}>
            <div role="columnheader" className={classes["check"]}>
              <SelectAll items={items} selection={selection} />
            </div>
            {header("name", "Name")}
            {header("size", "File Size")}
            {!phone && header("lastModified", "Last Updated", localZone())}
            <div role="columnheader" className={classes["actions"]}>
              <span className="visually-hidden">Actions</span>
            </div>
          </div>
        </div>
        <div role="rowgroup">
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const item = items[index];
            if (!item) return null;
            const tabIndex = index === active ? 0 : -1;
            return (
              <div
                key={item.path}
                role="row"
                aria-rowindex={index + 2}
                aria-selected={selection.selected.has(item.path)}
                data-index={index}
                tabIndex={tabIndex}
                className={`${classes["row"]} ${classes["body"]}`}
                style={{ transform: `translateY(${start}px)` }}
                onFocus={() => setActive(index)}
                onKeyDown={(event) => onKeyDown(event, index)}
              >
                <div role="gridcell" className={classes["check"]}>
                  <SelectItem item={item} selection={selection} tabIndex={tabIndex} />
                </div>
                <div role="gridcell" className={classes["cell"]} data-column="name" data-kind={item.kind}>
                  <FileIcon item={item} size={18} />
                  <button type="button" tabIndex={-1} className={classes["name"]} title={item.name} onClick={() => actions.open(item)}>
                    {item.kind === "folder" ? `${item.name}/` : item.name}
                  </button>
                </div>
                <div role="gridcell" className={classes["cell"]} data-column="size">
                  {item.kind === "file" && sizeText(item.size)}
                </div>
                {!phone && (
                  <div role="gridcell" className={classes["cell"]} data-column="lastModified">
                    {item.kind === "file" && localTime(item.lastModifiedMs)}
                  </div>
                )}
                <div role="gridcell" className={classes["actions"]}>
                  <FileActions item={item} actions={actions} tabIndex={tabIndex} />
                </div>
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

function SelectAll({ items, selection: { selected, selectAll, clear } }: { items: readonly FolderItem[]; selection: Selection }) {
  return (
    <Checkbox
      aria-label="Select all"
      checked={selected.size === items.length}
      indeterminate={selected.size > 0 && selected.size < items.length}
      onChange={selected.size === items.length ? clear : selectAll}
    />
  );
}

export function SelectItem({ item, selection, tabIndex }: { item: FolderItem; selection: Selection; tabIndex: 0 | -1 }) {
  return (
    <Checkbox
      aria-label={`Select ${item.name}`}
      tabIndex={tabIndex}
      checked={selection.selected.has(item.path)}
      onChange={() => selection.toggle(item)}
    />
  );
}
