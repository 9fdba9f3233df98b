import { datasetKey, type DatasetRef } from "@fairway/contract/datasets";
import { useFavorites } from "#parts/dataset-picker/favorites.ts";
import { FavoriteStar } from "../facts/favorite-star.tsx";

/** Marks the dataset of a schema as a favorite. */
export default function SchemaStar({ dataset }: { dataset: DatasetRef }) {
  const { keys, toggle } = useFavorites();
  return <FavoriteStar datasetId={dataset.datasetId} isFavorite={keys.has(datasetKey(dataset))} onToggle={() => toggle(dataset)} />;
}
