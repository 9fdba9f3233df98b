import { filesets } from "@fairway/contract/filesets";
import { foldersOf } from "@fairway/contract/folders";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#lib/gateway/call.ts";
import { GatewayError } from "#lib/gateway/gateway-error.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { QueryState } from "#ui/kit/query-state.tsx";
import { FileBrowser, type FolderView } from "./file-browser.tsx";
import { parentOf } from "./folder.ts";
import classes from "./file-browser.module.css";

export interface FilesetDialogProps {
  opened: boolean;
  title: string;
  fileset: string;
  /** A folder or a file; empty for the root. Folders above it cannot be reached. */
  path: string;
  allowsUploads?: boolean;
  canDelete?: boolean;
  onClose: () => void;
}

/** The browser of one fileset in a dialog, locked to a path. Its view is kept in the dialog and not in the address. */
export function FilesetDialog({ opened, title, onClose, ...rest }: FilesetDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={title} size={960} fillsPhone>
      <LockedContents {...rest} />
    </Dialog>
  );
}

function LockedContents({
  fileset,
  path: lockedPath,
  allowsUploads = false,
  canDelete = false,
}: Omit<FilesetDialogProps, "opened" | "title" | "onClose">) {
  const path = foldersOf(lockedPath).join("/");
  const query = useQuery({
    queryKey: ["filesets", "is-file", fileset, path],
    queryFn: ({ signal }) => isFile(fileset, path, signal),
  });
  return (
    <QueryState query={query} loading={{ label: "Loading the folder", rows: 12 }} failed="Error loading fileset contents.">
      {(data) => <LockedBrowser fileset={fileset} path={path} isFile={data} allowsUploads={allowsUploads} canDelete={canDelete} />}
    </QueryState>
  );
}

/** Anything but a file is opened as a folder, which says what is wrong with it. */
async function isFile(id: string, path: string, signal: AbortSignal): Promise<boolean> {
  if (path === "") return false;
  try {
    await call(filesets.file, { params: { id }, query: { file: path } }, { signal });
    return true;
  } catch (error) {
    if (error instanceof GatewayError && error.status === 404) return false;
    throw error;
  }
}

interface LockedProps {
  fileset: string;
  path: string;
  isFile: boolean;
  allowsUploads: boolean;
  canDelete: boolean;
}

/** A file is shown in its folder, with the filter on its name. */
function LockedBrowser({ fileset, path, isFile, allowsUploads, canDelete }: LockedProps) {
  const root = isFile ? parentOf(path) : path;
  const [folderView, setFolderView] = useState<FolderView>({
    path: root,
    filter: isFile ? path.slice(path.lastIndexOf("/") + 1) : "",
    file: null,
  });
  return (
    <FileBrowser
      fileset={fileset}
      root={root}
      isLocked
      folderView={folderView}
      onViewChange={setFolderView}
      allowsUploads={allowsUploads}
      canDelete={canDelete}
      renderLayout={({ crumbs, tools, contents }) => (
        <div className={classes["locked"]}>
          <div className={classes["lockedHead"]}>
            {crumbs}
            <div className={classes["lockedTools"]}>{tools}</div>
          </div>
          {contents}
        </div>
      )}
    />
  );
}
