import { beforeEach, expect, it } from "vitest";
import { openForm, storms } from "#testing/datasets-screen.ts";
import { demoDatasets } from "#testing/demo-datasets.ts";
import { alterRows, cell, katrina, openResults } from "#testing/results.ts";
import { serve, searchLinks, rowLinks } from "#testing/linked-datasets.ts";

beforeEach(() => serve(demoDatasets()));

it("disables links whose values the row lacks", async () => {
  alterRows((rows) => rows.map((row) => ({ ...row, storm_id: null })));
  await openResults(katrina);
  await cell(1, "name").click();
  await expect.element(rowLinks().getByRole("button", { name: "Whole track", exact: true })).toBeDisabled();
  await openForm(storms);
  await expect.element(searchLinks()).toBeDisabled();
});
