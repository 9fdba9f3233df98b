import type { AnnouncementKind, DatasetAnnouncement } from "@fairway/contract/dataset-announcements";
import { datasetKey, type DatasetRef } from "@fairway/contract/datasets";

export const announcementLabel: Record<AnnouncementKind, string> = { note: "Note", warning: "Warning", deprecated: "Deprecated" };

/** The announcement on one line without Markdown, such as `Deprecated: No new seasons. Use storm-tracks-live instead.` */
export function announcementLine({
  kind,
  text,
  replacement,
}: Pick<DatasetAnnouncement, "kind" | "text"> & Partial<Pick<DatasetAnnouncement, "replacement">>): string {
  const plain = text
    .replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, "$1")
    .replaceAll(/^[#>\s]+|[*`]+/gm, "")
    .replaceAll(/\s+/g, " ")
    .trim();
  const instead = replacement ? `Use ${replacement.datasetId} instead.` : "";
  const sentences = [plain, instead].filter((part) => part !== "").join(" ");
  return sentences === "" ? announcementLabel[kind] : `${announcementLabel[kind]}: ${sentences}`;
}

/** Undefined if nothing is announced on the dataset. */
export function announcedKind(announcements: ReadonlyMap<string, DatasetAnnouncement>, dataset: DatasetRef): string | undefined {
  const announcement = announcements.get(datasetKey(dataset));
  return announcement && announcementLabel[announcement.kind];
}
