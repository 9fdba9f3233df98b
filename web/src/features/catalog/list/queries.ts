import { catalog } from "@fairway/contract/catalog";
import { queryOptions, keepPreviousData } from "@tanstack/react-query";
import { call } from "#lib/call.ts";
import type { CatalogPlace } from "./catalog-place.ts";

/** The datasets that match the filters, except the one by name, which the screen applies itself. */
export const catalogQuery = ({ column, location, map }: Pick<CatalogPlace, "column" | "location" | "map">) =>
  queryOptions({
    queryKey: ["datasets", "catalog", { column, location, map }],
    queryFn: ({ signal }) =>
      call(
        catalog.entries,
        {
          query: {
            ...(column === "" ? {} : { columnName: column }),
            ...(location === "any" ? {} : { containsLocationData: location === "yes" ? "true" : "false" }),
            ...(map === "any" ? {} : { supportsMapResults: map === "yes" ? "true" : "false" }),
          },
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
