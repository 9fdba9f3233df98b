import type { DatasetRef } from "@fairway/contract/datasets";
import LoadedThumbnail from "./loaded-thumbnail.tsx";
import { PictureFrame } from "./picture-frame.tsx";

/** A small picture of a dataset: positions on a map, or its rows over time. A failure leaves its space empty. */
export const DatasetThumbnail = ({ dataset }: { dataset: DatasetRef }) => (
  <PictureFrame>
    <LoadedThumbnail dataset={dataset} />
  </PictureFrame>
);
