import { pluralize } from "@fairway/contract/counts";
import { isMoment } from "@fairway/contract/columns";
import { ActionIcon, Button, Flex } from "@mantine/core";
import { IconAlertCircle } from "#ui/icons/alert-circle.ts";
import { IconBaselineDensityMedium } from "#ui/icons/baseline-density-medium.ts";
import { IconBaselineDensitySmall } from "#ui/icons/baseline-density-small.ts";
import { IconChartBar } from "#ui/icons/chart-bar.ts";
import { IconChartBarOff } from "#ui/icons/chart-bar-off.ts";
import { IconRefresh } from "#ui/icons/refresh.ts";
import type { ReactNode } from "react";
import { durationText } from "#lib/time/dates.ts";
import { useLimits } from "#lib/gateway/portal-settings.ts";
import { pageRows } from "#parts/open-searches/search-api.ts";
import { openSearches } from "#parts/open-searches/store.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { rowsLoaded } from "#parts/open-searches/result-wording.ts";
import { Elapsed } from "#ui/elapsed.tsx";
import { TimeZoneToggle } from "#ui/time-zone-toggle.tsx";
import type { ColumnPictures } from "./column-pictures/use-column-pictures.ts";
import { NewRows } from "./new-rows/new-rows.tsx";
import classes from "./results-page.module.css";
import type { RowSize } from "./table/table-props.ts";
import { knownTotal, offersMore, viewOf } from "./views.ts";

/** Row counts, Load More and the duration. It has the same height in every state. */
export function ResultsFooter({
  record,
  rowSize,
  onRowSize,
  pictures,
  children,
}: {
  record: SearchRecord;
  rowSize: RowSize;
  onRowSize: (size: RowSize) => void;
  pictures: Pick<ColumnPictures, "offered" | "wanted" | "onWanted">;
  children: ReactNode;
}) {
  const { id, results, isLoadingMore, isSearching, searchError, allLoaded, truncated, isSample, startedMs, elapsedMs } = record;
  const rows = results?.length ?? 0;
  const total = knownTotal(record);
  // Upstreams may hold fewer rows in a page than they are asked for, which would pass for the last page.
  const { pagingMaxRows } = useLimits();
  const many = record.datasetDescription.assists.includes("EXPORT") ? Math.min(1_000, pagingMaxRows) : 0;
  const hasMany = many > pageRows() && (total === null || total - rows > pageRows());
  const hasTimes = record.datasetDescription.schema.columns.some(isMoment);
  const hasPageError = results !== null && searchError !== null && !isLoadingMore;
  return (
    <footer className={classes["footer"]}>
      <Flex component="span" rowGap={0} columnGap="md" align="center" wrap="wrap" miw={0}>
        {results === null ? (
          ""
        ) : (
          <span>{total !== null && total > rows ? `${rows.toLocaleString("en-US")} of ${pluralize(total, "row")}` : rowsLoaded(rows)}</span>
        )}
        {total !== null && total > rows && rows > 0 && (
          <span className={classes["share"]} aria-hidden>
            <span style={{ width: `${(rows / total) * 100}%` }} />
          </span>
        )}
        {rows > 0 && viewOf(record) === "table" && hasTimes && <TimeZoneToggle />}
        <NewRows key={record.run} record={record} />
        {children}
      </Flex>
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
            <>
              <Button variant="default" loading={isLoadingMore} disabled={isSearching} onClick={() => openSearches.loadMore(id)}>
                Load More
              </Button>
              {hasMany && (
                <Button
                  variant="subtle"
                  className={classes["many"] ?? ""}
                  disabled={isSearching || isLoadingMore}
                  onClick={() => openSearches.loadMore(id, many)}
                >
                  Load {many.toLocaleString("en-US")}
                </Button>
              )}
            </>
          )
        )}
        {results !== null && rows > 0 && allLoaded && !truncated && !isSample && !hasPageError && (
          <span role="status">no more results to load</span>
        )}
      </span>
      <span className={classes["took"]}>
        {rows > 0 && viewOf(record) === "table" && pictures.offered && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={24}
            aria-label="Column charts"
            title="Column charts"
            aria-pressed={pictures.wanted}
            onClick={() => pictures.onWanted(!pictures.wanted)}
          >
            {pictures.wanted ? <IconChartBar size={16} aria-hidden /> : <IconChartBarOff size={16} aria-hidden />}
          </ActionIcon>
        )}
        {rows > 0 && viewOf(record) === "table" && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={24}
            className={classes["rowSize"] ?? ""}
            aria-label="Compact rows"
            title="Compact rows"
            aria-pressed={rowSize === "compact"}
            onClick={() => onRowSize(rowSize === "compact" ? "comfortable" : "compact")}
          >
            {rowSize === "compact" ? (
              <IconBaselineDensityMedium size={16} aria-hidden />
            ) : (
              <IconBaselineDensitySmall size={16} aria-hidden />
            )}
          </ActionIcon>
        )}
        {startedMs !== null && results !== null ? (
          <Elapsed text={isLoadingMore ? "Loading more" : "Searching"} startedMs={startedMs} onCancel={() => openSearches.cancel(id)} />
        ) : (
          elapsedMs !== null && results !== null && <span title="How long the last answer took">{durationText(elapsedMs)}</span>
        )}
      </span>
    </footer>
  );
}
