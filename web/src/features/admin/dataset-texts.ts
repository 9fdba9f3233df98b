import type { DatasetRef } from "@fairway/contract/datasets";
import { announcementLine } from "#parts/dataset-announcements/announcement-text.ts";
import { readAllAnnouncements } from "#parts/dataset-announcements/calls.ts";
import { readAllQualities } from "#parts/dataset-quality/calls.ts";
import { issuesText } from "#parts/dataset-quality/quality-text.ts";

/** A text about a dataset in the administrators' list. */
export interface DatasetText {
  readonly dataset: DatasetRef;
  readonly text: string;
}

/** What is announced on datasets, on one line each. */
export async function announcementTexts(signal: AbortSignal): Promise<DatasetText[]> {
  const nowMs = Date.now();
  return (await readAllAnnouncements(signal)).map((one) => {
    const hasEnded = one.endMs !== null && one.endMs <= nowMs;
    return { dataset: one.dataset, text: `${hasEnded ? "ended: " : ""}${announcementLine(one)}` };
  });
}

/** What is wrong with the rows of datasets. */
export const qualityTexts = async (signal: AbortSignal): Promise<DatasetText[]> =>
  (await readAllQualities(signal)).map(({ dataset, issues }) => ({ dataset, text: issuesText(issues) }));
