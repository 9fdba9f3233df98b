import type { Notice } from "@fairway/contract/notices";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { localTime } from "#lib/time/local-time.ts";
import { browserZone } from "#lib/time/time-zone.ts";
import { NoticeIcon } from "#parts/notices/notice-icon.tsx";
import { NoticeView } from "#parts/notices/notice-view.tsx";
import { noticesQuery } from "#parts/notices/queries.ts";
import { PageHeader } from "#ui/page-header.tsx";
import { QueryState } from "#ui/kit/query-state.tsx";
import classes from "./notices.module.css";

/** The notices for this user and the selected one. */
export function NoticesPage() {
  const query = useQuery(noticesQuery);
  const { data } = query;
  return (
    <>
      <PageHeader title="Notices" {...(data && data.length > 0 ? { subtitle: `Times in ${browserZone()}` } : {})} />
      <QueryState
        query={query}
        loading={{ label: "Loading notices", rowHeight: 52 }}
        failed="An error occurred while loading notices."
        empty={{ text: "You have no notices." }}
      >
        {(loaded) => <List notices={loaded} />}
      </QueryState>
    </>
  );
}

function List({ notices }: { notices: readonly Notice[] }) {
  const [selectedId, setSelectedId] = useState<string | null>(null);
  const shown = notices.find(({ id }) => id === selectedId) ?? notices[0];
  return (
    <div className={classes["columns"]}>
      <ul className={classes["list"]} aria-label="Notices">
        {notices.map((notice) => (
          <li key={notice.id}>
            <button
              type="button"
              className={classes["item"]}
              aria-current={notice === shown ? "true" : undefined}
              onClick={() => setSelectedId(notice.id)}
            >
              <NoticeIcon name={notice.faIcon} size={16} />
              <span>
                {notice.title}
                <small>{localTime(notice.createdDateMs)}</small>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region is reached by the keyboard */}
      <section className={classes["viewer"]} aria-label="Chosen notice" tabIndex={0}>
        {shown && <NoticeView notice={shown} />}
      </section>
    </div>
  );
}
