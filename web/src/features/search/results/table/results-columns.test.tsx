import { search } from "@fairway/contract/search";
import { beforeEach, describe, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectCount, expectText } from "#testing/assertions.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { openOnce } from "#testing/open-once.tsx";
import { gateway } from "#testing/open-screen.tsx";
import { act, alterRows, cell, expectSearch, grid, header, katrina, openResults, shownColumns } from "#testing/results.ts";

beforeEach(() => {
  serveDatasets(gateway);
  alterRows((rows) => rows.slice(0, 2));
});

const editor = () => page.getByRole("region", { name: "Columns", exact: true });
const firstColumns = ["storm_id", "name", "season", "time", "latitude"];
const expectFirst = (columns: readonly string[]) => expect.poll(() => shownColumns().slice(0, columns.length)).toEqual(columns);

describe("the column editor", () => {
  openOnce(async () => {
    await openResults(katrina);
    await expect.element(editor()).not.toBeInTheDocument();
    await act("Show Column Visibility");
    await expectCount(editor().getByRole("checkbox"), 17);
  });

  it("[RESULT-22][RESULT-41] is hidden and shown from the menu, and closed by its button", async () => {
    await act("Hide Column Visibility");
    await expect.element(editor()).not.toBeInTheDocument();
    await act("Show Column Visibility");
    await editor().getByRole("button", { name: "Close columns" }).click();
    await expect.element(editor()).not.toBeInTheDocument();
    await expect.element(grid()).toBeVisible();
    await act("Show Column Visibility");
    await expect.element(editor()).toBeVisible();
  });

  it("[RESULT-19][RESULT-24] hides all columns with Select None", async () => {
    await editor().getByRole("button", { name: "Select None" }).click();
    await expect.element(page.getByText("all columns hidden", { exact: true })).toBeVisible();
    await expect.element(editor().getByRole("checkbox", { checked: true })).not.toBeInTheDocument();
    await expect.element(grid()).not.toBeInTheDocument();
    await editor().getByRole("button", { name: "Select All" }).click();
    await expect.element(grid()).toBeVisible();
  });

  it("[RESULT-20][RESULT-23] shows all columns in the table with Select All", async () => {
    await editor().getByRole("checkbox", { name: "name", exact: true }).click();
    await expectFirst(["storm_id", "season"]);
    await editor().getByRole("button", { name: "Select All" }).click();
    await expectCount(editor().getByRole("checkbox", { checked: true }), 17);
    await expect.element(grid()).toHaveAttribute("aria-colcount", "17");
    await expectFirst(firstColumns);
  });

  it("[RESULT-25][RESULT-26] hides and shows single columns, and counts hidden ones", async () => {
    await expect.element(editor().getByText("17 columns, 0 hidden")).toBeVisible();
    await editor().getByRole("checkbox", { name: "season", exact: true }).click();
    await editor().getByRole("checkbox", { name: "storm_id", exact: true }).click();
    await expectFirst(["name", "time", "latitude"]);
    await expect.element(editor().getByText("17 columns, 2 hidden")).toBeVisible();
    await expect.element(cell(1, "season")).not.toBeInTheDocument();
    await expectText(cell(1, "name"), "Katrina");
    await editor().getByRole("checkbox", { name: "season", exact: true }).click();
    await expectFirst(["name", "season", "time", "latitude"]);
    await expect.element(editor().getByText("17 columns, 1 hidden")).toBeVisible();
    await editor().getByRole("button", { name: "Select None" }).click();
    await expect.element(editor().getByText("17 columns, 17 hidden")).toBeVisible();
    await editor().getByRole("button", { name: "Select All" }).click();
    await expect.element(editor().getByText("17 columns, 0 hidden")).toBeVisible();
  });
});

it("keeps the rows and restores the order when a sort is canceled; sorts, hides and filters a column from its header menu", async () => {
  await openResults(katrina);
  const first = cell(1, "latitude").element().textContent;
  const release = gateway.hold(search.run);
  await header("latitude").getByRole("button").first().click();
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await expect.poll(() => gateway.received(search.run).at(-1)?.signal?.aborted).toBe(true);
  release();
  await expect.element(header("latitude")).not.toHaveAttribute("aria-sort");
  await expectText(cell(1, "latitude"), first);

  const menu = async (entry: string) => {
    await header("season").getByRole("button", { name: "season column menu" }).click();
    await page.getByRole("menuitem", { name: entry }).click();
  };
  await menu("Sort descending");
  await expectSearch(expect.objectContaining({ sort: [{ column: "season", direction: "desc" }] }));
  await menu("Filter on season");
  const dialog = page.getByRole("dialog", { name: "Add filter" });
  await dialog.getByLabelText("Value").fill("2005");
  await dialog.getByRole("button", { name: "Add filter" }).click();
  await expectSearch(
    expect.objectContaining({
      filters: [
        { name: "name", value: "Katrina", operator: "=" },
        { name: "season", value: 2005, operator: "=" },
      ],
    }),
  );
  await menu("Hide column");
  await expect.element(header("season")).not.toBeInTheDocument();
});
