import { pluralize } from "@fairway/contract/counts";
import { Button } from "@mantine/core";
import { IconListSearch } from "#ui/icons/list-search.ts";
import { useId, useState } from "react";
import { canSucceedLater } from "#lib/gateway/gateway-error.ts";
import { AddDataButton } from "#parts/add-data/add-data-button.tsx";
import { DropData } from "#parts/add-data/drop-data.tsx";
import { RemovableChips, type RemovableChip } from "#ui/removable-chips.tsx";
import { island } from "#ui/island.tsx";
import { WithoutData } from "#ui/kit/query-state.tsx";
import { PageHeader } from "#ui/page-header.tsx";
import { EmptyState } from "#ui/states.tsx";
import CatalogCards from "./catalog-cards.tsx";
import { CatalogFilters } from "./catalog-filters.tsx";
import { CatalogHeader } from "./catalog-header.tsx";
import { type CatalogView, isFiltered, withoutFilters } from "./catalog-view.ts";
import classes from "./list.module.css";
import { useCatalogView } from "./use-catalog-view.ts";
import { useListings } from "./use-listings.ts";

// With a menu that few visits show.
const CatalogSuggestions = island(() => import("../suggestions/catalog-suggestions.tsx"));

/** Finds datasets by everything that describes them. Search and filters are in the address, so that Back and links work. */
export function CatalogPage() {
  const [view, setView] = useCatalogView();
  const { listings, filteredOut, query } = useListings(view.found);
  const filtersId = useId();
  const [areFiltersOpen, setFiltersOpen] = useState(false);
  const isPartial = listings?.some(({ missing }) => missing !== undefined) === true;
  const reset = () => setView(withoutFilters(view.typed));
  return (
    <DropData>
      <PageHeader
        title="Data Catalog"
        subtitle={<span role="status">{listings && pluralize(isPartial ? 0 : listings.length, "matching dataset")}</span>}
      >
        <CatalogSuggestions />
        <AddDataButton />
        <CatalogHeader
          view={view.typed}
          onChange={setView}
          filters={{ id: filtersId, isOpen: areFiltersOpen, onToggle: () => setFiltersOpen(!areFiltersOpen) }}
        />
      </PageHeader>
      <div className={classes["columns"]}>
        <CatalogFilters view={view.typed} onChange={setView} onReset={reset} id={filtersId} isOpen={areFiltersOpen} />
        <div className={classes["list"]}>
          {listings === undefined ? (
            <WithoutData
              query={query}
              loading={{ label: "Loading the catalog", rowHeight: 88 }}
              failed="Error Loading Dataset Schemas"
              canRetry={canSucceedLater}
            />
          ) : listings.length === 0 ? (
            <EmptyState
              title="No matching datasets"
              icon={<IconListSearch size={24} stroke={1.5} aria-hidden />}
              action={
                isFiltered(view.found) && (
                  <>
                    <RemovableChips label="Search and filters" chips={chipsOf(view.found, setView)} />
                    <Button variant="default" onClick={reset}>
                      Reset Filters
                    </Button>
                  </>
                )
              }
            >
              {emptyText(view.found)}
            </EmptyState>
          ) : (
            <>
              {isPartial && (
                <p className={classes["partial"]}>
                  No dataset has all words of “{view.found.text.trim()}”. {listings.length === 1 ? "This one has" : "These have"} the most:
                </p>
              )}
              <CatalogCards listings={listings} found={view.found} />
            </>
          )}
          <footer className={classes["footer"]}>
            {listings && <span>{pluralize(listings.length, "dataset")}</span>}
            {filteredOut !== undefined && filteredOut > 0 && (
              <>
                <span>{filteredOut.toLocaleString("en-US")} filtered out</span>
                <Button variant="subtle" size="compact-sm" onClick={reset}>
                  Show All
                </Button>
              </>
            )}
          </footer>
        </div>
      </div>
    </DropData>
  );
}

function emptyText(view: CatalogView): string {
  if (!isFiltered(view)) return "You don't have access to any datasets.";
  const text = view.text.trim();
  if (text !== "") return `Nothing matches “${text}”${isFiltered({ ...view, text: "" }) ? " with these filters" : ""}.`;
  return "Nothing matches these filters.";
}

/** The search and filters of the list, each with its way out. */
function chipsOf(view: CatalogView, onChange: (view: CatalogView) => void): RemovableChip[] {
  const without = (part: Partial<CatalogView>) => () => onChange({ ...view, ...part });
  const chips = [
    view.text.trim() !== "" && { key: "text", text: `“${view.text.trim()}”`, onRemove: without({ text: "" }) },
    view.name.trim() !== "" && { key: "name", text: `Dataset name: ${view.name.trim()}`, onRemove: without({ name: "" }) },
    view.column !== "" && { key: "column", text: `Column name: ${view.column}`, onRemove: without({ column: "" }) },
    view.location !== "any" && {
      key: "location",
      text: view.location === "yes" ? "Contains location" : "Contains no location",
      onRemove: without({ location: "any" }),
    },
    view.map !== "any" && {
      key: "map",
      text: view.map === "yes" ? "Supports map view" : "Does not support map view",
      onRemove: without({ map: "any" }),
    },
  ];
  return chips.filter((chip) => chip !== false);
}
