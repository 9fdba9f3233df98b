import { pluralize } from "@fairway/contract/counts";
import { noRowsText } from "@fairway/contract/dataset-access";
import type { ViewMode } from "@fairway/contract/search-address";
import { IconBraces } from "#ui/icons/braces.ts";
import { IconChartBar } from "#ui/icons/chart-bar.ts";
import { IconMap } from "#ui/icons/map.ts";
import { IconTable } from "#ui/icons/table.ts";
import { Link } from "@tanstack/react-router";
import type { MouseEvent } from "react";
import { startText, summary, totalText } from "#parts/open-searches/search-summary.ts";
import { openSearches } from "#parts/open-searches/store.ts";
import { searchFragment } from "#parts/search-model/search-address.ts";
import { phaseOf, type SearchRecord } from "#parts/search-model/search-record.ts";
import { useIsIdle, useNewRows } from "./recent-new-rows.ts";
import classes from "./datasets.module.css";

const viewIcons: Readonly<Record<ViewMode, typeof IconTable>> = { table: IconTable, raw: IconBraces, map: IconMap, graphs: IconChartBar };

/** The searches of this tab that were started last. */
export default function RecentlyUsed({ records }: { records: readonly SearchRecord[] }) {
  const isIdle = useIsIdle();
  return (
    <section aria-label="Recently used" className={classes["recent"]}>
      <h3>Recently used</h3>
      <ul>
        {records.map((record) => (
          <li key={record.id}>
            <RecentSearch record={record} isIdle={isIdle} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function RecentSearch({ record, isIdle }: { record: SearchRecord; isIdle: boolean }) {
  const { id, datasetDescription, viewMode, timestamp } = record;
  const newRows = useNewRows(record, isIdle);
  const Icon = viewIcons[viewMode];
  // The rows of the last run would lack the new ones. Without rows, opening runs the search anyway.
  const runAgain = ({ ctrlKey, metaKey, shiftKey }: MouseEvent) => {
    if (newRows > 0 && phaseOf(record) === "results" && !ctrlKey && !metaKey && !shiftKey) openSearches.rerun(id);
  };
  return (
    <Link to="/search/$searchId" params={{ searchId: id }} hash={searchFragment(record)} onClick={runAgain}>
      <Icon size={16} stroke={1.5} aria-hidden />
      <strong>{datasetDescription.datasetId}</strong>
      <span className={classes["summary"]}>{summary(record)}</span>
      <span className={classes["rows"]}>
        {datasetDescription.access?.rows === "none" ? noRowsText : rowsText(totalText(record))}
        {newRows > 0 && <NewRows rows={newRows} />}
      </span>
      <time dateTime={new Date(timestamp).toISOString()}>{startText(timestamp)}</time>
    </Link>
  );
}

function NewRows({ rows }: { rows: number }) {
  const text = `${pluralize(rows, "new row")} since your last run`;
  return (
    <span className={classes["newRows"]} title={text}>
      <span aria-hidden>+{rows.toLocaleString("en-US")}</span>
      <span className="visually-hidden">{` ${text}`}</span>
    </span>
  );
}

const rowsText = (total: string | undefined): string => (total === undefined ? "" : `${total} ${total === "1" ? "row" : "rows"}`);
