import type { DatasetAnnouncement } from "@fairway/contract/dataset-announcements";
import { datasetKey } from "@fairway/contract/datasets";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { loadInPlace } from "#lib/chunk-load.ts";

/** Loaded with the first call: screens are shown before it. */
const loadAnnouncementCalls = () => loadInPlace(() => import("./calls.ts"));

/** By `datasetKey`: what is announced on the datasets that this user may access. */
export const announcementsQuery = queryOptions({
  queryKey: ["datasets", "announcements"],
  queryFn: async ({ signal }): Promise<Announcements> => {
    const announcements = await (await loadAnnouncementCalls()).readAnnouncements(signal);
    return new Map(announcements.map((one) => [datasetKey(one.dataset), one]));
  },
});

export type Announcements = ReadonlyMap<string, DatasetAnnouncement>;

const none: Announcements = new Map();

/** By `datasetKey`. Empty until they are loaded, and if loading fails. */
export const useAnnouncements = (): Announcements => useQuery(announcementsQuery).data ?? none;
