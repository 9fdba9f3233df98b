import { noRowsText } from "@fairway/contract/dataset-access";
import { type DatasetDescription, datasetKey, type DatasetRef } from "@fairway/contract/datasets";
import type { SearchColumns } from "@fairway/contract/derived-columns";
import { Box, Button, Flex, Group, Text } from "@mantine/core";
import { useMediaQuery, useWindowEvent } from "@mantine/hooks";
import { IconBookmark } from "#ui/icons/bookmark.ts";
import { IconFilterOff } from "#ui/icons/filter-off.ts";
import { IconInfoCircle } from "#ui/icons/info-circle.ts";
import { IconPlus } from "#ui/icons/plus.ts";
import { IconSearch } from "#ui/icons/search.ts";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState } from "react";
import { formValue } from "#features/search/linked-datasets/link-filters.ts";
import { useDatasetForm, useFormColumns } from "#features/search/search-form/form-store.ts";
import classes from "#features/search/search-form/search-form.module.css";
import LiveCount from "#features/search/search-form/live-count.tsx";
import { LinkedDatasets } from "#features/search/linked-datasets/linked-datasets.tsx";
import { LoadedSearchBanner } from "#features/search/saved-searches/loaded-search-banner.tsx";
import { canSucceedLater } from "#lib/gateway/gateway-error.ts";
import { describeQuery } from "#parts/dataset-picker/queries.ts";
import { withoutCell } from "#parts/search-model/cell-filter.ts";
import { canSearch, hasFilters, initialFilters } from "#parts/search-model/filter-list.ts";
import { FilterPanel, type FilterPanelHandle } from "#parts/filters/filter-panel.tsx";
import { filterProblem, readFilter } from "#parts/filters/filter-value.ts";
import { useSearchDescription } from "#parts/open-searches/describe-search.ts";
import { coarseColumnsOf } from "#parts/reader-part/coarse-columns.ts";
import { PartOfRows } from "#parts/reader-part/part-of-rows.tsx";
import { openSearches } from "#parts/open-searches/store.ts";
import { AnnouncementBanner } from "#parts/dataset-announcements/announcement-banner.tsx";
import { island } from "#ui/island.tsx";
import { WithoutData } from "#ui/kit/query-state.tsx";
import { useSinglePress } from "#ui/use-single-press.ts";
import { pressed } from "#ui/shortcut-keys.ts";
import { DatasetColumns } from "./dataset-about.tsx";

// With the dialogs of saved searches and of alerts.
const SavedFiltersDialog = island(async () => ({
  default: (await import("#features/search/alerts/watchable-filters-dialog.tsx")).WatchableFiltersDialog,
}));

interface Props {
  dataset: DatasetRef;
  /** Called with a started search, to show its results. */
  onStarted: (searchId: string) => void;
}

/** The selected dataset: description, filters and Search. */
export function DatasetsSearchForm({ dataset, onStarted }: Props) {
  const query = useQuery(describeQuery(dataset.datasetCategory, dataset.datasetId));
  if (query.data) return <DescribedForm description={query.data} onStarted={onStarted} />;
  return (
    <div className={classes["form"]}>
      <div className={classes["scroll"]}>
        <h2 className={classes["name"]}>{dataset.datasetId}</h2>
        <div className={classes["state"]}>
          <WithoutData
            query={query}
            loading={{ label: "Loading dataset filters", rows: 6, rowHeight: 48 }}
            failed="Failed to load dataset filters"
            canRetry={canSucceedLater}
          />
        </div>
      </div>
    </div>
  );
}

/** The category with its description. Own datasets are not known by theirs. */
function categoryText({ category: { id, description }, own }: DatasetDescription): string {
  if (own !== undefined) return own.can === "own" ? "Own data" : `Shared by ${own.owner ?? "a deleted account"}`;
  return description === "" ? id : `${id}: ${description}`;
}

interface FormProps {
  description: DatasetDescription;
  onStarted: Props["onStarted"];
}

/** Waits for the columns that the form's search adds: its filters may name them. */
function DescribedForm({ description, onStarted }: FormProps) {
  const added = useFormColumns(description);
  const described = useSearchDescription(description, added);
  return described && <LoadedForm description={described} added={added} onStarted={onStarted} />;
}

