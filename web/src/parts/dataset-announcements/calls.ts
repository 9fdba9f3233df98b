import { datasetAnnouncements } from "@fairway/contract/dataset-announcements";
import { call } from "#lib/call.ts";

export const readAnnouncements = (signal: AbortSignal) => call(datasetAnnouncements.list, {}, { signal });
/** For administrators. */
export const readAllAnnouncements = (signal: AbortSignal) => call(datasetAnnouncements.listAll, {}, { signal });
