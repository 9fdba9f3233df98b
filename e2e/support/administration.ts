import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { APIRequestContext, Locator, Page } from "@playwright/test";
import { expect } from "./fixtures.ts";
import { adminHeaders } from "./own-account.ts";

/** A name that no other journey uses. */
export const ownName = (what: string): string => `${what}-${randomUUID().slice(0, 8)}`;

/** Makes an entity by the administrators' own call. */
export async function createEntity(request: APIRequestContext, type: string, body: object): Promise<Record<string, unknown>> {
  const answer = await request.post(`/api/admin/${type}`, { headers: await adminHeaders(request), data: body });
  expect(answer.status()).toBe(201);
  return (await answer.json()) as Record<string, unknown>;
}

/** What the gateway keeps of a type. */
export async function entitiesOf(request: APIRequestContext, type: string): Promise<Record<string, unknown>[]> {
  const answer = await request.get(`/api/admin/${type}`, { headers: await adminHeaders(request) });
  return (await answer.json()) as Record<string, unknown>[];
}

/** Deletes what a journey made; one that is gone already is fine. */
export async function deleteEntity(request: APIRequestContext, type: string, id: string): Promise<void> {
  await request.delete(`/api/admin/${type}/${encodeURIComponent(id)}`, { headers: await adminHeaders(request) });
}

/** Opens one of the administrators' screens and waits for its table or its word that there is nothing. */
export async function openAdmin(page: Page, path: string, title: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1, name: title, exact: true })).toBeVisible();
}

/** The row of one entity; the table is narrowed to it first. */
export async function rowOf(page: Page, name: string): Promise<Locator> {
  await page.getByRole("textbox", { name: "Filter", exact: true }).fill(name);
  return page.getByRole("grid").getByRole("row").filter({ hasText: name });
}

/** Opens the menu of an entity's row. */
export async function openRowMenu(page: Page, name: string): Promise<void> {
  await rowOf(page, name);
  await page.getByRole("button", { name: `Actions: ${name}`, exact: true }).click();
}

/** Opens it and chooses from it. */
export async function chooseInRow(page: Page, name: string, action: string): Promise<void> {
  await openRowMenu(page, name);
  await page.getByRole("menuitem", { name: action, exact: true }).click();
}

/** The JSON editor of a dialog. */
export const jsonText = (dialog: Locator): Locator => dialog.getByRole("textbox", { name: "JSON", exact: true });

/** Replaces what stands in the editor, as one who pastes over it. */
export async function writeJson(page: Page, dialog: Locator, value: unknown): Promise<void> {
  await jsonText(dialog).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(typeof value === "string" ? value : JSON.stringify(value, null, 2));
}

/** The next download of the page: its name, and what is in it. */
export async function downloaded(page: Page, start: () => Promise<void>): Promise<{ name: string; json: unknown }> {
  const download = page.waitForEvent("download");
  await start();
  const file = await download;
  return { name: file.suggestedFilename(), json: JSON.parse(await readFile(await file.path(), "utf8")) as unknown };
}
