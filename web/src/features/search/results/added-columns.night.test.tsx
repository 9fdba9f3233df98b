import { ownDatasetForm } from "@fairway/contract/own-dataset-form";
import { ownDatasets } from "@fairway/contract/own-datasets";
import { beforeEach, expect, it } from "vitest";
import { buildColumn } from "#testing/dataset-builders.ts";
import { buildOwnData, buildOwnDataset } from "#testing/own-data.ts";
import { buildOwnSettings } from "#testing/own-settings.ts";
import { gateway } from "#testing/open-screen.tsx";
import { alterRows, katrina, openResults, shownColumns } from "#testing/results.ts";
import { choose, dialog, sent, serve } from "#testing/added-columns.ts";

beforeEach(() => {
  serve();
  alterRows((rows) => rows.slice(0, 3));
});

it("keeps a column in the dataset for its editors, and the search goes on without its own one", async () => {
  const own = buildOwnDataset({ datasetCategory: "Tropical weather", datasetId: "storm-tracks", can: "edit" });
  gateway.answer(ownDatasets.list, buildOwnData({ datasets: [own] }));
  const settings = buildOwnSettings([buildColumn("wind", { type: "integer" }), buildColumn("Gusts")]);
  gateway.answer(ownDatasetForm.one, { ...own, settings, version: 4 });
  gateway.answer(ownDatasetForm.save, ({ body }) => {
    serve(body.settings.schema.columns.slice(2));
    return { ...own, settings: body.settings, version: 5 };
  });
  await openResults(katrina);
  await choose("wind", "Add column …");
  const added = dialog("Add column");
  await added.getByRole("textbox", { name: "Name" }).fill("gusts");
  await added.getByRole("textbox", { name: "Formula" }).fill("if(wind > 64, 'strong', 'weak')");
  const keep = added.getByRole("button", { name: "Keep in the dataset" });
  await keep.click();
  await expect
    .element(added.getByRole("alert"))
    .toHaveTextContent("Keep in the dataset failed: There is another column 'Gusts' in the dataset.");
  await added.getByRole("textbox", { name: "Name" }).fill("force");
  await keep.click();
  await expect.element(added).not.toBeInTheDocument();
  const { version, settings: saved } = gateway.received(ownDatasetForm.save)[0]?.body ?? {};
  expect([version, saved?.schema.columns.at(-1)]).toEqual([
    4,
    { name: "force", type: "STRING", description: "", combined: null, computed: { expression: "if(wind > 64, 'strong', 'weak')" } },
  ]);
  await expect.poll(() => shownColumns()).toContain("force");
  expect(sent()).toBeUndefined();
});
