import { extensionOf, fileTypeOf } from "@fairway/contract/file-types";
import { Checkbox } from "@mantine/core";
import { useElementSize, useMergedRef } from "@mantine/hooks";
import { memo, useState } from "react";
import { isSavingData } from "#lib/gateway/data-saver.ts";
import { sizeText } from "#lib/text/size-text.ts";
import { FileActions, type ItemActions } from "./file-actions.tsx";
import { FileIcon } from "./file-icon.tsx";
import type { FolderItem } from "./folder.ts";
import type { FolderViewProps } from "./folder-list.tsx";
import { type ItemHandlers, useItemGrid } from "./use-item-grid.ts";
import classes from "./file-browser.module.css";

const tilePx = { width: 168, height: 172 };
/** Larger images are shown by their icon: the browser loads the whole file for a thumbnail. */
const maxThumbnailBytes = 1_000_000;

/** The items as virtual rows of tiles, images with a thumbnail. Only the active tile is in the tab order. */
export function FolderTiles({ label, ...view }: FolderViewProps) {
  const { items, selection } = view;
  const { ref: sizeRef, width } = useElementSize();
  const columns = width === 0 ? 0 : Math.max(1, Math.floor(width / tilePx.width));
  const { virtual, active, handlers } = useItemGrid({ ...view, columns, rowPx: tilePx.height, overscan: 2 });
  const { scroller, virtualizer } = virtual;
  const style = { gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`, height: tilePx.height };
  return (
    <div className={`${classes["scroller"]} ${classes["tiles"]}`} ref={useMergedRef(sizeRef, scroller)}>
      <div
        role="grid"
        aria-label={label}
        aria-rowcount={virtualizer.options.count}
        aria-colcount={columns}
        aria-multiselectable
        className={classes["grid"]}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map(({ index: row, start }) => (
          <div
            key={row}
            role="row"
            aria-rowindex={row + 1}
            className={classes["tileRow"]}
            style={{ ...style, transform: `translateY(${start}px)` }}
          >
            {items.slice(row * columns, (row + 1) * columns).map((item, column) => (
              <Tile
                key={item.path}
                item={item}
                index={row * columns + column}
                column={column}
                isActive={row * columns + column === active}
                isSelected={selection.selected.has(item.path)}
                hasSelection={selection.selected.size > 0}
                handlers={handlers}
              />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

interface TileProps {
  item: FolderItem;
  index: number;
  column: number;
  isActive: boolean;
  isSelected: boolean;
  /** Whether anything is selected, so that Escape clears the selection before it closes a dialog. */
  hasSelection: boolean;
  handlers: ItemHandlers;
}

const Tile = memo(function Tile({ item, index, column, isActive, isSelected, hasSelection, handlers }: TileProps) {
  const tabIndex = isActive ? 0 : -1;
  const { actions } = handlers;
  return (
    <div
      role="gridcell"
      aria-colindex={column + 1}
      aria-selected={isSelected}
      aria-label={item.kind === "folder" ? `${item.name}/` : `${item.name}, ${sizeText(item.size)}`}
      data-index={index}
      data-kind={item.kind}
      data-mantine-stop-propagation={hasSelection}
      tabIndex={tabIndex}
      className={classes["tile"]}
      onFocus={() => handlers.onFocus(index)}
      onKeyDown={(event) => handlers.onKeyDown(event, index)}
    >
      <button type="button" tabIndex={-1} className={classes["picture"]} onClick={() => actions.open(item)}>
        <Picture item={item} actions={actions} />
        <span className={classes["tileName"]} title={item.name}>
          {item.kind === "folder" ? `${item.name}/` : item.name}
        </span>
      </button>
      <div className={classes["tileFoot"]}>
        <Checkbox
          aria-label={`Select ${item.name}`}
          tabIndex={tabIndex}
          checked={isSelected}
          onChange={({ nativeEvent }) => handlers.onToggle(item, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
        />
        <small>{item.kind === "file" && sizeText(item.size)}</small>
        <FileActions item={item} actions={actions} tabIndex={tabIndex} />
      </div>
    </div>
  );
});

/** The thumbnail of a small image; otherwise the icon. */
function Picture({ item, actions }: { item: FolderItem; actions: ItemActions }) {
  const [hasFailed, setFailed] = useState(false);
  const hasThumbnail =
    item.kind === "file" &&
    !hasFailed &&
    item.size <= maxThumbnailBytes &&
    !isSavingData() &&
    fileTypeOf(item.name).preview === "image" &&
    extensionOf(item.name) !== "";
  return (
    <span className={classes["thumbnail"]}>
      {hasThumbnail ? (
        <img src={actions.downloadUrl(item)} alt="" loading="lazy" decoding="async" onError={() => setFailed(true)} />
      ) : (
        <FileIcon item={item} size={40} />
      )}
    </span>
  );
}
