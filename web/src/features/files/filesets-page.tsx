import { Flex } from "@mantine/core";
import { IconFolder } from "#ui/icons/folder.ts";
import { IconUpload } from "#ui/icons/upload.ts";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { type FilesetView, filesetView, filesetQuery, saveFilesetView } from "#lib/screens/fileset-view.ts";
import { FileBrowser } from "#parts/file-browser/file-browser.tsx";
import { filesetsQuery } from "#parts/file-browser/queries.ts";
import { WithoutData } from "#ui/kit/query-state.tsx";
import { PageHeader } from "#ui/page-header.tsx";
import { EmptyState, ErrorState } from "#ui/states.tsx";
import classes from "./filesets-page.module.css";

const title = "Filesets";

/** Browses the filesets that the user may read. The view is in the address, so that Back, reloads and links work. */
export function FilesetsPage() {
  const view = filesetView(useSearch({ strict: false }));
  const navigate = useNavigate();
  const query = useQuery(filesetsQuery);
  const { data: list } = query;
  const { fileset, path, filter } = view;
  const selected = list?.find(({ id }) => id === fileset);
  const isKnown = selected !== undefined;
  useEffect(() => {
    if (isKnown) saveFilesetView({ fileset, path, filter, file: null });
  }, [isKnown, fileset, path, filter]);

  const page = (content: ReactNode) => (
    <>
      <PageHeader title={title} />
      {content}
    </>
  );
  if (!list) return page(<WithoutData query={query} loading={{ label: "Loading filesets" }} failed="Error fetching filesets." />);
  if (list.length === 0)
    return page(<EmptyState icon={<IconFolder size={24} stroke={1.5} aria-hidden />}>No Filesets Available</EmptyState>);

  const side = (
    <nav aria-label="Choose a fileset" className={classes["side"]}>
      {list.map(({ id, description, allowsUploads }) => (
        <Link
          key={id}
          to="/filesets"
          search={filesetQuery({ ...emptyView, fileset: id })}
          activeProps={{}}
          aria-current={id === fileset ? "true" : undefined}
          title={description === "" ? id : description}
          className={classes["fileset"]}
        >
          <IconFolder size={16} stroke={1.75} aria-hidden />
          <span>{id}</span>
          {allowsUploads && (
            <span title="Uploads allowed">
              <IconUpload size={14} role="img" aria-label="Uploads allowed" />
            </span>
          )}
        </Link>
      ))}
    </nav>
  );
  if (!selected) {
    return page(
      <div className={classes["columns"]}>
        {side}
        <div className={classes["none"]} data-failed={fileset !== null || undefined}>
          {fileset === null ? (
            <EmptyState icon={<IconFolder size={24} stroke={1.5} aria-hidden />}>Choose a fileset to see its files.</EmptyState>
          ) : (
            <ErrorState
              message={`The fileset '${fileset}' cannot be opened.`}
              details={["It doesn't exist, or you don't have access to it."]}
            />
          )}
        </div>
      </div>,
    );
  }
  return (
    <FileBrowser
      key={selected.id}
      fileset={selected.id}
      folderView={view}
      onViewChange={(next, how) =>
        void navigate({ to: "/filesets", search: filesetQuery({ ...next, fileset: selected.id }), replace: how === "replace" })
      }
      allowsUploads={selected.allowsUploads}
      renderLayout={({ crumbs, tools, contents }) => (
        <>
          <PageHeader
            title={title}
            isSubtitleLong
            subtitle={
              <Flex component="span" gap="md" align="center" miw={0}>
                <Link to="/filesets" search={{}} className={classes["all"]}>
                  All filesets
                </Link>
                {crumbs}
              </Flex>
            }
          >
            {tools}
          </PageHeader>
          <div className={classes["columns"]} data-selected>
            {side}
            {contents}
          </div>
        </>
      )}
    />
  );
}

const emptyView: FilesetView = { fileset: null, path: "", filter: "", file: null };
