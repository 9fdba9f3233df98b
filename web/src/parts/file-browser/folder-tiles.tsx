import { extensionOf, fileTypeOf } from "@fairway/contract/file-types";
import { useElementSize, useMergedRef } from "@mantine/hooks";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef, useState } from "react";
import { isSavingData } from "#lib/data-saver.ts";
import { sizeText } from "#lib/size-text.ts";
import { FileActions, type ItemActions } from "./file-actions.tsx";
import { FileIcon } from "./file-icon.tsx";
import type { FolderItem } from "./folder.ts";
import { type FolderViewProps, SelectItem } from "./folder-list.tsx";
import { useActiveItem } from "./use-active-item.ts";
import { useItemKeys } from "./use-item-keys.ts";
import classes from "./file-browser.module.css";

const tilePx = { width: 168, height: 172 };
/** Larger images are shown by their icon: the browser loads the whole file for a thumbnail. */
const maxThumbnailBytes = 1_000_000;

/** The items as virtual rows of tiles, images with a thumbnail. Only the active tile is in the tab order. */
export function FolderTiles({ label, items, selection, actions, goUp, startName, takesFocus }: FolderViewProps) {
  const { ref: sizeRef, width } = useElementSize();
  const scroller = useRef<HTMLDivElement>(null);
  const columns = Math.max(1, Math.floor(width / tilePx.width));
  const rows = Math.ceil(items.length / columns);
  const { active, setActive, focusItem } = useActiveItem({
    items,
    startName,
    takesFocus,
    scroller,
    scrollTo: (index) => virtualizer.scrollToIndex(Math.floor(index / columns)),
  });
  const virtualizer = useVirtualizer({
    count: width === 0 ? 0 : rows,
    getScrollElement: () => scroller.current,
    estimateSize: () => tilePx.height,
    overscan: 2,
  });
  const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / tilePx.height) - 1);
  const onKeyDown = useItemKeys({ items, columns, page, focusItem, open: actions.open, goUp, selection });
  const style = { gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` };
  return (
    <div className={`${classes["scroller"]} ${classes["tiles"]}`} ref={useMergedRef(sizeRef, scroller)}>
      <div
        role="grid"
        aria-label={label}
        aria-rowcount={rows}
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
            style={{ ...style, height: tilePx.height, transform: `translateY(${start}px)` }}
          >
            {items.slice(row * columns, (row + 1) * columns).map((item, column) => {
              const index = row * columns + column;
              const tabIndex = index === active ? 0 : -1;
              return (
                <div
                  key={item.path}
                  role="gridcell"
                  aria-colindex={column + 1}
                  aria-selected={selection.selected.has(item.path)}
                  aria-label={item.kind === "folder" ? `${item.name}/` : `${item.name}, ${sizeText(item.size)}`}
                  data-index={index}
                  data-kind={item.kind}
                  tabIndex={tabIndex}
                  className={classes["tile"]}
                  onFocus={() => setActive(index)}
                  onKeyDown={(event) => onKeyDown(event, index)}
                >
                  <button type="button" tabIndex={-1} className={classes["picture"]} onClick={() => actions.open(item)}>
                    <Picture item={item} actions={actions} />
                    <span className={classes["tileName"]} title={item.name}>
                      {item.kind === "folder" ? `${item.name}/` : item.name}
                    </span>
                  </button>
                  <div className={classes["tileFoot"]}>
                    <SelectItem item={item} selection={selection} tabIndex={tabIndex} />
                    <small>{item.kind === "file" && sizeText(item.size)}</small>
                    <FileActions item={item} actions={actions} tabIndex={tabIndex} />
                  </div>
                </div>
              );
            })}
          </div>
        ))}
      </div>
    </div>
  );
}

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
