import type { DatasetGroup } from "@fairway/contract/dataset-groups";
import { type DatasetDescription, datasetKey } from "@fairway/contract/datasets";
import { Button, Flex } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { IconInfoCircle } from "#ui/icons/info-circle.ts";
import { IconSearch } from "#ui/icons/search.ts";
import { useQueries } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState } from "react";
import { canSucceedLater, messagesOf } from "#lib/gateway/gateway-error.ts";
import { describeQuery } from "#parts/dataset-picker/queries.ts";
import { AreaField } from "#parts/area/area-field.tsx";
import { canSearch } from "#parts/search-model/filter-list.ts";
import { AnnouncementMark } from "#parts/dataset-announcements/announcement-mark.tsx";
import { useAnnouncements } from "#parts/dataset-announcements/queries.ts";
import { FilterPanel } from "#parts/filters/filter-panel.tsx";
import { filterProblem, readFilter } from "#parts/filters/filter-value.ts";
import { TimeRangeField } from "#parts/filters/time-range-field.tsx";
import type { SearchFilters } from "#parts/search-model/search-record.ts";
import { openSearches } from "#parts/open-searches/store.ts";
import { ErrorState, LoadingRows } from "#ui/states.tsx";
import { useSinglePress } from "#ui/use-single-press.ts";
import { combinedExtent, type GroupForm, useGroupForm, withoutShared } from "./group-form.ts";
import classes from "#features/search/search-form/search-form.module.css";
import own from "./dataset-groups.module.css";
import { pressed } from "#ui/shortcut-keys.ts";

interface Props {
  group: DatasetGroup;
  /** Called with the started searches, one per dataset, in the order of the group. */
  onStarted: (searchIds: readonly string[]) => void;
}

/** The form of the selected group: shared filters, the fields of each dataset, and Search. */
export function GroupSearchForm({ group, onStarted }: Props) {
  const descriptionQueries = useQueries({
    queries: group.datasets.map(({ datasetCategory, datasetId }) => describeQuery(datasetCategory, datasetId)),
  });
  const descriptions = descriptionQueries.flatMap(({ data }) => data ?? []);
  if (descriptions.length === group.datasets.length) {
    return <LoadedForm group={group} descriptions={descriptions} onStarted={onStarted} />;
  }
  // A permanent failure blocks the group regardless of the others.
  const allFailed = descriptionQueries.filter(({ error, isFetching }) => error !== null && !isFetching);
  const failed = allFailed.find(({ error }) => !canSucceedLater(error)) ?? allFailed[0];
  const retry = () => {
    for (const { refetch } of allFailed) void refetch();
  };
  return (
    <div className={classes["form"]}>
      <div className={classes["scroll"]}>
        <h2 className={classes["name"]}>{group.name}</h2>
        <div className={classes["state"]}>
          {failed ? (
            <ErrorState
              message="Failed to load dataset filters"
              details={messagesOf(failed.error)}
              onRetry={canSucceedLater(failed.error) ? retry : undefined}
            />
          ) : (
            <LoadingRows label="Loading dataset filters" rows={6} rowHeight={48} />
          )}
        </div>
      </div>
    </div>
  );
}

