import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { chooseAction } from "./results.ts";

export interface SavedFile {
  name: string;
  text: string;
}

/** Exports the loaded rows through the dialog of the results screen. */
export async function exportResults(page: Page, format: "CSV" | "JSON"): Promise<SavedFile> {
  await chooseAction(page, "Export Current Results");
  const dialog = page.getByRole("dialog", { name: "Export Current Results" });
  return saveFile(page, () => dialog.getByRole("button", { name: format, exact: true }).click());
}

/** The file that an action of the user downloads. */
export async function saveFile(page: Page, act: () => Promise<void>): Promise<SavedFile> {
  const saved = page.waitForEvent("download");
  await act();
  const download = await saved;
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), "utf8") };
}
