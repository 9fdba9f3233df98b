import { readFile } from "node:fs/promises";
import type { ResultRow } from "@fairway/contract/search";
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

/** All loaded rows with all columns, from an export. */
export async function exportedRows(page: Page): Promise<ResultRow[]> {
  const { text } = await exportResults(page, "JSON");
  return JSON.parse(text) as ResultRow[];
}
