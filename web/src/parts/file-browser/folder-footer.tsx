import { formatCount, pluralize } from "@fairway/contract/counts";
import { Button } from "@mantine/core";
import { IconDownload } from "#ui/icons/download.ts";
import { IconRefresh } from "#ui/icons/refresh.ts";
import { IconTrash } from "#ui/icons/trash.ts";
import { sizeText } from "#lib/text/size-text.ts";
import type { ItemActions } from "./file-actions.tsx";
import type { FolderItem } from "./folder.ts";
import classes from "./file-browser.module.css";

interface Props {
  shown: number;
  /** Null without a filter. */
  filteredOut: number | null;
  /** Whether everything has come. */
  state: "complete" | "loading" | "failed";
  onRetry: () => void;
  selected: readonly FolderItem[];
  actions: ItemActions;
  onDownload: () => void;
  onClear: () => void;
}

/** The counts, how far loading has come, and what can be done with the selected files. */
export function FolderFooter({ shown, filteredOut, state, onRetry, selected, actions: { remove }, onDownload, onClear }: Props) {
  const files = selected.filter(({ kind }) => kind === "file");
  return (
    <footer className={classes["footer"]}>
      <div role="status" className={classes["counts"]}>
        <span>{pluralize(shown, "item")}</span>
        {filteredOut !== null && <span>{formatCount(filteredOut)} filtered out</span>}
        {state === "loading" && <span>Loading more</span>}
      </div>
      {state === "failed" && (
        <div role="alert" className={classes["failed"]}>
          Error loading fileset contents.
          <Button variant="default" size="xs" leftSection={<IconRefresh size={14} aria-hidden />} onClick={onRetry}>
            Retry
          </Button>
        </div>
      )}
      {selected.length > 0 && (
        <div role="group" aria-label="Selected items" className={classes["selected"]}>
          <span>{selectedText(selected)}</span>
          <div className={classes["selectedActions"]}>
            <Button variant="default" size="xs" leftSection={<IconDownload size={14} aria-hidden />} onClick={onDownload}>
              Download
            </Button>
            {remove && files.length > 0 && (
              <Button variant="default" size="xs" leftSection={<IconTrash size={14} aria-hidden />} onClick={() => remove(files)}>
                Delete
              </Button>
            )}
            <Button variant="subtle" size="xs" onClick={onClear}>
              Clear selection
            </Button>
          </div>
        </div>
      )}
    </footer>
  );
}

/** The size of folders is not known. */
function selectedText(items: readonly FolderItem[]): string {
  const size = items.reduce((sum, item) => sum + item.size, 0);
  const count = `${formatCount(items.length)} selected`;
  return items.some(({ kind }) => kind === "folder") ? count : `${count}, ${sizeText(size)}`;
}
