import { datasetKey, type DatasetRef } from "@fairway/contract/datasets";
import { favoriteDatasets } from "@fairway/contract/favorites";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { call } from "#lib/gateway/call.ts";
import { logFailure } from "#lib/browser/log.ts";
import { queryClient } from "#lib/gateway/query-client.ts";
import { sameDataset } from "./picker-rows.ts";
import { favoritesQuery } from "./queries.ts";

interface Toggle {
  dataset: DatasetRef;
  on: boolean;
}

const mutationKey = ["favorite", "datasets", "toggle"];

/** The user's favorites and a function to toggle one. Failures are only logged. */
export function useFavorites(): { favorites: readonly DatasetRef[]; keys: ReadonlySet<string>; toggle: (dataset: DatasetRef) => void } {
  const { data: favorites = [], error } = useQuery(favoritesQuery);
  useEffect(() => {
    if (error) logFailure("The favorites could not be loaded", error);
  }, [error]);
  const { mutate } = useMutation({
    mutationKey,
    // One at a time: two quick clicks must not reach the server in the wrong order.
    scope: { id: "favorite-datasets" },
    mutationFn: async ({ dataset, on }: Toggle): Promise<void> => {
      await (on ? call(favoriteDatasets.add, { body: dataset }) : call(favoriteDatasets.remove, { body: dataset }));
    },
    onMutate: async (toggle) => {
      await queryClient.cancelQueries(favoritesQuery);
      setFavorite(toggle);
    },
    onError: (cause, { dataset, on }) => {
      setFavorite({ dataset, on: !on });
      logFailure("The favorite could not be changed", cause);
    },
    onSettled: async () => {
      // Refetching between two changes would show the state before the second.
      if (queryClient.isMutating({ mutationKey }) === 1) await queryClient.invalidateQueries(favoritesQuery);
    },
  });
  const keys = useMemo(() => new Set(favorites.map(datasetKey)), [favorites]);
  const toggle = ({ datasetCategory, datasetId }: DatasetRef): void => {
    const dataset = { datasetCategory, datasetId };
    mutate({ dataset, on: !keys.has(datasetKey(dataset)) });
  };
  return { favorites, keys, toggle };
}

function setFavorite({ dataset, on }: Toggle): void {
  queryClient.setQueryData(favoritesQuery.queryKey, (favorites = []) => {
    const others = favorites.filter((favorite) => !sameDataset(favorite, dataset));
    return on ? [...others, dataset] : others;
  });
}
