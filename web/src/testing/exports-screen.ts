import type { ExportState } from "@fairway/contract/exports";
import { expect } from "vitest";
import { page } from "vitest/browser";
import { act } from "./results.ts";

export const dialog = () => page.getByRole("dialog", { name: "Export All Results" });

export const done: ExportState = {
  exportId: "export-1",
  status: "done",
  rows: 68,
  totalRows: 68,
  cut: false,
  failure: null,
  file: { name: "Tropical weather_storm-tracks.csv", bytes: 20_000 },
};

export async function open(): Promise<void> {
  await act("Export All Results");
  await expect.element(dialog()).toBeVisible();
}
