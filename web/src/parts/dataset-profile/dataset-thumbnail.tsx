import type { DatasetRef } from "@fairway/contract/datasets";
import { useEffect, useRef, useState } from "react";
import { lazyPart } from "#ui/lazy-part.tsx";
import classes from "./dataset-thumbnail.module.css";

const LoadedThumbnail = lazyPart(() => import("./loaded-thumbnail.tsx"));

/**
 * A small picture of a dataset: positions on a map, or its rows over time. Decorative, so it has no text; a failure
 * leaves its space empty. Loads when it comes into view. A wide one fills the width of its place.
 */
export function DatasetThumbnail({ dataset, isWide = false }: { dataset: DatasetRef; isWide?: boolean }) {
  const frame = useRef<HTMLDivElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (frame.current === null) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={frame} className={classes["frame"]} data-wide={isWide || undefined} aria-hidden>
      {isSeen && <LoadedThumbnail dataset={dataset} />}
    </div>
  );
}
