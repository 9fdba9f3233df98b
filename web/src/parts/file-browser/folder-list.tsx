import { useMediaQuery } from "@mantine/hooks";
import { useMemo } from "react";
import { localTime } from "#lib/time/local-time.ts";
import { browserZone } from "#lib/time/time-zone.ts";
import { sizeText } from "#lib/text/size-text.ts";
import { type RowsColumn, RowsTable } from "#ui/kit/rows-table.tsx";
import { FileActions, type ItemActions } from "./file-actions.tsx";
import { FileIcon } from "./file-icon.tsx";
import type { FolderItem, FolderSort, SortColumn } from "./folder.ts";
import { useItemGrid } from "./use-item-grid.ts";
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

/** The items as rows. */
export function FolderList({ label, sort, onSort, ...view }: FolderViewProps) {
  const { items, selection } = view;
  const phone = useMediaQuery("(max-width: 720px)", undefined, { getInitialValueInEffect: false });
  const width = phone ? "phone" : "wide";
  const { virtual, active, handlers } = useItemGrid({ ...view, rowPx: rowPx[width], headPx: headPx[width], columns: 1, overscan: 8 });
  return (
    <RowsTable
      label={label}
      columns={useMemo(() => columnsOf(handlers.actions), [handlers])}
      rows={items}
      rowKey={({ path }) => path}
      virtual={virtual}
      sort={sort}
      onSort={onSort}
      selection={{
        selected: selection.selected,
        boxes,
        toggle: handlers.onToggle,
        toggleAll: (isSelected) => (isSelected ? selection.selectAll() : selection.clear()),
        isClearedByEscape: true,
      }}
      focus={{ active, onActive: handlers.onFocus, onKeyDown: handlers.onKeyDown }}
      rowClassName={classes["row"]}
    />
  );
}

const boxes = { all: "Select all", of: ({ name }: FolderItem) => `Select ${name}` };

const columnsOf = (actions: ItemActions): RowsColumn<FolderItem, SortColumn>[] => [
  {
    id: "name",
    header: "Name",
    sortsBy: "name",
    className: classes["cell"],
    marks: ({ kind }) => ({ "data-kind": kind }),
    cell: (item) => (
      <>
        <FileIcon item={item} size={18} />
        <button type="button" tabIndex={-1} className={classes["name"]} title={item.name} onClick={() => actions.open(item)}>
          {item.kind === "folder" ? `${item.name}/` : item.name}
        </button>
      </>
    ),
  },
  {
    id: "size",
    header: "File Size",
    sortsBy: "size",
    className: classes["cell"],
    cell: (item) => item.kind === "file" && sizeText(item.size),
  },
  {
    id: "lastModified",
    header: "Last Updated",
    headerHint: `Times in ${browserZone()}`,
    sortsBy: "lastModified",
    className: classes["cell"],
    cell: (item) => item.kind === "file" && localTime(item.lastModifiedMs),
  },
  {
    id: "actions",
    header: <span className="visually-hidden">Actions</span>,
    className: classes["actions"],
    cell: (item, tabIndex) => <FileActions item={item} actions={actions} tabIndex={tabIndex} />,
  },
];
