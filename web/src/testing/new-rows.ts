import { distributions } from "@fairway/contract/distributions";
import { search } from "@fairway/contract/search";
import { expect } from "vitest";
import { page } from "vitest/browser";
import { gateway } from "./open-screen.tsx";
import { type AddressedSearch, openResults } from "./results.ts";

export const newestMs = Date.parse("2005-08-31T00:00:00Z");
export const toStart = () => page.getByRole("link", { name: "Datasets", exact: true }).click();

/** Runs a search in the table, which finds out its newest row, and goes to the first screen. */
export async function runAndLeave(addressed: AddressedSearch): Promise<void> {
  const before = gateway.received(distributions.overTime).length;
  await openResults(addressed);
  await expect.poll(() => gateway.received(distributions.overTime).length).toBe(before + 1);
  await expect.element(page.getByRole("region", { name: "Rows over time" })).toBeVisible();
  await toStart();
}

export const serveNewRows = () => {
  const buckets = [0, 1].map((day) => ({ startMs: newestMs + day * 86_400_000, endMs: newestMs + (day + 1) * 86_400_000, rows: 1 }));
  gateway.answer(distributions.overTime, { unit: "day", size: 1, buckets, newestMs });
  gateway.answer(search.rowCount, { rows: 12 });
};
