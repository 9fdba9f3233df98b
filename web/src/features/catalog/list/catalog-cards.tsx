import { datasetKey } from "@fairway/contract/datasets";
import { useQuery } from "@tanstack/react-query";
import type { VirtualItem } from "@tanstack/react-virtual";
import { useEffect, useRef, useState } from "react";
import { useAnnouncements } from "#parts/dataset-announcements/queries.ts";
import { useFavorites } from "#parts/dataset-picker/favorites.ts";
import { useOwnDatasets } from "#parts/own-datasets/queries.ts";
import { useQualities } from "#parts/dataset-quality/queries.ts";
import { useVirtualList } from "#ui/kit/use-virtual-list.ts";
import { FactsFailure } from "../facts/facts-failure.tsx";
import { allFactsQuery } from "#parts/dataset-facts/queries.ts";
import { CatalogCard } from "./catalog-card.tsx";
import type { CatalogView } from "./catalog-view.ts";
import type { CatalogListing } from "./use-listings.ts";
import classes from "./list.module.css";

const cardPx = 152;

/** Last scroll position of the list, so that Back from a schema returns to the same card. */
const lastPosition = { view: "", offsetPx: 0, heights: [] as VirtualItem[] };

/** The cards, as virtual rows of different heights: a catalog may have thousands. */
export default function CatalogCards({ listings, found }: { listings: readonly CatalogListing[]; found: CatalogView }) {
  const announcements = useAnnouncements();
  const qualities = useQualities();
  const own = useOwnDatasets();
  const facts = useQuery(allFactsQuery);
  const { keys: favorites, toggle: toggleFavorite } = useFavorites();
  const view = JSON.stringify(found);
  const [start] = useState(() => (lastPosition.view === view ? { ...lastPosition } : null));
  const { scroller, virtualizer } = useVirtualList({
    count: listings.length,
    getItemKey: (index) => (listings[index] ? datasetKey(listings[index].dataset) : index),
    estimateSize: () => cardPx,
    overscan: 6,
    initialOffset: start?.offsetPx ?? 0,
    initialMeasurementsCache: start?.heights ?? [],
  });
  const shownView = useRef(view);
  useEffect(() => {
    // Another search or order starts at its first card.
    if (shownView.current !== view) scroller.current?.scrollTo({ top: 0 });
    shownView.current = view;
    return () => {
      Object.assign(lastPosition, { view, offsetPx: virtualizer.scrollOffset ?? 0, heights: virtualizer.takeSnapshot() });
    };
  }, [view, scroller, virtualizer]);
  return (
    <>
      {facts.error && !facts.data && <FactsFailure onRetry={() => void facts.refetch()} />}
      <div ref={scroller} className={classes["scroll"]}>
        <ul className={classes["cards"]} aria-label="Datasets" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, key, start: startPx }) => {
            const listing = listings[index];
            return (
              listing && (
                <li
                  key={key}
                  data-index={index}
                  aria-setsize={listings.length}
                  aria-posinset={index + 1}
                  ref={virtualizer.measureElement}
                  className={classes["card"]}
                  style={{ transform: `translateY(${startPx}px)` }}
                >
                  <CatalogCard
                    entry={listing}
                    found={found}
                    announcement={announcements.get(datasetKey(listing.dataset))}
                    quality={qualities.get(datasetKey(listing.dataset))}
                    own={own.get(datasetKey(listing.dataset))}
                    facts={facts.data?.get(datasetKey(listing.dataset))}
                    isFavorite={favorites.has(datasetKey(listing.dataset))}
                    onToggleFavorite={toggleFavorite}
                  />
                </li>
              )
            );
          })}
        </ul>
      </div>
    </>
  );
}
