import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { cell, fewRows, openResults } from "#testing/results.ts";

it("never draws other characters than those of the data", async () => {
  await openResults(fewRows);
  for (const element of [cell(1, "name"), page.getByRole("combobox", { name: "Type a filter", exact: true })])
    await expect.poll(() => getComputedStyle(element.element()).fontVariantLigatures).toBe("none");
});
