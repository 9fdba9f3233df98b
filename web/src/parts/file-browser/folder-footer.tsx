import { formatCount, pluralize } from "@fairway/contract/counts";
import { Button } from "@mantine/core";
import { IconDownload, IconRefresh, IconTrash } from "@tabler/icons-react";
import { sizeText } from "#lib/size-text.ts";
import type { ItemActions } from "./file-actions.tsx";
import type { FolderItem } from "./folder.ts";
import classes from "./file-browser.module.css";

/** Browsers ask once before a page starts several downloads, and drop those that start at the same moment. */
const downloadGapMs = 250;

interface Props {
  shown: number;
  /** Null without a filter. */
  filteredOut: number | null;
  /** Whether everything has come. */
  state: "complete" | "loading" | "failed";
  onRetry: () => void;
  selected: readonly FolderItem[];
  actions: ItemActions;
  onClear: () => void;
}

/** The counts, how far loading has come, and what can be done with the selected files. */
export function FolderFooter({ shown, filteredOut, state, onRetry, selected, actions, onClear }: Props) {
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
        <div role="group" aria-label="Selected files" className={classes["selected"]}>
          <span>{`${formatCount(selected.length)} selected, ${sizeText(selected.reduce((sum, { size }) => sum + size, 0))}`}</span>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconDownload size={14} aria-hidden />}
            onClick={() => void downloadAll(selected, actions)}
          >
            Download
          </Button>
          {actions.remove && (
            <Button
              variant="default"
              size="xs"
              leftSection={<IconTrash size={14} aria-hidden />}
              onClick={() => actions.remove?.(selected)}
            >
              Delete
            </Button>
          )}
          <Button variant="subtle" size="xs" onClick={onClear}>
            Clear selection
          </Button>
        </div>
      )}
    </footer>
  );
}

async function downloadAll(items: readonly FolderItem[], { downloadUrl }: ItemActions): Promise<void> {
  for (const item of items) {
    const link = document.createElement("a");
    link.href = downloadUrl(item);
    link.download = item.name;
    link.click();
    await new Promise((resolve) => {
      setTimeout(resolve, downloadGapMs);
    });
  }
}
