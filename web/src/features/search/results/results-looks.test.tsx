import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { gateway } from "#testing/open-screen.tsx";
import { cell, fewRows, openResults } from "#testing/results.ts";

beforeEach(() => serveDatasets(gateway));

it("never draws other characters than those of the data", async () => {
  await openResults(fewRows);
  for (const element of [cell(1, "name"), page.getByRole("combobox", { name: "Type a filter", exact: true })])
    await expect.poll(() => getComputedStyle(element.element()).fontVariantLigatures).toBe("none");
});
