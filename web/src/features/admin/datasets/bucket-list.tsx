import { Button } from "@mantine/core";
import { IconArrowUp } from "#ui/icons/arrow-up.ts";
import { IconBucket } from "#ui/icons/bucket.ts";
import { IconFile } from "#ui/icons/file.ts";
import { IconFolder } from "#ui/icons/folder.ts";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { ErrorState, LoadingRows } from "#ui/states.tsx";
import { bucketsQuery } from "./found-dataset-queries.ts";
import editor from "../editor/editor.module.css";

interface Props {
  /** The chosen file or folder. */
  path: string | null;
  onPath: (path: string | null) => void;
}

/** Walks through the buckets that datasets may read. */
export function BucketList({ path, onPath }: Props) {
  /** The folders that are open, outermost first. */
  const [open, setOpen] = useState<readonly string[]>([]);
  const within = open.at(-1) ?? "";
  const level = useInfiniteQuery(bucketsQuery(within));
  const walkTo = (folders: readonly string[]) => {
    setOpen(folders);
    onPath(null);
  };
  const entries = level.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <section aria-label="S3">
      <p className={editor["note"]}>{within === "" ? "Buckets" : within}</p>
      <ul>
        {within !== "" && (
          <li>
            <button type="button" onClick={() => walkTo(open.slice(0, -1))}>
              <IconArrowUp size={16} aria-hidden /> Up
            </button>
            <button type="button" aria-pressed={path === within} onClick={() => onPath(within)}>
              <IconFolder size={16} aria-hidden /> This whole folder
            </button>
          </li>
        )}
        {entries.map((entry) => {
          const Icon = entry.kind === "file" ? IconFile : within === "" ? IconBucket : IconFolder;
          return (
            <li key={entry.path}>
              <button
                type="button"
                {...(entry.kind === "file" ? { "aria-pressed": path === entry.path } : {})}
                onClick={() => (entry.kind === "folder" ? walkTo([...open, entry.path]) : onPath(entry.path))}
              >
                <Icon size={16} aria-hidden />
                {entry.name}
              </button>
            </li>
          );
        })}
      </ul>
      {level.isPending ? (
        <LoadingRows label="Loading the folder" rows={6} />
      ) : level.error !== null ? (
        <ErrorState
          message="The folder could not be read."
          details={messagesOf(level.error)}
          onRetry={() => void (level.isFetchNextPageError ? level.fetchNextPage() : level.refetch())}
        />
      ) : level.hasNextPage ? (
        <Button variant="default" size="compact-sm" loading={level.isFetchingNextPage} onClick={() => void level.fetchNextPage()}>
          Show more
        </Button>
      ) : (
        entries.length === 0 && <p className={editor["note"]}>{within === "" ? noBuckets : "There's no data here."}</p>
      )}
    </section>
  );
}

const noBuckets = "No buckets are available for datasets yet. The portal's operator lists them in FAIRWAY_S3_DATASET_BUCKETS.";
