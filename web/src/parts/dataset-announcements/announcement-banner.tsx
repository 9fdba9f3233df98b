import { recordOf } from "@fairway/contract/records";
import { datasetKey, type DatasetRef } from "@fairway/contract/datasets";
import { useQuery } from "@tanstack/react-query";
import { z } from "zod";
import { create } from "zustand";
import { rememberInTab } from "#lib/browser/tab-memory.ts";
import { island } from "#ui/island.tsx";
import classes from "./announcements.module.css";
import { announcementsQuery } from "./queries.ts";

// With the library that reads Markdown.
const AnnouncementContent = island(() => import("./announcement-content.tsx"));

/** Versions of announcements that the user dismissed in this tab, by dataset. */
const useDismissed = create<{ versions: Readonly<Record<string, number>> }>(() => ({ versions: {} }));

const store = rememberInTab("announcements", {
  restore: (stored) => useDismissed.setState({ versions: recordOf(z.string(), z.number()).safeParse(stored).data ?? {} }),
  forget: () => useDismissed.setState({ versions: {} }),
});

interface Props {
  dataset: DatasetRef;
  /** Screen that the link of a replacement opens. */
  opens: "schema" | "search";
}

/** Announcement on a dataset. Dismissed for the tab, until it changes. */
export function AnnouncementBanner({ dataset, opens }: Props) {
  const key = datasetKey(dataset);
  const { data, isError } = useQuery(announcementsQuery);
  const announcement = data?.get(key);
  const dismissed = useDismissed(({ versions }) => versions[key]);
  if (isError && opens === "schema") return <p className={classes["failed"]}>Announcements could not be loaded.</p>;
  if (!announcement || announcement.version === dismissed) return null;
  const dismiss = () => {
    const versions = { ...useDismissed.getState().versions, [key]: announcement.version };
    useDismissed.setState({ versions });
    store(versions);
  };
  return <AnnouncementContent announcement={announcement} opens={opens} onDismiss={dismiss} />;
}
