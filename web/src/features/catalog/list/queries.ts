import { catalog, catalogSearchLimits } from "@fairway/contract/catalog";
import { queryOptions, keepPreviousData } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";
import type { CatalogView } from "./catalog-view.ts";

type Filters = Pick<CatalogView, "column" | "location" | "map">;

/** The datasets that match the filters, except the one by name, which the screen applies itself. */
export const catalogQuery = ({ column, location, map }: Filters) =>
  queryOptions({
    queryKey: ["datasets", "catalog", { column, location, map }],
    queryFn: ({ signal }) => call(catalog.entries, { query: filtersOf({ column, location, map }) }, { signal }),
    placeholderData: keepPreviousData,
  });

/** Every dataset, to count those that do not match; the catalog usually has it already. */
export const allDatasetsQuery = queryOptions({
  queryKey: catalogQuery({ column: "", location: "any", map: "any" }).queryKey,
  queryFn: ({ signal }) => call(catalog.entries, { query: {} }, { signal }),
  staleTime: 60_000,
});

/** The datasets in which the searched words occur and that match every filter, the best match first. */
export const catalogHitsQuery = ({ text, name, column, location, map }: Filters & Pick<CatalogView, "text" | "name">) =>
  queryOptions({
    queryKey: ["datasets", "catalog", "find", { text, name, column, location, map }],
    queryFn: ({ signal }) =>
      call(
        catalog.find,
        {
          query: {
            text,
            ...(name === "" ? {} : { datasetName: name }),
            ...filtersOf({ column, location, map }),
            limit: String(catalogSearchLimits.hits),
          },
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });

const filtersOf = ({ column, location, map }: Filters) => ({
  ...(column === "" ? {} : { columnName: column }),
  ...(location === "any" ? {} : ({ containsLocationData: location === "yes" ? "true" : "false" } as const)),
  ...(map === "any" ? {} : ({ supportsMapResults: map === "yes" ? "true" : "false" } as const)),
});
