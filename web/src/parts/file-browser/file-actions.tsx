import { IconDownload } from "#ui/icons/download.ts";
import { IconLink } from "#ui/icons/link.ts";
import { IconTrash } from "#ui/icons/trash.ts";
import { IconTablePlus } from "#ui/icons/table-plus.ts";
import { isDataFile } from "#parts/add-data/make-dataset.ts";
import { Hint } from "#ui/hint.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import type { FolderItem } from "./folder.ts";
import classes from "./file-browser.module.css";

/** Actions on items. */
export interface ItemActions {
  open: (item: FolderItem) => void;
  downloadUrl: (item: FolderItem) => string;
  copyLink: (item: FolderItem) => void;
  /** Null where nobody may make datasets. */
  makeDataset: ((item: FolderItem) => void) | null;
  /** Null unless the user may delete files. */
  remove: ((items: readonly FolderItem[]) => void) | null;
}

/** The actions at the end of an item. A folder has no download. */
export function FileActions({ item, actions, tabIndex }: { item: FolderItem; actions: ItemActions; tabIndex: 0 | -1 }) {
  const { makeDataset, remove } = actions;
  return (
    <>
      <IconButton
        label={`Copy link to ${item.name}`}
        className={classes["quiet"] ?? ""}
        tabIndex={tabIndex}
        onClick={() => actions.copyLink(item)}
      >
        <IconLink size={16} aria-hidden />
      </IconButton>
      {item.kind === "file" && makeDataset && isDataFile(item.name) && (
        <IconButton
          label={`Make a dataset of ${item.name}`}
          className={classes["quiet"] ?? ""}
          tabIndex={tabIndex}
          onClick={() => makeDataset(item)}
        >
          <IconTablePlus size={16} aria-hidden />
        </IconButton>
      )}
      {item.kind === "file" && remove && (
        <IconButton label={`Delete ${item.name}`} className={classes["quiet"] ?? ""} tabIndex={tabIndex} onClick={() => remove([item])}>
          <IconTrash size={16} aria-hidden />
        </IconButton>
      )}
      {item.kind === "file" && (
        <Hint label={`Download ${item.name}`}>
          <a
            href={actions.downloadUrl(item)}
            download={item.name}
            tabIndex={tabIndex}
            className={classes["download"]}
            aria-label={`Download ${item.name}`}
          >
            <IconDownload size={16} aria-hidden />
          </a>
        </Hint>
      )}
    </>
  );
}
