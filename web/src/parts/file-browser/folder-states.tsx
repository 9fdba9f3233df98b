import { Button, Skeleton } from "@mantine/core";
import { IconFolderOpen } from "#ui/icons/folder-open.ts";
import { EmptyState, useDelayElapsed } from "#ui/states.tsx";
import type { BrowserView } from "./browser-view.ts";
import classes from "./file-browser.module.css";

const widths = [140, 88, 172, 116, 152];

/** A folder that is loading, in the shape of its view. */
export function FolderSkeleton({ view }: { view: BrowserView }) {
  const isVisible = useDelayElapsed();
  const bar = (width: number | string, height = 12) => isVisible && <Skeleton width={width} height={height} radius="sm" />;
  return (
    <div role="status" aria-label="Loading the folder" className={classes["scroller"]}>
      {view === "grid" ? (
        <div className={classes["skeletonTiles"]}>
          {Array.from({ length: 10 }, (_, index) => (
            <div key={index}>{bar("100%", 160)}</div>
          ))}
        </div>
      ) : (
        <>
          <div className={classes["skeletonHead"]} />
          {Array.from({ length: 12 }, (_, index) => (
            <div key={index} className={`${classes["row"]} ${classes["skeletonRow"]}`}>
              <span className={classes["skeletonCheck"]}>{bar(16, 16)}</span>
              <span>{bar(widths[index % widths.length] ?? 0)}</span>
              <span data-column="size">{bar(56)}</span>
              <span data-column="lastModified">{bar(136)}</span>
            </div>
          ))}
        </>
      )}
    </div>
  );
}

const icon = <IconFolderOpen size={24} stroke={1.5} aria-hidden />;

/** An empty folder. */
export function NoItems({ allowsUploads }: { allowsUploads: boolean }) {
  if (!allowsUploads) return <EmptyState icon={icon}>no items</EmptyState>;
  return (
    <EmptyState icon={icon} title="no items">
      Drop files here or choose Upload to add some.
    </EmptyState>
  );
}

/** A folder in which no name contains the filter. */
export function NoMatches({ filter, onClear }: { filter: string; onClear: () => void }) {
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
      No name in this folder contains '{filter.trim()}'.
    </EmptyState>
  );
}
