import { Button, Kbd, SegmentedControl, TextInput } from "@mantine/core";
import { IconFilter, IconFolderOpen, IconLayoutGrid, IconList, IconUpload } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, type ReactNode, useDeferredValue, useMemo, useRef, useState } from "react";
import { messagesOf } from "#lib/gateway-error.ts";
import type { FilesetPlace } from "#lib/fileset-place.ts";
import type { ChosenFile } from "#parts/file-upload/chosen-files.ts";
import { useFileDrop } from "#parts/file-upload/use-file-drop.ts";
import { lazyPart } from "#ui/lazy-part.tsx";
import { EmptyState, ErrorState, LoadingRows } from "#ui/states.tsx";
import { Breadcrumb } from "./breadcrumb.tsx";
import { type BrowserView, setBrowserView, useBrowserView } from "./browser-view.ts";
import { FolderFooter } from "./folder-footer.tsx";
import { FolderList } from "./folder-list.tsx";
import { FolderTiles } from "./folder-tiles.tsx";
import { filterItems, type FolderItem, type FolderSort, parentOf, sortItems } from "./folder.ts";
import { type Folder, folderQuery } from "./queries.ts";
import { downloadItems } from "./download-items.ts";
import { useItemActions } from "./use-item-actions.ts";
import classes from "./file-browser.module.css";

const FolderPreview = lazyPart(async () => ({ default: (await import("./folder-preview.tsx")).FolderPreview }));
const UploadDialog = lazyPart(async () => ({ default: (await import("#parts/file-upload/upload-dialog.tsx")).UploadDialog }));

export type FolderPlace = Omit<FilesetPlace, "fileset">;

