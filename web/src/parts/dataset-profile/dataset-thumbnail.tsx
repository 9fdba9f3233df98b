import type { DatasetRef } from "@fairway/contract/datasets";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { lazyPart } from "#ui/lazy-part.tsx";
import classes from "./dataset-thumbnail.module.css";
import { thumbnailQuery } from "./queries.ts";

const ThumbnailPicture = lazyPart(() => import("./thumbnail-picture.tsx"));

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
  const { data } = useQuery({ ...thumbnailQuery(dataset.datasetCategory, dataset.datasetId), enabled: isSeen });
  return (
    <div ref={frame} className={classes["frame"]} data-wide={isWide || undefined} aria-hidden>
      {data && <ThumbnailPicture thumbnail={data} />}
    </div>
  );
}
