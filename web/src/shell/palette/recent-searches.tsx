import { IconX } from "#ui/icons/x.ts";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useShallow } from "zustand/react/shallow";
import { searchFragment } from "#parts/search-model/search-address.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { groupAlike } from "#parts/open-searches/alike-searches.ts";
import { openSearches, useOpenSearches, useSearchRecord } from "#parts/open-searches/store.ts";
import { Hint } from "#ui/hint.tsx";
import { setDrawer } from "../frame/panel-state.ts";
import classes from "./palette.module.css";
import { SearchPreview } from "./search-preview.tsx";
import { startText, summary, zoneName } from "#parts/open-searches/search-summary.ts";

/** The ids of searches, separated by spaces, of which none has any. */
const idsOf = (records: readonly SearchRecord[]): string => records.map(({ id }) => id).join(" ");

/** The searches that are open in this tab, newest first. Those that mean the same are one entry, with the earlier ones by their times. */
export function RecentSearches() {
  const alike = useOpenSearches(useShallow((state) => groupAlike(state.records).map(idsOf)));
  if (alike.length === 0) return null;
  return (
    <div className={classes["recents"]}>
      <p className={classes["recentSearchesLabel"]} id="recent-searches">
        Recent searches
        <span>{zoneName()}</span>
      </p>
      <ul aria-labelledby="recent-searches">
        {alike.map((ids) => {
          const [id = "", ...earlier] = ids.split(" ");
          return <RecentSearch key={id} id={id} earlier={earlier} />;
        })}
      </ul>
    </div>
  );
}

function RecentSearch({ id, earlier }: { id: string; earlier: readonly string[] }) {
  const record = useSearchRecord(id);
  const { searchId } = useParams({ strict: false });
  const navigate = useNavigate();
  if (!record) return null;
  const { datasetId } = record.datasetDescription;
  const isCurrent = searchId === id;
  return (
    <li className={classes["item"]} data-current={isCurrent || undefined}>
      <Hint label={<SearchPreview record={record} />} openDelayMs={200} side="right-start" describes>
        <Link
          to="/search/$searchId"
          params={{ searchId: id }}
          hash={searchFragment(record)}
          className={classes["link"]}
          activeProps={{}}
          aria-current={isCurrent ? "page" : undefined}
          onClick={() => setDrawer(false)}
        >
          <span className={classes["first"]}>
            <span className={classes["dataset"]}>{datasetId}</span>
            <time dateTime={new Date(record.timestamp).toISOString()}>{startText(record.timestamp)}</time>
          </span>
          <span className={classes["second"]}>
            <State record={record} />
            {summary(record)}
          </span>
        </Link>
      </Hint>
      <button
        type="button"
        className={classes["close"]}
        aria-label={`Close ${datasetId} of ${startText(record.timestamp)}`}
        title="Close search"
        onClick={() => {
          openSearches.close(id);
          if (isCurrent) void navigate({ to: "/search" });
        }}
      >
        <IconX size={14} aria-hidden />
      </button>
      {earlier.length > 0 && (
        <ul className={classes["earlier"]} aria-label={`Earlier searches like ${datasetId} of ${startText(record.timestamp)}`}>
          {earlier.map((one) => (
            <EarlierSearch key={one} id={one} />
          ))}
        </ul>
      )}
    </li>
  );
}

/** An earlier search that means the same: its time alone. */
function EarlierSearch({ id }: { id: string }) {
  const record = useSearchRecord(id);
  const { searchId } = useParams({ strict: false });
  if (!record) return null;
  return (
    <li>
      <Link
        to="/search/$searchId"
        params={{ searchId: id }}
        hash={searchFragment(record)}
        activeProps={{}}
        aria-current={searchId === id ? "page" : undefined}
        onClick={() => setDrawer(false)}
      >
        <time dateTime={new Date(record.timestamp).toISOString()}>{startText(record.timestamp)}</time>
      </Link>
    </li>
  );
}

/** Marks a running or failed search. */
function State({ record }: { record: SearchRecord }) {
  if (record.isSearching) return <span className={classes["running"]} role="img" aria-label="Searching" />;
  if (record.searchError !== null) return <span className={classes["failed"]}>Failed · </span>;
  return null;
}
