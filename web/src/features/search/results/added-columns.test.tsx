import type { Column } from "@fairway/contract/columns";
import { ownDatasetForm } from "@fairway/contract/own-dataset-form";
import { ownDatasets } from "@fairway/contract/own-datasets";
import { search } from "@fairway/contract/search";
import { beforeEach, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { buildColumn } from "#testing/dataset-builders.ts";
import { demoDatasets, serveDatasets } from "#testing/demo-datasets.ts";
import { buildOwnData, buildOwnDataset } from "#testing/own-data.ts";
import { buildOwnSettings } from "#testing/own-settings.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { alterRows, cell, header, katrina, openResults, shownColumns } from "#testing/results.ts";

// Few columns: those far to the right are not in the page.
const isShown = ({ name }: Column) => ["name", "season", "wind"].includes(name);

function serve(more: readonly Column[] = []): void {
  const served = demoDatasets().map(({ description, rows }) => ({
    description: {
      ...description,
      assists: [...description.assists, "BREAKDOWN" as const],
      schema: { columns: [...description.schema.columns.filter(isShown), ...more] },
    },
    rows,
  }));
  serveDatasets(gateway, served);
}

beforeEach(() => {
  serve();
  alterRows((rows) => rows.slice(0, 3));
});

const dialog = (name: string) => page.getByRole("dialog", { name });
const sent = () => gateway.received(search.run).at(-1)?.body?.computed;

async function choose(column: string, entry: string): Promise<void> {
  await userEvent.hover(header(column));
  await page.getByRole("button", { name: `${column} column menu` }).click();
  await page.getByRole("menuitem", { name: entry, exact: true }).click();
}

it("a search gets a computed column from a column's menu, keeps it in its address, changes and removes it", async () => {
  await openResults(katrina);
  await choose("wind", "Add column …");
  const added = dialog("Add column");
  await added.getByRole("textbox", { name: "Name" }).fill("force");
  await added.getByRole("textbox", { name: "Formula" }).fill("if(wind > 64, 'strong', 'weak')");
  await added.getByRole("button", { name: "Add column" }).click();
  await expect.poll(sent).toEqual([{ name: "force", expression: "if(wind > 64, 'strong', 'weak')" }]);
  await expect.poll(() => shownColumns()).toContain("force");
  await expect.element(cell(1, "force")).toBeInTheDocument();

  const address = location.pathname + location.hash;
  await openScreen("/search");
  await openScreen(address.replace(/search\/[^#]+/, `search/${crypto.randomUUID()}`));
  await expect.poll(() => shownColumns()).toContain("force");
  expect(sent()).toEqual([{ name: "force", expression: "if(wind > 64, 'strong', 'weak')" }]);

  await choose("force", "Change formula …");
  await dialog("Change force").getByRole("textbox", { name: "Formula" }).fill("if(wind > 100, 'strong', 'weak')");
  await dialog("Change force").getByRole("button", { name: "Save" }).click();
  await expect.poll(sent).toEqual([{ name: "force", expression: "if(wind > 100, 'strong', 'weak')" }]);

  await choose("force", "Remove column");
  await expect.poll(sent).toBeUndefined();
  await expect.poll(() => shownColumns()).not.toContain("force");
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

it("offers nobody else to keep a column in the dataset", async () => {
  await openResults(katrina);
  await choose("wind", "Add column …");
  await expect.element(dialog("Add column").getByRole("button", { name: "Add column" })).toBeVisible();
  expect(dialog("Add column").getByRole("button", { name: "Keep in the dataset" }).elements()).toHaveLength(0);
});
