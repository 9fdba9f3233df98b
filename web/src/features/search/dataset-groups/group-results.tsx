import { noRowsText } from "@fairway/contract/dataset-access";
import { Button } from "@mantine/core";
import { IconArrowLeft } from "#ui/icons/arrow-left.ts";
import { IconPlayerStop } from "#ui/icons/player-stop.ts";
import { IconRefresh } from "#ui/icons/refresh.ts";
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { rangeText } from "#parts/search-model/time-range.ts";
import { searchFragment } from "#parts/search-model/search-address.ts";
import { phaseOf, type SearchRecord } from "#parts/search-model/search-record.ts";
import { openSearches, useOpenSearches } from "#parts/open-searches/store.ts";
import { EmptyState } from "#ui/states.tsx";
import { Elapsed } from "#ui/elapsed.tsx";
import { resultsSubtitle } from "#parts/open-searches/result-wording.ts";
import uiClasses from "#ui/ui.module.css";
import classes from "./dataset-groups.module.css";

interface Props {
  name: string;
  searchIds: readonly string[];
  onBack: () => void;
}

/** The results of a group search: progress, count and error per dataset, with links to the rows. */
export function GroupResults({ name, searchIds, onBack }: Props) {
  const all = useOpenSearches((state) => state.records);
  const records = searchIds.flatMap((id) => all.find((record) => record.id === id) ?? []);
  const ids = searchIds.join();
  useEffect(() => {
    // After a reload the definitions are restored and their rows are requested again.
    for (const id of ids.split(",")) void openSearches.open(id, "");
  }, [ids]);
  const running = records.filter(isRunning);
  const doneCount = records.length - running.length;
  const failedCount = records.filter((record) => phaseOf(record) === "failed").length;
  const sharedFilters = sharedTexts(records);
  return (
    <div className={classes["page"]}>
      <header className={classes["head"]}>
        <Button variant="subtle" leftSection={<IconArrowLeft size={16} aria-hidden />} onClick={onBack}>
          Edit filters
        </Button>
        <h2>{name}</h2>
        {records.length > 0 && (
          <div role="status">
            <p>{doneCount < records.length ? `${doneCount} of ${records.length} searches done` : `${records.length} searches done`}</p>
            {failedCount > 0 && <p className={classes["failed"]}>{`${failedCount} failed`}</p>}
          </div>
        )}
        {running.length > 0 ? (
          <Button
            variant="default"
            leftSection={<IconPlayerStop size={16} aria-hidden />}
            onClick={() => {
              for (const { id } of running) openSearches.cancel(id);
            }}
          >
            Cancel all
          </Button>
        ) : (
          records.length > 0 && (
            <Button variant="default" leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => rerunAll(records)}>
              Rerun all
            </Button>
          )
        )}
      </header>
      {sharedFilters.length > 0 && (
        <ul aria-label="Shared filters" className={classes["shared"]}>
          {sharedFilters.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      {records.length === 0 ? (
        <EmptyState title="no searches">This group's searches are no longer open in this tab.</EmptyState>
      ) : (
        <ul aria-label={`Searches of ${name}`}>
          {records.map((record) => (
            <GroupSearch key={record.id} record={record} />
          ))}
        </ul>
      )}
    </div>
  );
}

/** The shared time range and area of the searches. */
function sharedTexts(records: readonly SearchRecord[]): string[] {
  const range = records.find(({ filters }) => filters.timeRange)?.filters.timeRange;
  const area = records.find(({ filters }) => filters.geospatial)?.filters.geospatial;
  return [...(range?.last ? [`${range.text}: ${rangeText(range)}`] : range ? [range.text] : []), ...(area ? [area.text] : [])];
}

/** Uses one moment for all, so that relative time ranges are equal. */
function rerunAll(records: readonly SearchRecord[]): void {
  const nowMs = Date.now();
  for (const { id } of records) openSearches.rerun(id, nowMs);
}

const isRunning = (record: SearchRecord): boolean => record.isSearching || phaseOf(record) === "new";

function GroupSearch({ record }: { record: SearchRecord }) {
  const { id, datasetDescription, searchError, countError, startedMs } = record;
  const { datasetId, category } = datasetDescription;
  const phase = phaseOf(record);
  return (
    <li className={classes["search"]} aria-label={datasetId} aria-busy={record.isSearching}>
      <div className={classes["summary"]}>
        <Link to="/search/$searchId" params={{ searchId: id }} hash={searchFragment(record)} className={classes["groupResultsName"]}>
          {datasetId}
        </Link>
        <small>{category.id}</small>
        <p className={classes["count"]}>{statusText(record)}</p>
        {searchError !== null && (
          <div role="alert" className={classes["error"]}>
            {["Error getting search results.", ...searchError].map((message) => (
              <p key={message}>{message}</p>
            ))}
          </div>
        )}
        {countError?.map((message) => (
          <p key={message} className={classes["error"]}>
            {message}
          </p>
        ))}
        {phase === "searching" && startedMs !== null && (
          <Elapsed text={`Searching ${datasetId}`} startedMs={startedMs} onCancel={() => openSearches.cancel(id)} />
        )}
      </div>
      {(phase === "failed" || phase === "cancelled") && (
        <Button variant="default" leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => openSearches.rerun(id)}>
          Rerun Search
        </Button>
      )}
      {isRunning(record) && <div className={`${uiClasses["runningLine"]} ${classes["progress"]}`} />}
    </li>
  );
}

function statusText(record: SearchRecord): string {
  const { results, totalResultCount: total } = record;
  if (record.isCancelled && results === null) return "Search canceled";
  if (results?.length === 0) return record.datasetDescription.access?.rows === "none" ? noRowsText : "no results";
  return isRunning(record) && (total === null || total < 0) ? "Searching …" : resultsSubtitle(record);
}
