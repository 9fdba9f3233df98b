import { Button } from "@mantine/core";
import { IconArrowLeft, IconRefresh } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { searchFragment } from "#parts/open-searches/search-address.ts";
import { phaseOf, type SearchRecord } from "#parts/open-searches/search-record.ts";
import { openSearches, useOpenSearches } from "#parts/open-searches/store.ts";
import { EmptyState } from "#ui/states.tsx";
import { Elapsed } from "./results-elapsed.tsx";
import { resultsSubtitle } from "./results-wording.ts";
import classes from "./groups-results.module.css";

interface Props {
  name: string;
  searchIds: readonly string[];
  onBack: () => void;
}

/** What came of searching a group: each dataset's search with its progress, count and error, and the way to its rows. */
export function GroupResults({ name, searchIds, onBack }: Props) {
  const all = useOpenSearches((state) => state.records);
  const records = searchIds.flatMap((id) => all.find((record) => record.id === id) ?? []);
  const ids = searchIds.join();
  useEffect(() => {
    // After a reload the definitions are there, and their rows are asked for again.
    for (const id of ids.split(",")) void openSearches.open(id, "");
  }, [ids]);
  const done = records.filter((record) => !isRunning(record)).length;
  return (
    <div className={classes["page"]}>
      <header className={classes["head"]}>
        <Button variant="subtle" leftSection={<IconArrowLeft size={16} aria-hidden />} onClick={onBack}>
          Edit filters
        </Button>
        <h2>{name}</h2>
        {records.length > 0 && (
          <p role="status">{done < records.length ? `${done} of ${records.length} searches done` : `${records.length} searches done`}</p>
        )}
      </header>
      {records.length === 0 ? (
        <EmptyState title="no searches">The searches of this group are no longer open in this tab.</EmptyState>
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

const isRunning = (record: SearchRecord): boolean => record.isSearching || phaseOf(record) === "new";

function GroupSearch({ record }: { record: SearchRecord }) {
  const { id, datasetDescription, searchError, countError, startedMs } = record;
  const { datasetId, category } = datasetDescription;
  const phase = phaseOf(record);
  return (
    <li className={classes["search"]} aria-label={datasetId} aria-busy={record.isSearching}>
      <div className={classes["what"]}>
        <Link to="/search/$searchId" params={{ searchId: id }} hash={searchFragment(record)} className={classes["name"]}>
          {datasetId}
        </Link>
        <small>{category.id}</small>
        <p className={classes["count"]}>{stateText(record)}</p>
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
      {isRunning(record) && <div className={classes["progress"]} />}
    </li>
  );
}

function stateText(record: SearchRecord): string {
  const { results, totalResultCount: total } = record;
  if (record.isCancelled && results === null) return "Search cancelled";
  if (results?.length === 0) return "no results";
  return isRunning(record) && (total === null || total < 0) ? "Searching …" : resultsSubtitle(record);
}
