import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { APIRequestContext, Locator, Page } from "@playwright/test";
import { expect } from "./fixtures.ts";
import { adminHeaders } from "./own-account.ts";

/** A name for this journey only. */
export const uniqueName = (what: string): string => `${what}-${randomUUID().slice(0, 8)}`;

/** Creates an entity through the API. */
export async function createEntity(request: APIRequestContext, type: string, body: object): Promise<Record<string, unknown>> {
  const answer = await request.post(`/api/admin/${type}`, { headers: await adminHeaders(request), data: body });
  expect(answer.status()).toBe(201);
  return (await answer.json()) as Record<string, unknown>;
}

/** All entities of a type, from the API. */
export async function listEntities(request: APIRequestContext, type: string): Promise<Record<string, unknown>[]> {
  const answer = await request.get(`/api/admin/${type}`, { headers: await adminHeaders(request) });
  return (await answer.json()) as Record<string, unknown>[];
}

/** Deletes an entity if it exists. */
export async function deleteEntity(request: APIRequestContext, type: string, id: string): Promise<void> {
  await request.delete(`/api/admin/${type}/${encodeURIComponent(id)}`, { headers: await adminHeaders(request) });
}

/** Opens an administration screen and waits for its heading. */
export async function openAdmin(page: Page, path: string, title: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1, name: title, exact: true })).toBeVisible();
}

/** The row of an entity, after filtering the table by its name. */
export async function rowOf(page: Page, name: string): Promise<Locator> {
  await page.getByRole("textbox", { name: "Filter", exact: true }).fill(name);
  return page.getByRole("grid").getByRole("row").filter({ hasText: name });
}

/** Opens the menu of an entity's row. */
export async function openRowMenu(page: Page, name: string): Promise<void> {
  await rowOf(page, name);
  await page.getByRole("button", { name: `Actions: ${name}`, exact: true }).click();
}

/** Chooses an action from the menu of an entity's row. */
export async function chooseInRow(page: Page, name: string, action: string): Promise<void> {
  await openRowMenu(page, name);
  await page.getByRole("menuitem", { name: action, exact: true }).click();
}

/** The JSON editor of a dialog. */
export const jsonEditor = (dialog: Locator): Locator => dialog.getByRole("textbox", { name: "JSON", exact: true });

/** Replaces the text of the editor, as if pasted. */
export async function writeJson(page: Page, dialog: Locator, value: unknown): Promise<void> {
  await jsonEditor(dialog).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(typeof value === "string" ? value : JSON.stringify(value, null, 2));
}

/** The name and content of the page's next download. */
export async function downloaded(page: Page, start: () => Promise<void>): Promise<{ name: string; json: unknown }> {
  const download = page.waitForEvent("download");
  await start();
  const file = await download;
  return { name: file.suggestedFilename(), json: JSON.parse(await readFile(await file.path(), "utf8")) as unknown };
}
