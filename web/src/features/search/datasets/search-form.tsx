import type { DatasetDescription, DatasetRef } from "@fairway/contract/datasets";
import { Button } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { IconBookmark, IconInfoCircle, IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState } from "react";
import { canSucceedLater, messagesOf } from "#lib/gateway-error.ts";
import { describeQuery } from "#parts/dataset-picker/queries.ts";
import { canSearch } from "#parts/search-model/filter-list.ts";
import { FilterPanel } from "#parts/filters/filter-panel.tsx";
import { filterProblem, readFilter } from "#parts/filters/filter-value.ts";
import { openSearches } from "#parts/open-searches/store.ts";
import { formValue } from "#features/search/linked-datasets/link-filters.ts";
import { lazyPart } from "#ui/lazy-part.tsx";
import { ErrorState, LoadingRows } from "#ui/states.tsx";
import { useSinglePress } from "#ui/use-single-press.ts";
import { DatasetColumns } from "./dataset-about.tsx";
import { useDatasetForm } from "#features/search/search-form/form-store.ts";
import classes from "#features/search/search-form/search-form.module.css";

const LinkedDatasets = lazyPart(async () => ({
  default: (await import("#features/search/linked-datasets/linked-datasets.tsx")).LinkedDatasets,
}));

const LoadedSearchBanner = lazyPart(async () => ({
  default: (await import("#features/search/saved-searches/loaded-search-banner.tsx")).LoadedSearchBanner,
}));
const SavedFiltersDialog = lazyPart(async () => ({
  default: (await import("#features/search/saved-searches/load-dialog.tsx")).SavedFiltersDialog,
}));

interface Props {
  dataset: DatasetRef;
  /** A search was started: show its results. */
  onStarted: (searchId: string) => void;
}

/** The chosen dataset: what it is, what it can be narrowed by, and Search. */
export function DatasetsSearchForm({ dataset, onStarted }: Props) {
  const { data, error, refetch, isFetching } = useQuery(describeQuery(dataset.datasetCategory, dataset.datasetId));
  if (data) return <LoadedForm description={data} onStarted={onStarted} />;
  return (
    <div className={classes["form"]}>
      <div className={classes["scroll"]}>
        <h2 className={classes["name"]}>{dataset.datasetId}</h2>
        <div className={classes["state"]}>
          {error && !isFetching ? (
            <ErrorState
              message="Failed to load dataset filters"
              details={messagesOf(error)}
              onRetry={canSucceedLater(error) ? () => void refetch() : undefined}
            />
          ) : (
            <LoadingRows label="Loading dataset filters" rows={6} rowHeight={48} />
          )}
        </div>
      </div>
    </div>
  );
}

function LoadedForm({ description, onStarted }: { description: DatasetDescription; onStarted: Props["onStarted"] }) {
  const { filters, loaded, setFilters, load } = useDatasetForm(description);
  const [insisted, setInsisted] = useState(0);
  // Null until it is first opened: the dialog comes with its first use.
  const [choosing, setChoosing] = useState<boolean | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const hintId = useId();
  const { enabled, hint } = canSearch(description, filters);
  const once = useSinglePress();

  // A Search that could not run leads to what is wrong.
  useEffect(() => {
    if (insisted > 0) form.current?.querySelector<HTMLElement>("[aria-invalid='true']")?.focus();
  }, [insisted]);

  const search = () => {
    if (!enabled) return;
    if (filters.dynamic.some((filter) => filterProblem(filter) !== undefined)) {
      setInsisted((times) => times + 1);
      return;
    }
    once(() =>
      onStarted(
        openSearches.start(
          description,
          { ...filters, dynamic: filters.dynamic.map(readFilter) },
          { isSample: false, sort: loaded?.sort, visibleColumns: loaded?.columns, viewMode: loaded?.mode ?? undefined },
        ),
      ),
    );
  };
  useWindowEvent("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || document.querySelector("[aria-modal='true']")) return;
    event.preventDefault();
    search();
  });

  const { category, datasetId, features, schema, linkedDatasets } = description;
  return (
    <form
      ref={form}
      className={classes["form"]}
      noValidate
      aria-label={`Search ${datasetId}`}
      onSubmit={(event) => {
        event.preventDefault();
        search();
      }}
    >
      <div className={classes["scroll"]}>
        <header className={classes["intro"]}>
          <p className={classes["category"]}>{category.description === "" ? category.id : `${category.id}: ${category.description}`}</p>
          <h2 className={classes["name"]}>{datasetId}</h2>
          {description.description !== "" && <p className={classes["about"]}>{description.description}</p>}
        </header>
        <div className={classes["columns"]}>
          <div>
            {loaded && <LoadedSearchBanner loaded={loaded} onForget={() => load(filters, undefined)} />}
            <FilterPanel description={description} filters={filters} showProblems={insisted > 0} onChange={setFilters} />
            {linkedDatasets.length > 0 && (
              <LinkedDatasets
                links={linkedDatasets}
                valueOf={formValue(filters.dynamic)}
                nameOf={(column) => filters.dynamic.find(({ name }) => name === column)?.display ?? column}
              />
            )}
          </div>
          <DatasetColumns columns={schema.columns} />
        </div>
      </div>
      <footer className={classes["actions"]}>
        <Button
          type="submit"
          leftSection={<IconSearch size={16} aria-hidden />}
          disabled={!enabled}
          {...(hint === null ? {} : { "aria-describedby": hintId })}
        >
          Search
        </Button>
        {features.includes("SAMPLE") && (
          <Button variant="default" onClick={() => once(() => onStarted(openSearches.start(description, filters, { isSample: true })))}>
            Sample
          </Button>
        )}
        <Button
          variant="default"
          leftSection={<IconBookmark size={16} aria-hidden />}
          aria-haspopup="dialog"
          onClick={() => setChoosing(true)}
        >
          Saved search filters
        </Button>
        {hint !== null && (
          <p id={hintId} className={classes["hint"]}>
            <IconInfoCircle size={14} aria-hidden />
            <span>{hint}</span>
          </p>
        )}
        {choosing !== null && (
          <SavedFiltersDialog
            opened={choosing}
            description={description}
            onClose={() => setChoosing(false)}
            onLoad={(from, view) => {
              load(from, view);
              setChoosing(false);
            }}
          />
        )}
      </footer>
    </form>
  );
}
