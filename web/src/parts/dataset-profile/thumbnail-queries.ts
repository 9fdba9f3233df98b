import { queryOptions } from "@tanstack/react-query";
import { whenIdle } from "#lib/when-idle.ts";
import { readThumbnail, readThumbnails } from "./calls.ts";

/** The pictures of all datasets in one call, which waits until the browser has shown what matters more. */
export const thumbnailsQuery = queryOptions({
  queryKey: ["datasets", "thumbnails"] as const,
  queryFn: async ({ signal }) => {
    await new Promise<void>((resolve) => whenIdle(resolve));
    return readThumbnails(signal);
  },
  staleTime: 600_000,
  retry: false,
});

/** The picture of one dataset. */
export const thumbnailQuery = (category: string, datasetId: string) =>
  queryOptions({
    queryKey: ["datasets", "thumbnail", category, datasetId] as const,
    queryFn: ({ signal }) => readThumbnail({ category, datasetId }, signal),
    staleTime: 600_000,
    retry: false,
  });
