import { datasetKey, type DatasetRef } from "@fairway/contract/datasets";
import { useQuery } from "@tanstack/react-query";
import { thumbnailQuery, thumbnailsQuery } from "./thumbnail-queries.ts";
import { ThumbnailPicture } from "./thumbnail-picture.tsx";

const noThumbnail = { coverage: null, positions: [] };

/** The picture of a dataset, from the one call for all of them; by a call of its own only beyond what that one holds. */
export default function LoadedThumbnail({ dataset }: { dataset: DatasetRef }) {
  const { data: all } = useQuery(thumbnailsQuery);
  const listed = all?.byKey.get(datasetKey(dataset)) ?? (all?.areAll === true ? noThumbnail : undefined);
  const { data: single } = useQuery({
    ...thumbnailQuery(dataset.datasetCategory, dataset.datasetId),
    enabled: all !== undefined && listed === undefined,
  });
  const thumbnail = listed ?? single;
  return thumbnail && <ThumbnailPicture thumbnail={thumbnail} />;
}
