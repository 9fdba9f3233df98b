import { pluralize } from "@fairway/contract/counts";
import { Button } from "@mantine/core";
import { IconUpload } from "#ui/icons/upload.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useDeferredValue, useMemo, useRef, useState } from "react";
import type { FilesetView } from "#lib/screens/fileset-view.ts";
import type { ChosenFile } from "#parts/file-upload/chosen-files.ts";
import { useMakeDataset } from "#parts/add-data/make-dataset.ts";
import { useFileDrop } from "#parts/file-upload/use-file-drop.ts";
import { UploadDialog } from "#parts/file-upload/upload-dialog.tsx";
import { island } from "#ui/island.tsx";
import { WithoutData } from "#ui/kit/query-state.tsx";
import { pressed } from "#ui/shortcut-keys.ts";
import { Breadcrumb } from "./breadcrumb.tsx";
import { storedSort, storeSort } from "./browser-sort.ts";
import { FilterBox, ViewToggle } from "./browser-tools.tsx";
import { useBrowserView } from "./browser-view.ts";
import { downloadItems } from "./download-items.ts";
import classes from "./file-browser.module.css";
import { FolderFooter } from "./folder-footer.tsx";
import { FolderList } from "./folder-list.tsx";
import { FolderSkeleton, NoItems, NoMatches } from "./folder-states.tsx";
import { FolderTiles } from "./folder-tiles.tsx";
import { childOf, filterItems, type FolderItem, type FolderSort, parentOf, sortItems } from "./folder.ts";
import { type Folder, folderQuery } from "./queries.ts";
import { useHeldFocus } from "./use-held-focus.ts";
import { useItemActions } from "./use-item-actions.ts";
import { useSelection } from "./use-selection.ts";

const FolderPreview = island(async () => ({ default: (await import("./folder-preview.tsx")).FolderPreview }));

export type FolderView = Omit<FilesetView, "fileset">;

interface Props {
  fileset: string;
  folderView: FolderView;
  /** `replace`: the change is no step of its own in the history. */
  onViewChange: (folderView: FolderView, how: "push" | "replace") => void;
  allowsUploads: boolean;
  /** Whether the user may delete files. */
  canDelete?: boolean;
  /** The topmost folder that can be reached. Default: the root. */
  root?: string;
  /** Links lead to the files instead of the filesets screen, which may not show this fileset. */
  isLocked?: boolean;
  /** Arranges the parts: where the user is, the controls, and the contents. */
  renderLayout: (parts: { crumbs: ReactNode; tools: ReactNode; contents: ReactNode }) => ReactNode;
}

const noItems: readonly FolderItem[] = [];