function LoadedForm({ group, descriptions, onStarted }: Props & { descriptions: readonly DatasetDescription[] }) {
  const groupForm = useGroupForm(group);
  const { shared, filtersOf, setShared } = groupForm;
  const [invalidAttempts, setInvalidAttempts] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  const hintId = useId();
  const withTimes = descriptions.filter(({ filterSupport }) => filterSupport.supportsTimeRange);
  const withLocation = descriptions.filter(({ filterSupport }) => filterSupport.supportsGeospatial);
  const missing = descriptions.filter((description) => !canSearch(description, filtersOf(description)).enabled);

  const ignoreRepeated = useSinglePress();

  // Focus the first invalid field after a rejected search.
  useEffect(() => {
    if (invalidAttempts > 0) form.current?.querySelector<HTMLElement>("[aria-invalid='true']")?.focus();
  }, [invalidAttempts]);

  const search = () => {
    if (missing.length > 0) return;
    const searches = descriptions.map((description): [DatasetDescription, SearchFilters] => [description, filtersOf(description)]);
    if (searches.some(([, { dynamic }]) => dynamic.some((filter) => filterProblem(filter) !== undefined))) {
      setInvalidAttempts((attempts) => attempts + 1);
      return;
    }
    // Uses one moment for all, so that relative time ranges are equal.
    const nowMs = Date.now();
    ignoreRepeated(() =>
      onStarted(
        searches.map(([description, filters]) =>
          openSearches.start(description, { ...filters, dynamic: filters.dynamic.map(readFilter) }, { isSample: false, nowMs }),
        ),
      ),
    );
  };
  useWindowEvent("keydown", (event) => {
    if (!pressed(event, "form.search") || document.querySelector("[aria-modal='true']")) return;
    event.preventDefault();
    search();
  });

  return (
    <form
      ref={form}
      className={classes["form"]}
      noValidate
      aria-label={`Search ${group.name}`}
      onSubmit={(event) => {
        event.preventDefault();
        search();
      }}
    >
      <div className={classes["scroll"]}>
        <Flex component="header" gap="xs" direction="column" maw="var(--prose-max)">
          <p className={classes["category"]}>{`Dataset group of ${descriptions.length}: one search for each dataset`}</p>
          <h2 className={classes["name"]}>{group.name}</h2>
          {group.description !== "" && <p className={classes["about"]}>{group.description}</p>}
        </Flex>
        <div className={own["sections"]}>
          {withTimes.length > 0 && (
            <div>
              <TimeRangeField
                value={shared.timeRange}
                extent={combinedExtent(withTimes)}
                dataset={null}
                onChange={(timeRange) => setShared({ ...shared, timeRange })}
              />
              <SharedNote sharing={withTimes} all={descriptions} missingLabel="time" />
            </div>
          )}
          {withLocation.length > 0 && (
            <div>
              <AreaField
                datasets={withLocation.map(({ category, datasetId }) => ({ datasetCategory: category.id, datasetId }))}
                value={shared.geospatial}
                onChange={(geospatial) => setShared({ ...shared, geospatial })}
              />
              <SharedNote sharing={withLocation} all={descriptions} missingLabel="location" />
            </div>
          )}
          {descriptions.map((description) => (
            <DatasetSection
              key={keyOf(description)}
              groupId={group.id}
              description={description}
              groupForm={groupForm}
              showProblems={invalidAttempts > 0}
            />
          ))}
        </div>
      </div>
      <footer className={classes["actions"]}>
        <Button
          type="submit"
          leftSection={<IconSearch size={16} aria-hidden />}
          disabled={missing.length > 0}
          {...(missing.length === 0 ? {} : { "aria-describedby": hintId })}
        >
          Search
        </Button>
        {missing.length > 0 && (
          <p id={hintId} className={classes["hint"]}>
            <IconInfoCircle size={14} aria-hidden />
            <span>{`Add a required filter for ${missing.map(({ datasetId }) => datasetId).join(", ")}`}</span>
          </p>
        )}
      </footer>
    </form>
  );
}

interface NoteProps {
  sharing: readonly DatasetDescription[];
  all: readonly DatasetDescription[];
  missingLabel: string;
}

/** Names the datasets that a shared filter applies to, unless it applies to all. */
function SharedNote({ sharing, all, missingLabel }: NoteProps) {
  if (sharing.length === all.length) return null;
  return (
    <p
      className={own["note"]}
    >{`Applies to ${sharing.map(({ datasetId }) => datasetId).join(", ")} only. The others have no ${missingLabel}.`}</p>
  );
}

const keyOf = ({ category, datasetId }: DatasetDescription): string => datasetKey({ datasetCategory: category.id, datasetId });

interface SectionProps {
  groupId: string;
  description: DatasetDescription;
  groupForm: GroupForm;
  showProblems: boolean;
}

function DatasetSection({ groupId, description, groupForm: { filtersOf, setOwn }, showProblems }: SectionProps) {
  const id = useId();
  const filters = filtersOf(description);
  const { hint } = canSearch(description, filters);
  const announcement = useAnnouncements().get(keyOf(description));
  return (
    <section aria-labelledby={id} className={own["section"]}>
      <h3 id={id} className={own["title"]}>
        {description.datasetId}
        <AnnouncementMark announcement={announcement} />
        <small>{description.category.id}</small>
      </h3>
      <FilterPanel
        description={withoutShared(description)}
        filters={filters}
        added={undefined}
        draftName={`filter bar of group ${groupId}, ${keyOf(description)}`}
        showProblems={showProblems}
        onChange={(changed) => setOwn(description, changed)}
      />
      {hint !== null && <p className={own["note"]}>{hint}</p>}
    </section>
  );
}