interface Props {
  fileset: string;
  place: FolderPlace;
  /** `replace`: the change is no step of its own in the history. */
  onPlaceChange: (place: FolderPlace, how: "push" | "replace") => void;
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
  place,
  onPlaceChange,
  allowsUploads,
  canDelete = false,
  root = "",
  isLocked = false,
  renderLayout,
}: Props) {
  const { path, filter } = place;
  const queries = useQueryClient();
  const query = useQuery(folderQuery(fileset, path));
  const [sort, setSort] = useState<FolderSort>({ column: "name", descending: false });
  const [left, setLeft] = useState<{ name: string | null; takesFocus: boolean }>({ name: null, takesFocus: false });
  const [selectedPaths, setSelectedPaths] = useState<ReadonlySet<string>>(new Set());
  const [upload, setUpload] = useState<{ opening: number; files: readonly ChosenFile[]; opened: boolean } | null>(null);
  const view = useBrowserView();
  const all = query.data?.items ?? noItems;
  const deferredFilter = useDeferredValue(filter);
  const items = useMemo(() => sortItems(filterItems(all, deferredFilter), sort), [all, deferredFilter, sort]);

  const viewRef = useRef<HTMLDivElement>(null);
  const openFolder = (target: string, from: string | null = null) => {
    setLeft({ name: from, takesFocus: viewRef.current?.contains(document.activeElement) ?? false });
    setSelectedPaths(new Set());
    onPlaceChange({ path: target, filter: "", file: null }, "push");
  };
  const goUp = () => {
    if (path !== root) openFolder(parentOf(path), path.slice(path.lastIndexOf("/") + 1));
  };
  const reload = () => void queries.invalidateQueries({ queryKey: folderQuery(fileset, path).queryKey });
  const actions = useItemActions({
    fileset,
    isLocked,
    canDelete,
    openFolder,
    openFile: ({ name }) => onPlaceChange({ ...place, file: name }, "push"),
    onRemoved: (paths) => {
      setSelectedPaths((selected) => new Set([...selected].filter((one) => !paths.includes(one))));
      reload();
    },
  });
  // A file that the filter hides is no longer selected.
  const selectedItems = items.filter((item) => selectedPaths.has(item.path));
  const selection = {
    selected: new Set(selectedItems.map((item) => item.path)),
    toggle: ({ path: one }: FolderItem) => {
      setSelectedPaths((current) => {
        const next = new Set(current);
        if (!next.delete(one)) next.add(one);
        return next;
      });
    },
    selectAll: () => setSelectedPaths(new Set(items.map((item) => item.path))),
    clear: () => setSelectedPaths(new Set()),
  };
  const openUpload = (files: readonly ChosenFile[]) => setUpload({ opening: (upload?.opening ?? 0) + 1, files, opened: true });
  const { isOver, dropProps } = useFileDrop(openUpload, { disabled: !allowsUploads });
  const tools = (
    <>
      <FilterBox
        filter={filter}
        onChange={(text) => onPlaceChange({ ...place, filter: text }, "replace")}
        onLeave={() => viewRef.current?.querySelector<HTMLElement>("[data-index][tabindex='0']")?.focus()}
      />
      <ViewToggle view={view} />
      {allowsUploads && (
        <Button leftSection={<IconUpload size={16} aria-hidden />} onClick={() => openUpload([])}>
          Upload
        </Button>
      )}
    </>
  );
  const View = view === "grid" ? FolderTiles : FolderList;
  const contents = (
    <section aria-label="Contents" className={classes["contents"]} data-dropping={isOver || undefined} {...dropProps}>
      <div className={classes["view"]} ref={viewRef}>
        {query.data === undefined ? (
          query.error && !query.isFetching ? (
            <LoadFailed error={query.error} onRetry={() => void query.refetch()} />
          ) : (
            <LoadingRows label="Loading the folder" rows={12} />
          )
        ) : items.length === 0 ? (
          <NoItems folder={query.data} isFiltered={all.length > 0} onClear={() => onPlaceChange({ ...place, filter: "" }, "replace")} />
        ) : (
          <View
            key={`${fileset}/${path}`}
            label={`Contents of ${path === "" ? fileset : path}`}
            items={items}
            sort={sort}
            onSort={setSort}
            selection={selection}
            actions={actions}
            goUp={goUp}
            startName={left.name}
            takesFocus={left.takesFocus}
          />
        )}
      </div>
      {query.data && (
        <FolderFooter
          shown={items.length}
          filteredOut={filter.trim() === "" ? null : all.length - items.length}
          state={query.data.nextToken === null ? "complete" : query.isFetching ? "loading" : "failed"}
          onRetry={() => void query.refetch()}
          selected={selectedItems}
          actions={actions}
          onDownload={() => void downloadItems(fileset, selectedItems)}
          onClear={selection.clear}
        />
      )}
      {place.file !== null && !query.isPending && (
        <FolderPreview
          fileset={fileset}
          path={path}
          name={place.file}
          items={items}
          onChange={(name) => onPlaceChange({ ...place, file: name }, "replace")}
          onClose={() => onPlaceChange({ ...place, file: null }, "push")}
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
  return renderLayout({
    crumbs: <Breadcrumb fileset={fileset} root={root} path={path} onOpen={(target) => openFolder(target)} />,
    tools,
    contents,
  });
}

/** Names in a folder, those of folders with a trailing slash. */
const namesOf = ({ items }: Folder): Set<string> => new Set(items.map(({ kind, name }) => (kind === "folder" ? `${name}/` : name)));

function LoadFailed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return <ErrorState message="Error loading fileset contents." details={messagesOf(error)} onRetry={onRetry} />;
}

function NoItems({ folder, isFiltered, onClear }: { folder: Folder; isFiltered: boolean; onClear: () => void }) {
  if (folder.nextToken !== null && !isFiltered) return <LoadingRows label="Loading the folder" rows={12} />;
  const icon = <IconFolderOpen size={24} stroke={1.5} aria-hidden />;
  if (!isFiltered) return <EmptyState icon={icon}>no items</EmptyState>;
  return (
    <EmptyState
      icon={icon}
      title="no items"
      action={
        <Button variant="default" onClick={onClear}>
          Clear filter
        </Button>
      }
    >
      No name contains the filter.
    </EmptyState>
  );
}

function FilterBox({ filter, onChange, onLeave }: { filter: string; onChange: (filter: string) => void; onLeave: () => void }) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown" || (event.key === "Enter" && !event.nativeEvent.isComposing)) onLeave();
    else if (event.key === "Escape" && filter !== "") onChange("");
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <TextInput
      type="search"
      aria-label="filter directory"
      placeholder="filter directory"
      data-page-filter
      value={filter}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      leftSection={<IconFilter size={16} aria-hidden />}
      rightSection={filter === "" ? <Kbd>/</Kbd> : undefined}
      rightSectionPointerEvents="none"
      autoComplete="off"
      spellCheck={false}
      className={classes["filter"] ?? ""}
    />
  );
}

function ViewToggle({ view }: { view: BrowserView }) {
  return (
    <SegmentedControl
      aria-label="View"
      className={classes["toggle"] ?? ""}
      value={view}
      onChange={setBrowserView}
      data={[
        {
          value: "list" as const,
          label: (
            <span title="List">
              <IconList size={16} aria-hidden />
              <span className="visually-hidden">List</span>
            </span>
          ),
        },
        {
          value: "grid" as const,
          label: (
            <span title="Grid">
              <IconLayoutGrid size={16} aria-hidden />
              <span className="visually-hidden">Grid</span>
            </span>
          ),
        },
      ]}
    />
  );
}
