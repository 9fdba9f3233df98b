import type { Column } from "@fairway/contract/columns";
import { lookups } from "@fairway/contract/lookups";
import { search } from "@fairway/contract/search";
import { beforeEach, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { demoDatasets, serveDatasets } from "#testing/demo-datasets.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { alterRows, katrina, openResults, shownColumns } from "#testing/results.ts";
import { airports, choose, dialog } from "#testing/lookup-dialogs.ts";

beforeEach(() => {
  // Few columns: those far to the right are not in the page.
  const isShown = ({ name }: Column) => ["name", "season", "wind", "city", "state"].includes(name);
  const served = demoDatasets().map(({ description, rows }) => ({
    description: {
      ...description,
      assists: [...description.assists, "BREAKDOWN" as const],
      schema: { columns: description.schema.columns.filter(isShown) },
    },
    rows,
  }));
  serveDatasets(gateway, served);
  alterRows((rows) => rows.slice(0, 3));
  gateway.answer(lookups.targets, [
    { ...airports, reason: null, key: { column: "name", on: "name" } },
    {
      datasetCategory: "Aviation",
      datasetId: "bird-strikes",
      reason: "'bird-strikes' has required filters, so that its columns cannot be looked up.",
      key: null,
    },
  ]);
});

const sent = () => gateway.received(search.run).at(-1)?.body?.lookups;

it("a search gets columns of the dataset whose key a column holds, keeps them in its address, changes and removes them", async () => {
  await openResults(katrina);
  await choose("name", "Columns of another dataset …");
  const added = dialog("Columns of another dataset");
  await expect.element(added.getByRole("combobox", { name: "Dataset" })).toHaveValue("airports");
  await expect.element(added.getByRole("combobox", { name: "Equals in airports" })).toHaveValue("=name");
  await expect.element(added.getByText(/values of name/)).toBeVisible();
  await expect.element(added.getByRole("button", { name: "Add columns" })).toBeDisabled();
  await added.getByRole("checkbox", { name: "city" }).click();
  await added.getByRole("checkbox", { name: "state" }).click();
  await added.getByRole("textbox", { name: "Name of state here" }).fill("wind");
  await expect.element(added.getByText("There is another column 'wind'.")).toBeVisible();
  await expect.element(added.getByRole("button", { name: "Add columns" })).toBeDisabled();
  await added.getByRole("textbox", { name: "Name of state here" }).fill("where");
  await added.getByRole("button", { name: "Add columns" }).click();
  const lookup = {
    id: "lookup-1",
    dataset: airports,
    match: "exact",
    key: [{ column: "name", on: "name" }],
    columns: [
      { from: "city", name: "city" },
      { from: "state", name: "where" },
    ],
  };
  await expect.poll(sent).toEqual([lookup]);
  await expect.poll(() => shownColumns()).toEqual(expect.arrayContaining(["city", "where"]));
  await expect.element(page.getByRole("button", { name: "Summarize by city" })).toBeVisible();

  const address = location.pathname + location.hash;
  await openScreen("/search");
  await openScreen(address.replace(/search\/[^#]+/, `search/${crypto.randomUUID()}`));
  await expect.poll(() => shownColumns()).toContain("where");
  expect(sent()).toEqual([lookup]);

  await choose("where", "Change lookup …");
  const changed = dialog("Change columns of airports");
  await changed.getByRole("checkbox", { name: "Ignore case and outer spaces" }).click();
  await userEvent.keyboard("{Control>}{Enter}{/Control}");
  await expect.poll(sent).toEqual([{ ...lookup, match: "loose" }]);

  await choose("city", "Remove column");
  await expect.poll(sent).toEqual([{ ...lookup, match: "loose", columns: [{ from: "state", name: "where" }] }]);
  await choose("where", "Change lookup …");
  await dialog("Change columns of airports").getByRole("button", { name: "Remove" }).click();
  await expect.poll(sent).toBeUndefined();
  await expect.poll(() => shownColumns()).not.toContain("where");
});
