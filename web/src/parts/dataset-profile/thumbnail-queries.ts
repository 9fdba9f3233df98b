import { type DatasetThumbnail, datasetProfiles, maxThumbnails } from "@fairway/contract/dataset-profiles";
import { datasetKey } from "@fairway/contract/datasets";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";
import { whenIdle } from "#lib/pacing/when-idle.ts";

/** Pictures of many datasets in one answer. */
interface Thumbnails {
  /** By `datasetKey`. */
  readonly byKey: ReadonlyMap<string, DatasetThumbnail>;
  /** Whether each dataset without one has no profile. Otherwise there were more than one answer holds. */
  readonly areAll: boolean;
}

async function readThumbnails(signal: AbortSignal): Promise<Thumbnails> {
  const listed = await call(datasetProfiles.thumbnails, {}, { signal });
  return {
    byKey: new Map(listed.map(({ dataset, ...thumbnail }) => [datasetKey(dataset), thumbnail])),
    areAll: listed.length < maxThumbnails,
  };
}

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
    queryFn: ({ signal }) => call(datasetProfiles.thumbnail, { params: { category, datasetId } }, { signal }),
    staleTime: 600_000,
    retry: false,
  });
