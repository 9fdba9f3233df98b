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
  const saved = page.waitForEvent("download");
  await page.getByRole("dialog", { name: "Export Current Results" }).getByRole("button", { name: format, exact: true }).click();
  const download = await saved;
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), "utf8") };
}