/** Browses the folders of one fileset. */
export function FileBrowser({
  fileset,
  folderView,
  onViewChange,
  allowsUploads,
  canDelete = false,
  root = "",
  isLocked = false,
  renderLayout,
}: Props) {
  const { path, filter } = folderView;
  const queries = useQueryClient();
  const query = useQuery(folderQuery(fileset, path));
  const [sort, setSort] = useState(storedSort);
  const changeSort = (next: FolderSort) => {
    setSort(next);
    storeSort(next);
  };
  const [upload, setUpload] = useState<{ at: string; opening: number; files: readonly ChosenFile[]; opened: boolean } | null>(null);
  const view = useBrowserView();
  const all = query.data?.items ?? noItems;
  const deferredFilter = useDeferredValue(filter);
  const items = useMemo(() => sortItems(filterItems(all, deferredFilter), sort), [all, deferredFilter, sort]);
  const { selection, selectedItems } = useSelection(items);
  // The folder that was left for the one above it, by any way, is where that one starts.
  const [shown, setShown] = useState<{ path: string; left: string | null }>({ path, left: null });
  if (shown.path !== path) {
    setShown({ path, left: childOf(path, shown.path) });
    selection.clear();
  }
  const here = `${path}\n${folderView.file ?? ""}`;
  // Uploads belong to where they began, and leaving it has been confirmed.
  if (upload !== null && upload.at !== here) setUpload(null);
  const openFolder = (target: string) => onViewChange({ path: target, filter: "", file: null }, "push");
  const goUp = () => {
    if (path !== root) openFolder(parentOf(path));
  };
  const viewRef = useRef<HTMLDivElement>(null);
  const { isHeld, hold, regionProps } = useHeldFocus(viewRef, {
    refocus: focusContents,
    onKeyDown: (event) => {
      if (pressed(event, "files.up")) goUp();
    },
  });
  const makeDataset = useMakeDataset(fileset);
  const reload = () => void queries.invalidateQueries({ queryKey: folderQuery(fileset, path).queryKey });
  const actions = useItemActions({
    fileset,
    isLocked,
    canDelete,
    makeDataset,
    openFolder,
    openFile: ({ name }) => onViewChange({ ...folderView, file: name }, "push"),
    onRemoved: reload,
  });
  const openUpload = (files: readonly ChosenFile[]) => setUpload({ at: here, opening: (upload?.opening ?? 0) + 1, files, opened: true });
  const { isOver, dropProps } = useFileDrop(openUpload, { disabled: !allowsUploads });
  const setFilter = (text: string) => onViewChange({ ...folderView, filter: text }, "replace");
  const tools = (
    <>
      <FilterBox filter={filter} onChange={setFilter} onLeave={() => viewRef.current && focusContents(viewRef.current)} />
      <ViewToggle view={view} />
      {allowsUploads && (
        <Button leftSection={<IconUpload size={16} aria-hidden />} onClick={() => openUpload([])}>
          Upload
        </Button>
      )}
    </>
  );
  const isComplete = query.data?.nextToken === null;
  const View = view === "grid" ? FolderTiles : FolderList;
  const renderContents = () => {
    const loading = <FolderSkeleton view={view} />;
    if (!query.data) return <WithoutData query={query} loading={{ shown: loading }} failed="Error loading fileset contents." />;
    if (all.length === 0 && !isComplete) return loading;
    if (all.length === 0) return <NoItems allowsUploads={allowsUploads} />;
    if (items.length === 0) return <NoMatches filter={deferredFilter} onClear={() => setFilter("")} />;
    return (
      <View
        key={`${fileset}/${path}`}
        label={`Contents of ${path === "" ? fileset : path}`}
        items={items}
        filter={deferredFilter}
        sort={sort}
        onSort={changeSort}
        selection={selection}
        actions={actions}
        goUp={goUp}
        startName={shown.left}
        takesFocus={isHeld}
      />
    );
  };
  const contents = (
    <section
      aria-label="Contents"
      className={classes["contents"]}
      data-dropping={isOver || undefined}
      data-drop-hint={`Drop files to upload them to ${path === "" ? fileset : path.slice(path.lastIndexOf("/") + 1)}`}
      {...dropProps}
    >
      <div ref={viewRef} className={classes["view"]} {...regionProps}>
        {renderContents()}
        {query.data && query.data.leftOut.length > 0 && <LeftOut names={query.data.leftOut} />}
        {query.data ? (
          <FolderFooter
            shown={items.length}
            filteredOut={filter.trim() === "" ? null : all.length - items.length}
            state={isComplete ? "complete" : query.isFetching ? "loading" : "failed"}
            onRetry={() => void query.refetch()}
            selected={selectedItems}
            actions={actions}
            onDownload={() => void downloadItems(fileset, selectedItems)}
            onClear={selection.clear}
          />
        ) : (
          <div className={classes["footer"]} />
        )}
      </div>
      {folderView.file !== null && !query.isPending && (
        <FolderPreview
          fileset={fileset}
          path={path}
          name={folderView.file}
          items={items}
          onChange={(name) => onViewChange({ ...folderView, file: name }, "replace")}
          onClose={() => onViewChange({ ...folderView, file: null }, "push")}
        />
      )}
      {upload && (
        <UploadDialog
          key={upload.opening}
          opened={upload.opened}
          fileset={fileset}
          path={path}
          initialFiles={upload.files}
          existing={query.data?.nextToken === null ? namesOf(query.data) : null}
          onUploaded={reload}
          onClose={() => setUpload({ ...upload, opened: false })}
        />
      )}
    </section>
  );
  const crumbs = (
    <Breadcrumb
      fileset={fileset}
      root={root}
      path={path}
      onOpen={(target) => {
        // The pressed level is the current one then, which is no button.
        hold();
        openFolder(target);
      }}
    />
  );
  return renderLayout({ crumbs, tools, contents });
}

/** Only administrators see this: they can rename files on the disk or in the bucket. */
const LeftOut = ({ names }: { names: readonly string[] }) => (
  <p role="note" className={classes["leftOut"]}>
    {`${pluralize(names.length, "name")} cannot be shown: ${names.slice(0, maxLeftOut).join(", ")}${names.length > maxLeftOut ? " …" : ""}`}
  </p>
);

const maxLeftOut = 20;

/** Focuses the active item; the region itself if it has none. */
function focusContents(region: HTMLElement): void {
  (region.querySelector<HTMLElement>("[data-index][tabindex='0']") ?? region).focus();
}

/** Names in a folder, those of folders with a trailing slash. */
const namesOf = ({ items }: Folder): Set<string> => new Set(items.map(({ kind, name }) => (kind === "folder" ? `${name}/` : name)));
