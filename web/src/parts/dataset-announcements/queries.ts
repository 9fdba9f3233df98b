import { type DatasetAnnouncement, datasetAnnouncements } from "@fairway/contract/dataset-announcements";
import { datasetKey } from "@fairway/contract/datasets";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";

/** By `datasetKey`: what is announced on the datasets that this user may access. */
export const announcementsQuery = queryOptions({
  queryKey: ["datasets", "announcements"],
  queryFn: async ({ signal }): Promise<Announcements> => {
    const announcements = await call(datasetAnnouncements.list, {}, { signal });
    return new Map(announcements.map((one) => [datasetKey(one.dataset), one]));
  },
});

export type Announcements = ReadonlyMap<string, DatasetAnnouncement>;

const none: Announcements = new Map();

/** By `datasetKey`. Empty until they are loaded, and if loading fails. */
export const useAnnouncements = (): Announcements => useQuery(announcementsQuery).data ?? none;
