import { exports, type ExportState } from "@fairway/contract/exports";
import { expect } from "vitest";
import { page } from "vitest/browser";
import { serveDatasets } from "./demo-datasets.ts";
import { gateway } from "./open-screen.tsx";
import { act, alterRows } from "./results.ts";

export const dialog = () => page.getByRole("dialog", { name: "Export All Results" });
export const start = () => dialog().getByRole("button", { name: "Start Export" });
export const progress = () => dialog().getByRole("progressbar", { name: "Rows written" });
export const downloadLink = () => dialog().getByRole("link", { name: "Download" });

export const done: ExportState = {
  exportId: "export-1",
  status: "done",
  rows: 68,
  totalRows: 68,
  cut: false,
  failure: null,
  file: { name: "Tropical weather_storm-tracks.csv", bytes: 20_000 },
};

export const running: ExportState = { ...done, status: "running", rows: 34, file: null };

/** Makes the gateway write exports, each of which is done at once. */
export function serveExports(): void {
  serveDatasets(gateway);
  // The export asks for the count, not for these rows.
  alterRows((rows) => rows.slice(0, 1));
  gateway.answer(exports.start, { exportId: "export-1" });
  gateway.answer(exports.state, done);
  gateway.answer(exports.remove, undefined);
}

export async function open(): Promise<void> {
  await act("Export All Results");
  await expect.element(dialog()).toBeVisible();
}
