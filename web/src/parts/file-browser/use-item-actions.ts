import { formatCount, pluralize } from "@fairway/contract/counts";
import { filesets } from "@fairway/contract/filesets";
import { call } from "#lib/gateway/call.ts";
import { copyText } from "#lib/text/copy.ts";
import { filesetQuery } from "#lib/screens/fileset-view.ts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { confirm } from "#ui/dialog/confirm.ts";
import { toastError, toastSuccess } from "#ui/toast/toast.ts";
import type { ItemActions } from "./file-actions.tsx";
import { type FolderItem, parentOf } from "./folder.ts";
import { fileUrl } from "./queries.ts";

interface Options {
  fileset: string;
  isLocked: boolean;
  canDelete: boolean;
  makeDataset: ((path: string) => void) | null;
  openFolder: (path: string) => void;
  openFile: (item: FolderItem) => void;
  onRemoved: (paths: readonly string[]) => void;
}

/** Actions on the items of a folder. */
export function useItemActions({ fileset, isLocked, canDelete, makeDataset, openFolder, openFile, onRemoved }: Options): ItemActions {
  const linkTo = ({ kind, name, path }: FolderItem): string => {
    if (isLocked && kind === "file") return location.origin + fileUrl(fileset, path);
    const view = kind === "folder" ? { path, file: null } : { path: parentOf(path), file: name };
    return `${location.origin}/filesets?${new URLSearchParams(filesetQuery({ fileset, filter: "", ...view }))}`;
  };
  return {
    open: (item) => (item.kind === "folder" ? openFolder(item.path) : openFile(item)),
    downloadUrl: ({ path }) => fileUrl(fileset, path),
    copyLink: (item) =>
      void copyText(linkTo(item)).then((isCopied) => {
        if (isCopied) toastSuccess("Link copied", 1200);
      }),
    makeDataset: makeDataset && (({ path }) => makeDataset(path)),
    remove: canDelete ? (items) => void removeFiles(fileset, items, onRemoved) : null,
  };
}

async function removeFiles(fileset: string, items: readonly FolderItem[], onRemoved: (paths: readonly string[]) => void): Promise<void> {
  const [first] = items;
  if (!first) return;
  const what = items.length === 1 ? first.name : pluralize(items.length, "file");
  const isConfirmed = await confirm({
    title: `Delete ${what}?`,
    text: `This deletes ${items.length === 1 ? "the file" : "the files"} from ${fileset} for everyone. It cannot be undone.`,
    confirmLabel: items.length === 1 ? "Delete file" : "Delete files",
    destructive: true,
  });
  if (!isConfirmed) return;
  const removed: string[] = [];
  try {
    for (const { path } of items) {
      await call(filesets.remove, { params: { id: fileset }, query: { file: path } });
      removed.push(path);
    }
    toastSuccess(`${what} deleted`, 1200);
  } catch (error) {
    const deleted = removed.length === 0 ? [] : [`${formatCount(removed.length)} of ${pluralize(items.length, "file")} deleted.`];
    toastError("Failed to Delete", [...deleted, ...messagesOf(error)].join(" "));
  }
  if (removed.length > 0) onRemoved(removed);
}
