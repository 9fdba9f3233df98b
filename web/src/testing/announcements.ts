import { type DatasetAnnouncement, datasetAnnouncements } from "@fairway/contract/dataset-announcements";
import { page } from "vitest/browser";
import { Refused } from "./contract-gateway.ts";
import { gateway } from "./open-screen.tsx";

const storms = { datasetCategory: "Tropical weather", datasetId: "storm-tracks" };

const weather = { datasetCategory: "Tropical weather", datasetId: "daily-weather" };

export const schemaAddress = "/data-catalog/Tropical%20weather/storm-tracks";

export const admin = { roles: ["admin"] };

export const deprecated: DatasetAnnouncement = {
  dataset: storms,
  kind: "deprecated",
  text: "No seasons after [2020](https://example.org/2020). <b>Sorry</b>.",
  replacement: weather,
  endMs: null,
  version: 4,
  username: "root",
  savedMs: Date.UTC(2026, 10, 2, 12),
};

export const kept = {} as { stored: DatasetAnnouncement | null };

/** A gateway that keeps the announcement on storm-tracks. */
export function serveAnnouncements(): void {
  kept.stored = deprecated;
  const list = () => (kept.stored === null ? [] : [kept.stored]);
  gateway.answer(datasetAnnouncements.list, list);
  gateway.answer(datasetAnnouncements.listAll, list);
  const requireVersion = (version: number | undefined) => {
    if (version !== (kept.stored?.version ?? 0)) throw new Refused("stale-version", "The announcement has changed since you read it.");
  };
  gateway.answer(datasetAnnouncements.save, ({ body }) => {
    requireVersion(body.version);
    kept.stored = { ...deprecated, ...body, version: (kept.stored?.version ?? 4) + 1 };
    return kept.stored;
  });
  gateway.answer(datasetAnnouncements.remove, ({ query }) => {
    requireVersion(query?.version);
    kept.stored = null;
    return undefined;
  });
}

export const banner = () => page.getByRole("region", { name: "Announcement" });

export const dialog = () => page.getByRole("dialog", { name: "Announce on storm-tracks" });

export const announce = async () => {
  await page.getByRole("main").getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Announce…" }).click();
};

export const line = "Deprecated: No seasons after 2020. <b>Sorry</b>. Use daily-weather instead.";
