import { datasetAnnouncements } from "@fairway/contract/dataset-announcements";
import { datasetQualities } from "@fairway/contract/dataset-quality";
import type { DatasetRef } from "@fairway/contract/datasets";
import { call } from "#lib/gateway/call.ts";
import { announcementLine } from "#parts/dataset-announcements/announcement-text.ts";
import { issuesText } from "#parts/dataset-quality/quality-text.ts";

/** A text about a dataset in the administrators' list. */
export interface DatasetText {
  readonly dataset: DatasetRef;
  readonly text: string;
}

/** Announcements on datasets, on one line each. */
export async function announcementTexts(signal: AbortSignal): Promise<DatasetText[]> {
  const nowMs = Date.now();
  return (await call(datasetAnnouncements.listAll, {}, { signal })).map((one) => {
    const hasEnded = one.endMs !== null && one.endMs <= nowMs;
    return { dataset: one.dataset, text: `${hasEnded ? "ended: " : ""}${announcementLine(one)}` };
  });
}

/** Quality issues of datasets. */
export const qualityTexts = async (signal: AbortSignal): Promise<DatasetText[]> =>
  (await call(datasetQualities.listAll, {}, { signal })).map(({ dataset, issues }) => ({ dataset, text: issuesText(issues) }));
