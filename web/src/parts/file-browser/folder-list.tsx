import { useMediaQuery } from "@mantine/hooks";
import { IconArrowDown } from "#ui/icons/arrow-down.ts";
import { IconArrowUp } from "#ui/icons/arrow-up.ts";
import { memo } from "react";
import { localTime, localZone } from "#lib/time/local-time.ts";
import { sizeText } from "#lib/text/size-text.ts";
import { FileActions, type ItemActions } from "./file-actions.tsx";
import { FileIcon } from "./file-icon.tsx";
import type { FolderItem, FolderSort, SortColumn } from "./folder.ts";
import { SelectAll, SelectItem } from "./select-boxes.tsx";
import { type ItemHandlers, useItemGrid } from "./use-item-grid.ts";
import type { Selection } from "./use-selection.ts";
import classes from "./file-browser.module.css";

export interface FolderViewProps {
  label: string;
  /** Filtered and sorted. */
  items: readonly FolderItem[];
  filter: string;
  sort: FolderSort;
  onSort: (sort: FolderSort) => void;
  selection: Selection;
  actions: ItemActions;
  goUp: () => void;
  /** Name of the item to start on, such as the folder that was just left. */
  startName: string | null;
  /** Whether the active item takes the focus when the view opens. */
  takesFocus: () => boolean;
}

/** On a phone, a row has two lines: the name, and below it the time and the size. */
const rowPx = { wide: 32, phone: 56 };
const headPx = { wide: 32, phone: 44 };

/** The items as a grid of virtual rows. Only the active row is in the tab order. */
export function FolderList({ label, sort, onSort, ...view }: FolderViewProps) {
  const { items, selection } = view;
  const phone = useMediaQuery("(max-width: 720px)", undefined, { getInitialValueInEffect: false });
  const width = phone ? "phone" : "wide";
  const px = { rowPx: rowPx[width], headPx: headPx[width] };
  const { scroller, virtualizer, active, handlers } = useItemGrid({ ...view, ...px, columns: 1, overscan: 8 });
  const hasSelection = selection.selected.size > 0;
  const header = { sort, onSort };
  return (
    <div className={classes["scroller"]} ref={scroller}>
      <div
        role="grid"
        aria-label={label}
        aria-rowcount={items.length + 1}
        aria-multiselectable
        className={classes["grid"]}
        style={{ height: virtualizer.getTotalSize() + px.headPx }}
      >
        <div role="rowgroup" className={classes["head"]}>
          <div role="row" aria-rowindex={1} className={classes["row"]}>
            <div role="columnheader" className={classes["check"]}>
              <SelectAll items={items} selection={selection} />
            </div>
            <Header column="name" text="Name" {...header} />
            <Header column="size" text="File Size" {...header} />
            <Header column="lastModified" text="Last Updated" hint={`Times in ${localZone()}`} {...header} />
            <div role="columnheader" className={classes["actions"]}>
              <span className="visually-hidden">Actions</span>
            </div>
          </div>
        </div>
        <div role="rowgroup">
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const item = items[index];
            return (
              item && (
                <FileRow
                  key={item.path}
                  item={item}
                  index={index}
                  top={start}
                  isActive={index === active}
                  isSelected={selection.selected.has(item.path)}
                  hasSelection={hasSelection}
                  handlers={handlers}
                />
              )
            );
          })}
        </div>
      </div>
    </div>
  );
}

interface HeaderProps extends Pick<FolderViewProps, "sort" | "onSort"> {
  column: SortColumn;
  text: string;
  /** Not part of the name of the column. */
  hint?: string;
}

function Header({ column, text, hint, sort, onSort }: HeaderProps) {
  const isSorted = sort.column === column;
  const Arrow = sort.descending ? IconArrowDown : IconArrowUp;
  return (
    <div
      role="columnheader"
      className={classes["cell"]}
      data-column={column}
      {...(isSorted ? { "aria-sort": sort.descending ? ("descending" as const) : ("ascending" as const) } : {})}
    >
      <button type="button" title={hint} onClick={() => onSort({ column, descending: isSorted && !sort.descending })}>
        {text}
        {isSorted && <Arrow size={14} aria-hidden />}
      </button>
    </div>
  );
}

interface FileRowProps {
  item: FolderItem;
  index: number;
  top: number;
  isActive: boolean;
  isSelected: boolean;
  /** Whether anything is selected, so that Escape clears the selection before it closes a dialog. */
  hasSelection: boolean;
  handlers: ItemHandlers;
}

const FileRow = memo(function FileRow({ item, index, top, isActive, isSelected, hasSelection, handlers }: FileRowProps) {
  const tabIndex = isActive ? 0 : -1;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-index={index}
      data-mantine-stop-propagation={hasSelection}
      tabIndex={tabIndex}
      className={`${classes["row"]} ${classes["body"]}`}
      style={{ transform: `translateY(${top}px)` }}
      onFocus={() => handlers.onFocus(index)}
      onKeyDown={(event) => handlers.onKeyDown(event, index)}
    >
      <div role="gridcell" className={classes["check"]}>
        <SelectItem item={item} isSelected={isSelected} onToggle={handlers.onToggle} tabIndex={tabIndex} />
      </div>
      <div role="gridcell" className={classes["cell"]} data-column="name" data-kind={item.kind}>
        <FileIcon item={item} size={18} />
        <button type="button" tabIndex={-1} className={classes["name"]} title={item.name} onClick={() => handlers.actions.open(item)}>
          {item.kind === "folder" ? `${item.name}/` : item.name}
        </button>
      </div>
      <div role="gridcell" className={classes["cell"]} data-column="size">
        {item.kind === "file" && sizeText(item.size)}
      </div>
      <div role="gridcell" className={classes["cell"]} data-column="lastModified">
        {item.kind === "file" && localTime(item.lastModifiedMs)}
      </div>
      <div role="gridcell" className={classes["actions"]}>
        <FileActions item={item} actions={handlers.actions} tabIndex={tabIndex} />
      </div>
    </div>
  );
});
