import { filesets } from "@fairway/contract/filesets";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";
import { isDataFile, useMakeDataset } from "#parts/add-data/make-dataset.ts";
import { FilePreview } from "#parts/file-preview/file-preview.tsx";
import { IconTablePlus } from "#ui/icons/table-plus.ts";
import type { FolderItem } from "./folder.ts";
import { fileUrl } from "./queries.ts";
import classes from "./file-browser.module.css";

interface Props {
  fileset: string;
  /** Folder, without a trailing slash. */
  path: string;
  name: string;
  /** Shown items of the folder, in its order. */
  items: readonly FolderItem[];
  onChange: (name: string) => void;
  onClose: () => void;
}

/** A file of a folder over the whole screen; previous and next go through the files that the browser shows. */
export function FolderPreview({ fileset, path, name, items, onChange, onClose }: Props) {
  const file = path === "" ? name : `${path}/${name}`;
  const files = items
    .filter(({ kind }) => kind === "file")
    .map((item) => ({
      name: item.name,
      size: item.size,
      lastModified: new Date(item.lastModifiedMs).toISOString(),
      downloadUrl: fileUrl(fileset, item.path),
      filesetId: fileset,
      path: item.path,
    }));
  const listed = files.find((one) => one.name === name);
  // The address may name a file that has not come yet, or that the filter hides.
  const {
    data: alone,
    error,
    isPending,
    refetch,
  } = useQuery({
    queryKey: ["filesets", "file", fileset, file],
    queryFn: ({ signal }) => call(filesets.file, { params: { id: fileset }, query: { file } }, { signal }),
    enabled: listed === undefined,
    retry: false,
  });
  const makeDataset = useMakeDataset(fileset);
  const { data: tagged } = useQuery({
    queryKey: ["filesets", "tags", fileset, file],
    queryFn: ({ signal }) => call(filesets.tags, { params: { id: fileset }, query: { file } }, { signal }),
    retry: false,
  });
  if (listed === undefined && isPending) return null;
  const { size = 0, lastModified } = alone ?? {};
  const tags = Object.entries(tagged?.tags ?? {});
  return (
    <FilePreview
      file={listed ?? { name, size, lastModified, downloadUrl: fileUrl(fileset, file), filesetId: fileset, path: file }}
      failure={listed === undefined && error ? { error, onRetry: () => void refetch() } : null}
      files={files}
      container={path === "" ? fileset : path.slice(path.lastIndexOf("/") + 1)}
      onChange={(next) => onChange(next.name)}
      onClose={onClose}
      actions={
        makeDataset &&
        isDataFile(name) && (
          <Button variant="default" leftSection={<IconTablePlus size={16} aria-hidden />} onClick={() => makeDataset(file)}>
            Make a dataset
          </Button>
        )
      }
      details={
        tags.length > 0 && (
          <section aria-label="Tags" className={classes["tags"]}>
            <h3>Tags</h3>
            <dl>
              {tags.map(([tag, value]) => (
                <div key={tag}>
                  <dt>{tag}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          </section>
        )
      }
    />
  );
}
