import type { CatalogEntry, CatalogMatch } from "@fairway/contract/catalog";
import { datasetKey } from "@fairway/contract/datasets";
import type { OwnDataset } from "@fairway/contract/own-datasets";
import { compareNames } from "@fairway/contract/name-order";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { allFactsQuery } from "#parts/dataset-facts/queries.ts";
import { titleOf, useOwnDatasets } from "#parts/own-datasets/queries.ts";
import type { ShownQuery } from "#ui/kit/query-state.tsx";
import { type CatalogView, type CatalogSort, isFiltered } from "./catalog-view.ts";
import { allDatasetsQuery, catalogHitsQuery, catalogQuery } from "./queries.ts";

/** A dataset in the list, with what the search found in it. */
export interface CatalogListing extends CatalogEntry {
  readonly matches: readonly CatalogMatch[];
  /** Searched words that do not match, because no dataset has all of them. */
  readonly missing?: readonly string[] | undefined;
}

interface Listings {
  /** In the order of the view; undefined until they are loaded. */
  readonly listings: readonly CatalogListing[] | undefined;
  /** Datasets that do not match; undefined until it is known. */
  readonly filteredOut: number | undefined;
  readonly query: ShownQuery<unknown>;
}

const noMatches: readonly CatalogMatch[] = [];

/** The datasets in a view of the catalog. */
export function useListings(view: CatalogView): Listings {
  const text = view.text.trim();
  const isSearch = text !== "";
  const hits = useQuery({ ...catalogHitsQuery({ ...view, text }), enabled: isSearch });
  const entries = useQuery({ ...catalogQuery(view), enabled: !isSearch });
  const all = useQuery({ ...allDatasetsQuery, enabled: isFiltered(view) });
  const needsFacts = view.sort === "updated" || view.sort === "used";
  const { data: facts } = useQuery({ ...allFactsQuery, enabled: needsFacts });
  const own = useOwnDatasets();
  const wanted = view.name.trim().toLowerCase();
  const query = isSearch ? hits : entries;
  const { data } = query;
  const found = useMemo((): readonly CatalogListing[] | undefined => {
    if (data === undefined) return undefined;
    if ("hits" in data) return data.hits;
    return data
      .filter(({ dataset }) => `${dataset.datasetId}\n${titleOf(own, dataset)}`.toLowerCase().includes(wanted))
      .map((one) => Object.assign({ matches: noMatches }, one));
  }, [data, wanted, own]);
  const listings = useMemo(() => {
    if (found === undefined) return undefined;
    return sorted(
      found,
      view.sort,
      (listing) => {
        const one = facts?.get(datasetKey(listing.dataset));
        return (view.sort === "used" ? one?.searches : one?.updatedMs) ?? Number.NEGATIVE_INFINITY;
      },
      own,
    );
  }, [found, facts, view.sort, own]);
  return {
    listings,
    filteredOut: isFiltered(view) ? all.data && listings && Math.max(0, all.data.length - listings.length) : 0,
    query,
  };
}

/** Own ones first, then shared ones, each by name; then stably by figure, the highest first. */
function sorted(
  listings: readonly CatalogListing[],
  sort: CatalogSort,
  figureOf: (listing: CatalogListing) => number,
  own: ReadonlyMap<string, OwnDataset>,
): readonly CatalogListing[] {
  const groupOf = ({ dataset, matches }: CatalogListing) => {
    const mine = own.get(datasetKey(dataset));
    // Matches of a search stay in its order.
    return (sort === "match" && matches.length > 0) || mine === undefined ? 2 : mine.can === "own" ? 0 : 1;
  };
  if (sort === "match") return own.size === 0 ? listings : listings.toSorted((one, other) => groupOf(one) - groupOf(other));
  const byName = listings.toSorted(
    (one, other) => groupOf(one) - groupOf(other) || compareNames(titleOf(own, one.dataset), titleOf(own, other.dataset)),
  );
  return sort === "name" ? byName : byName.toSorted((one, other) => compare(figureOf(other), figureOf(one)));
}

const compare = (one: number, other: number): number => (one === other ? 0 : one < other ? -1 : 1);
