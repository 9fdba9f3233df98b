import { isTimestamp } from "@fairway/contract/columns";
import { Button } from "@mantine/core";
import { IconAlertCircle, IconRefresh } from "@tabler/icons-react";
import { durationText } from "#lib/dates.ts";
import { openSearches } from "#parts/open-searches/store.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { Elapsed } from "#ui/elapsed.tsx";
import { offersMore, viewOf } from "./views.ts";
import { rowsLoaded } from "#parts/open-searches/result-wording.ts";
import { TimeZoneToggle } from "#ui/time-zone-toggle.tsx";
import classes from "./results-page.module.css";

/** Row counts, Load More and the duration. It has the same height in every state. */
export function ResultsFooter({ record }: { record: SearchRecord }) {
  const { id, results, isLoadingMore, isSearching, searchError, allLoaded, truncated, isSample, startedMs, elapsedMs } = record;
  const rows = results?.length ?? 0;
  const hasTimes = record.datasetDescription.schema.columns.some(({ type }) => isTimestamp(type));
  const hasPageError = results !== null && searchError !== null && !isLoadingMore;
  return (
    <footer className={classes["footer"]}>
      <span className={classes["loaded"]}>
        {results === null ? "" : <span>{rowsLoaded(rows)}</span>}
        {rows > 0 && viewOf(record) === "table" && hasTimes && <TimeZoneToggle />}
      </span>
      <span className={classes["middle"]}>
        {hasPageError ? (
          <span role="alert" className={classes["failed"]} title={searchError.join(" ")}>
            <IconAlertCircle size={16} aria-hidden />
            <span className={classes["cut"]}>Error getting search results. {searchError.join(" ")}</span>
            <Button variant="default" leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => openSearches.loadMore(id)}>
              Retry
            </Button>
          </span>
        ) : (
          offersMore(record) && (
            <Button variant="default" loading={isLoadingMore} disabled={isSearching} onClick={() => openSearches.loadMore(id)}>
              Load More
            </Button>
          )
        )}
        {results !== null && rows > 0 && allLoaded && !truncated && !isSample && !hasPageError && (
          <span role="status">no more results to load</span>
        )}
      </span>
      <span className={classes["took"]}>
        {startedMs !== null && results !== null ? (
          <Elapsed text={isLoadingMore ? "Loading more" : "Searching"} startedMs={startedMs} onCancel={() => openSearches.cancel(id)} />
        ) : (
          elapsedMs !== null && results !== null && <span title="How long the last answer took">{durationText(elapsedMs)}</span>
        )}
      </span>
    </footer>
  );
}
