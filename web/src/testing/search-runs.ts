import { page } from "vitest/browser";
import { airports, openForm, searchButton } from "./datasets-screen.ts";

/** Searches airports of Colorado; tests change the response. */
export async function searchAirports(): Promise<void> {
  await openForm(airports);
  await page.getByRole("textbox", { name: "State", exact: true }).fill("CO");
  await searchButton().click();
}
