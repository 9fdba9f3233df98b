import { IconBraces, IconChartBar, IconMap, IconTable } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { startText, summary, totalText } from "#parts/open-searches/search-summary.ts";
import { searchFragment } from "#parts/search-model/search-address.ts";
import type { SearchRecord, ViewMode } from "#parts/search-model/search-record.ts";
import classes from "./start.module.css";

const viewIcons: Readonly<Record<ViewMode, typeof IconTable>> = { table: IconTable, raw: IconBraces, map: IconMap, graphs: IconChartBar };

/** The searches of this tab that were started last. */
export default function RecentlyUsed({ records }: { records: readonly SearchRecord[] }) {
  return (
    <section aria-label="Recently used" className={classes["recent"]}>
      <h3>Recently used</h3>
      <ul>
        {records.map((record) => {
          const { id, datasetDescription, viewMode, timestamp } = record;
          const Icon = viewIcons[viewMode];
          return (
            <li key={id}>
              <Link to="/search/$searchId" params={{ searchId: id }} hash={searchFragment(record)}>
                <Icon size={16} stroke={1.5} aria-hidden />
                <strong>{datasetDescription.datasetId}</strong>
                <span className={classes["summary"]}>{summary(record)}</span>
                <span className={classes["rows"]}>{rowsText(totalText(record))}</span>
                <time dateTime={new Date(timestamp).toISOString()}>{startText(timestamp)}</time>
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const rowsText = (total: string | undefined): string => (total === undefined ? "" : `${total} ${total === "1" ? "row" : "rows"}`);
