import { datasetKey } from "@fairway/contract/datasets";
import { Button } from "@mantine/core";
import { IconListSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { debounce } from "#lib/debounce.ts";
import { canSucceedLater, messagesOf } from "#lib/gateway-error.ts";
import { useQualities } from "#parts/dataset-quality/queries.ts";
import { useAnnouncements } from "#parts/dataset-announcements/queries.ts";
import { PageHeader } from "#ui/page-header.tsx";
import { EmptyState, ErrorState, LoadingRows } from "#ui/states.tsx";
import { lazyPart } from "#ui/lazy-part.tsx";
import { CatalogCard } from "./catalog-card.tsx";
import { CatalogFilters } from "./catalog-filters.tsx";
import { type CatalogPlace, catalogPlace, catalogSearch, noFilters } from "./catalog-place.ts";
import { catalogQuery } from "./queries.ts";
import classes from "./catalog.module.css";

const CatalogSuggestions = lazyPart(() => import("../suggestions/catalog-suggestions.tsx"));

const debounceMs = 250;

/** Finds datasets by their names, columns and abilities. The filters are in the address, so that Back and links work. */
export function CatalogPage() {
  const [place, setPlace] = useCatalogPlace();
  const { data, error, isFetching, refetch } = useQuery(catalogQuery(place.found));
  const announcements = useAnnouncements();
  const qualities = useQualities();
  const wanted = place.found.name.trim().toLowerCase();
  const entries = data?.filter(({ dataset }) => dataset.datasetId.toLowerCase().includes(wanted));
  const count = entries?.length ?? 0;
  return (
    <>
      <PageHeader
        title="Data Catalog"
        subtitle={
          <span role="status">{entries && `${count.toLocaleString("en-US")} matching ${count === 1 ? "dataset" : "datasets"}`}</span>
        }
      >
        <CatalogSuggestions />
      </PageHeader>
      <div className={classes["columns"]}>
        <CatalogFilters place={place.typed} onChange={setPlace} />
        {entries === undefined ? (
          error && !isFetching ? (
            <ErrorState
              message="Error Loading Dataset Schemas"
              details={messagesOf(error)}
              onRetry={canSucceedLater(error) ? () => void refetch() : undefined}
            />
          ) : (
            <LoadingRows label="Loading the catalog" rowHeight={88} />
          )
        ) : count === 0 ? (
          <EmptyState
            title="No matching datasets"
            icon={<IconListSearch size={24} stroke={1.5} aria-hidden />}
            action={
              <Button variant="default" onClick={() => setPlace(noFilters)}>
                Reset Filters
              </Button>
            }
          >
            Change or reset the filters.
          </EmptyState>
        ) : (
          <ul className={classes["cards"]} aria-label="Datasets">
            {entries.map((entry) => (
              <CatalogCard
                key={datasetKey(entry.dataset)}
                entry={entry}
                found={place.found}
                announcement={announcements.get(datasetKey(entry.dataset))}
                quality={qualities.get(datasetKey(entry.dataset))}
              />
            ))}
          </ul>
        )}
      </div>
    </>
  );
}

interface DebouncedPlace {
  /** As the form shows it. */
  typed: CatalogPlace;
  /** As it is in the address. */
  found: CatalogPlace;
}

/** The filters follow the address, and the address follows what is typed, debounced. */
function useCatalogPlace(): [place: DebouncedPlace, setPlace: (place: CatalogPlace) => void] {
  const found = catalogPlace(useSearch({ strict: false }));
  const navigate = useNavigate();
  const [typed, setTyped] = useState<CatalogPlace | null>(null);
  const [waiting] = useState(() => debounce(debounceMs));
  useEffect(() => waiting.cancel, [waiting]);
  const setPlace = (place: CatalogPlace) => {
    setTyped(place);
    waiting.schedule(() => {
      void navigate({ to: "/data-catalog", search: catalogSearch(place), replace: true }).then(() => setTyped(null));
    });
  };
  return [{ typed: typed ?? found, found }, setPlace];
}
