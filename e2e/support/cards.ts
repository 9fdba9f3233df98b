import { randomUUID } from "node:crypto";
import { type Page, type Request, expect } from "@playwright/test";

/** A card for this journey only. */
export const newCard = (): string => `card-${randomUUID()}`;

/** Chooses a card on the page of the demo's issuer. */
export async function showCard(page: Page, card: string): Promise<void> {
  await expect(page.getByRole("heading", { level: 1, name: "Choose a card" })).toBeVisible();
  await page.getByLabel("Another card").fill(card);
  await page.getByRole("button", { name: "Use" }).click();
}

/** The browser's next request to the issuer. */
export const cardRequest = (page: Page): Promise<Request> => page.waitForRequest((request) => new URL(request.url()).pathname === "/auth");

export const cacStatus = (page: Page) => page.getByRole("region", { name: "CAC status" }).getByRole("status");

export async function confirmLink(page: Page, password: string): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Confirm Your Password" });
  await dialog.getByRole("textbox", { name: "Password" }).fill(password);
  await dialog.getByRole("button", { name: "Link", exact: true }).click();
}