function LoadedForm({ description, added, onStarted }: FormProps & { added: SearchColumns | undefined }) {
  const { filters, loaded, setFilters, load, forgetView } = useDatasetForm(description);
  const [invalidAttempts, setInvalidAttempts] = useState(0);
  // Null until first opened, so that the dialog mounts on first use.
  const [savedOpened, setSavedOpened] = useState<boolean | null>(null);
  const isPhone = useMediaQuery("(max-width: 720px)", undefined, { getInitialValueInEffect: false });
  const form = useRef<HTMLFormElement>(null);
  const panel = useRef<FilterPanelHandle>(null);
  const hintId = useId();
  const countId = useId();
  const { enabled, hint, missing } = canSearch(description, filters);
  const ignoreRepeated = useSinglePress();

  // Focus the first invalid field after a rejected search.
  useEffect(() => {
    if (invalidAttempts > 0) form.current?.querySelector<HTMLElement>("[aria-invalid='true']")?.focus();
  }, [invalidAttempts]);

  const search = () => {
    if (!enabled) return;
    if (filters.dynamic.some((filter) => filterProblem(filter) !== undefined)) {
      setInvalidAttempts((attempts) => attempts + 1);
      return;
    }
    ignoreRepeated(() =>
      onStarted(
        openSearches.start(
          description,
          { ...filters, dynamic: filters.dynamic.map(readFilter) },
          {
            isSample: false,
            sort: loaded?.sort,
            visibleColumns: loaded?.columns,
            viewMode: loaded?.mode ?? undefined,
            added,
          },
        ),
      ),
    );
  };
  useWindowEvent("keydown", (event) => {
    if (!pressed(event, "form.search") || document.querySelector("[aria-modal='true']")) return;
    event.preventDefault();
    search();
  });

  const { category, datasetId, features, schema, linkedDatasets, access } = description;
  // On a phone, it would take a fifth of the window from the filters.
  const wanted = hint !== null && (
    <div className={classes["missing"]}>
      <p id={hintId} className={classes["hint"]}>
        <IconInfoCircle size={14} aria-hidden />
        <span>{hint}</span>
      </p>
      {missing.map((part) => (
        <button
          key={part.kind === "field" ? part.name : part.kind}
          type="button"
          className={classes["supply"]}
          onClick={() => panel.current?.supply(part)}
        >
          <IconPlus size={14} aria-hidden />
          {part.kind === "timeRange" ? "Add a time range" : part.kind === "area" ? "Add an area" : `Add ${part.display}`}
        </button>
      ))}
    </div>
  );
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
      <AnnouncementBanner dataset={{ datasetCategory: category.id, datasetId }} opens="search" />
      <div className={classes["scroll"]}>
        <Flex component="header" gap="xs" direction="column" maw="var(--prose-max)">
          <p className={classes["category"]}>{categoryText(description)}</p>
          <h2 className={classes["name"]}>{description.own?.title || datasetId}</h2>
          {description.description !== "" && <p className={classes["about"]}>{description.description}</p>}
          {access?.rows === "none" && <p className={classes["about"]}>{noRowsText}</p>}
        </Flex>
        {isPhone && wanted}
        <div className={classes["columns"]}>
          <div>
            {filters.within && (
              <Group gap="sm" mb="md">
                <Text size="sm">{filters.within.text}</Text>
                <Button variant="default" size="xs" onClick={() => setFilters(withoutCell(filters))}>
                  Remove map cell
                </Button>
              </Group>
            )}
            {loaded && <LoadedSearchBanner loaded={loaded} onForget={forgetView} />}
            <FilterPanel
              ref={panel}
              description={description}
              filters={filters}
              added={added}
              draftName={`filter bar of ${datasetKey({ datasetCategory: category.id, datasetId })}`}
              showProblems={invalidAttempts > 0}
              onChange={setFilters}
            />
            {access?.rows === "some" && (
              <Box mt="md">
                <PartOfRows access={access} />
              </Box>
            )}
            {linkedDatasets.length > 0 && (
              <LinkedDatasets
                links={linkedDatasets}
                valueOf={formValue(filters.dynamic)}
                nameOf={(column) => filters.dynamic.find(({ name }) => name === column)?.display ?? column}
              />
            )}
          </div>
          <DatasetColumns columns={schema.columns} coarse={coarseColumnsOf(description)} />
        </div>
      </div>
      <footer className={classes["actions"]}>
        <Button
          type="submit"
          leftSection={<IconSearch size={16} aria-hidden />}
          disabled={!enabled}
          aria-describedby={hint === null ? countId : hintId}
        >
          Search
        </Button>
        {enabled && <LiveCount id={countId} description={description} filters={filters} added={added} />}
        {features.includes("SAMPLE") && (
          <Button
            variant="default"
            onClick={() => ignoreRepeated(() => onStarted(openSearches.start(description, filters, { isSample: true })))}
          >
            Sample
          </Button>
        )}
        <Button
          variant="default"
          leftSection={<IconBookmark size={16} aria-hidden />}
          aria-haspopup="dialog"
          onClick={() => setSavedOpened(true)}
        >
          Saved search filters
        </Button>
        {hasFilters(description, filters) && (
          <Button
            variant="subtle"
            leftSection={<IconFilterOff size={16} aria-hidden />}
            onClick={() => load({ geospatial: null, timeRange: null, dynamic: initialFilters(description) }, undefined)}
          >
            Clear filters
          </Button>
        )}
        {!isPhone && wanted}
        {savedOpened !== null && (
          <SavedFiltersDialog
            opened={savedOpened}
            description={description}
            onClose={() => setSavedOpened(false)}
            onLoad={(savedFilters, view) => {
              load(savedFilters, view);
              setSavedOpened(false);
            }}
          />
        )}
      </footer>
    </form>
  );
}
