import type { Column } from "@fairway/contract/columns";
import { lookups } from "@fairway/contract/lookups";
import { beforeEach, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { Refused } from "#testing/contract-gateway.ts";
import { demoDatasets, serveDatasets } from "#testing/demo-datasets.ts";
import { gateway } from "#testing/open-screen.tsx";
import { alterRows, header, katrina, openResults } from "#testing/results.ts";
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

it("datasets that cannot be looked up say why, and a wrong key says what is wrong with it", async () => {
  await openResults(katrina);
  await choose("wind", "Columns of another dataset …");
  const added = dialog("Columns of another dataset");
  await added.getByRole("combobox", { name: "Dataset" }).click();
  await expect.element(page.getByRole("option", { name: /^bird-strikes/ })).toHaveAttribute("data-combobox-disabled");
  await expect.element(page.getByText("'bird-strikes' has required filters, so that its columns cannot be looked up.")).toBeVisible();
  const sentence = "'wind' is a number and 'name' is text; use text(wind) or number(name).";
  gateway.answer(lookups.report, ({ body }) => {
    if (body.key === undefined) return { key: [], columns: ["name", "city"], values: 0, found: 0, complete: true, others: null, rows: [] };
    throw new Refused("invalid-value", sentence, "key.0");
  });
  await page.getByRole("option", { name: "airports" }).click();
  await expect.element(added.getByRole("combobox", { name: "Column here" })).toHaveValue("=wind");
  await expect.element(added.getByText("Choose two columns that hold the same values.")).toBeVisible();
  await added.getByRole("combobox", { name: "Equals in airports" }).selectOptions("name");
  await expect.element(added.getByRole("alert")).toHaveTextContent(sentence);
  await added.getByRole("checkbox", { name: "city" }).click();
  await expect.element(added.getByRole("button", { name: "Add columns" })).toBeDisabled();
});

it("columns that were picked are asked about before they are lost, and the focus returns to the column", async () => {
  await openResults(katrina);
  await choose("name", "Columns of another dataset …");
  const added = dialog("Columns of another dataset");
  await added.getByRole("checkbox", { name: "city" }).click();
  await userEvent.keyboard("{Escape}");
  await expect.element(page.getByText("Discard your changes?")).toBeVisible();
  await page.getByRole("button", { name: "Discard" }).click();
  await expect.element(added).not.toBeInTheDocument();
  await expect.poll(() => document.activeElement?.closest("[data-column]")?.getAttribute("data-column")).toBe("name");
});

it("a search looks up columns of at most three datasets", async () => {
  const three = [1, 2, 3].map((number) => ({
    id: `lookup-${number}`,
    dataset: airports,
    key: [{ column: "name", on: "name" }],
    columns: [{ from: "city", name: `city_${number}` }],
  }));
  await openResults({ ...katrina, added: { lookups: three } });
  await userEvent.hover(header("wind"));
  await page.getByRole("button", { name: "wind column menu" }).click();
  await expect.element(page.getByRole("menuitem", { name: "Columns of another dataset …" })).toBeDisabled();
});
