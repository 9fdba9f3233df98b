import { descriptions } from "@fairway/contract/descriptions";
import { search } from "@fairway/contract/search";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectAddress, expectCount, expectText } from "#testing/assertions.ts";
import { demoDatasets, serveDatasets } from "#testing/demo-datasets.ts";
import { openOnce } from "#testing/open-once.tsx";
import { focus, press } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import {
  act,
  type AddressedSearch,
  alterRows,
  cell,
  expectDatasets,
  expectSearch,
  grid,
  header,
  katrina,
  openResults,
  recentSearches,
  searchLink,
  unemployment,
} from "#testing/results.ts";

beforeEach(() => {
  serveDatasets(gateway);
  alterRows((rows) => rows.slice(0, 1));
});

const filters = () => page.getByRole("group", { name: "Filters applied" });
const sampled: AddressedSearch = { category: katrina.category, dataset: katrina.dataset, isSample: true };

it("[RESULT-34][RESULT-40] opens the Actions menu with all entries by mouse and keyboard, and 'Schema for …' with every column, or why it failed to load with a retry", async () => {
  await openResults(katrina);
  const button = page.getByRole("button", { name: "Actions", exact: true });
  await focus(button);
  await press("Enter");
  for (const entry of [
    "Close Search",
    "Copy cURL Command",
    "Explore Dataset Schema",
    "Export Current Results",
    "Show Column Visibility",
    "Hide Filters",
    "Rerun Search",
    "Save Search Filters",
  ]) {
    await expect.element(page.getByRole("menuitem", { name: entry, exact: true })).toBeEnabled();
  }
  await press("Escape");
  await expect.element(page.getByRole("menu")).not.toBeInTheDocument();
  await expect.element(button).toHaveFocus();

  gateway.refuse(descriptions.schema, "timed-out", "The engine took too long.", { times: 1 });
  await act("Explore Dataset Schema");
  const dialog = page.getByRole("dialog", { name: "Schema for storm-tracks" });
  await expect.element(dialog.getByRole("alert")).toHaveTextContent("The engine took too long.");
  await dialog.getByRole("button", { name: "Retry" }).click();
  await expect.element(dialog.getByRole("alert")).not.toBeInTheDocument();
  const columns = demoDatasets().find(({ description }) => description.datasetId === "storm-tracks")?.description.schema.columns ?? [];
  expect(columns.length).toBeGreaterThan(10);
  for (const { name } of columns) await expect.element(dialog.getByRole("rowheader", { name, exact: true })).toBeInTheDocument();
  await expect.element(dialog.getByRole("row", { name: /^wind integer Highest sustained wind/i })).toBeInTheDocument();
  await press("Escape");
  await expect.element(dialog).not.toBeInTheDocument();
});

describe("Close Search", () => {
  openOnce(() => openResults(katrina));
  const question = page.getByRole("dialog", { name: "Close Search?" });

  it("[RESULT-36] keeps the search if declined", async () => {
    const address = location.pathname + location.hash;
    await act("Close Search");
    await question.getByRole("button", { name: "Cancel" }).click();
    await expect.element(question).not.toBeInTheDocument();
    await expect.poll(() => location.pathname + location.hash).toBe(address);
    await expectText(cell(1, "name"), "Katrina");
    await expectCount(recentSearches(), 1);
    await act("Close Search");
    await press("Escape");
    await expect.element(question).not.toBeInTheDocument();
    await expectCount(recentSearches(), 1);
  });

  it("[RESULT-35][RESULT-37] removes the search for good if confirmed", async () => {
    const address = location.pathname + location.hash;
    await act("Close Search");
    await question.getByRole("button", { name: "Close Search" }).click();
    await expectAddress(/\/search$/);
    await expectDatasets();
    await expect.element(recentSearches()).not.toBeInTheDocument();
    await openScreen(address);
    await expectAddress(/\/search$/);
    await expectDatasets();
  });
});

it("[RESULT-37] returns to the datasets screen when the open search is closed, not when another one is", async () => {
  await openResults(katrina);
  await openResults(unemployment);
  await expectCount(recentSearches(), 2);
  await page.getByRole("button", { name: /^Close storm-tracks of / }).click();
  await expectCount(recentSearches(), 1);
  await expect.element(grid()).toBeVisible();
  await page.getByRole("button", { name: /^Close industry-unemployment of / }).click();
  await expectAddress(/\/search$/);
  await expectDatasets();
});

for (const address of ["/search/unknown", "/search/unknown#1.bm90IGpzb24"]) {
  it(`[RESULT-37] redirects ${address}, an unknown search, to the datasets screen`, async () => {
    await openScreen(address);
    await expectAddress(/\/search$/);
    await expectDatasets();
  });
}

it("[RESULT-39] shows the text selected in 'Copy Failed' if the clipboard is refused", async () => {
  vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new DOMException("Write permission denied.", "NotAllowedError"));
  await openResults(katrina);
  await act("Copy cURL Command");
  const dialog = page.getByRole("dialog", { name: "Copy Failed" });
  const text = dialog.getByRole("textbox");
  await expect.poll(() => (text.query() as HTMLTextAreaElement | null)?.value).toMatch(/^curl -X POST/);
  await expect.poll(() => (text.query() as HTMLTextAreaElement | null)?.value).toMatch(/storm-tracks\/search'/);
  await expect.element(text).toHaveFocus();
  expect(getSelection()?.toString()).toContain("curl -X POST");
  await expect.element(page.getByText("cURL command copied")).not.toBeInTheDocument();
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await expect.element(dialog).not.toBeInTheDocument();
});

describe("the panel of applied filters", () => {
  openOnce(async () => {
    await openResults(katrina);
    await expect.element(filters().getByText("name = Katrina")).toBeVisible();
  });

  it("[RESULT-27][RESULT-42] is hidden and shown from the menu", async () => {
    await act("Hide Filters");
    await expect.element(filters()).not.toBeInTheDocument();
    await act("Show Filters");
    await expect.element(filters().getByText("name = Katrina")).toBeVisible();
  });

  it("keeps a required filter, with a hint", async () => {
    await filters()
      .getByRole("button", { name: /^Remove filter/ })
      .click();
    await expect.element(page.getByText(/To perform a search, you must add one of the following filters/)).toBeVisible();
    await expect.element(filters().getByText("name = Katrina")).toBeVisible();
    await expectText(cell(1, "name"), "Katrina");
  });

  it("[RESULT-29] edits, adds and removes filters in the filter modal, and searches again", async () => {
    await filters().getByRole("button", { name: "Edit filter name = Katrina" }).click();
    const edit = page.getByRole("dialog", { name: "Edit filter" });
    await edit.getByLabelText("Value").fill("Wilma");
    await edit.getByRole("button", { name: "Save filter" }).click();
    await expectSearch({ paging: { offset: 0, max: 25 }, filters: [{ name: "name", value: "Wilma", operator: "=" }] });
    await expectText(cell(1, "name"), "Wilma");

    await filters().getByRole("button", { name: "Add filter" }).click();
    const add = page.getByRole("dialog", { name: "Add filter" });
    await add.getByRole("combobox", { name: "Field" }).fill("wind");
    await page.getByRole("option", { name: "wind", exact: true }).click();
    await add.getByLabelText("Operator").selectOptions(">=");
    await add.getByLabelText("Value").fill("150");
    await add.getByRole("button", { name: "Add filter" }).click();
    await expectSearch(
      expect.objectContaining({
        filters: [
          { name: "name", value: "Wilma", operator: "=" },
          { name: "wind", value: 150, operator: ">=" },
        ],
      }),
    );
    await expect.element(filters().getByText("wind >= 150")).toBeVisible();
    await filters()
      .getByRole("button", { name: /^Remove filter wind/i })
      .click();
    await expectSearch(expect.objectContaining({ filters: [{ name: "name", value: "Wilma", operator: "=" }] }));
    await expect.element(filters().getByText("wind >= 150")).not.toBeInTheDocument();
  });
});

it("[RESULT-28][RESULT-42] has no filters-applied panel for a sample and no action to show it", async () => {
  await openResults(sampled);
  await expect.element(filters()).not.toBeInTheDocument();
  await page.getByRole("button", { name: "Actions", exact: true }).click();
  await expect.element(page.getByRole("menuitem", { name: /^(Show|Hide) Filters$/ })).toBeDisabled();
});

it("[RESULT-43] reruns a failed search with the same order and filters", async () => {
  gateway.refuse(search.run, "engine-busy", "Every engine slot is taken.", { times: 1 });
  await openScreen(searchLink({ ...katrina, sort: [["season", "asc"]] }));
  await expect.element(page.getByText("error performing search", { exact: true })).toBeVisible();
  await act("Rerun Search");
  await expectSearch({
    paging: { offset: 0, max: 25 },
    filters: [{ name: "name", value: "Katrina", operator: "=" }],
    sort: [{ column: "season", direction: "asc" }],
  });
  await expectText(cell(1, "season"), "1981");
  await expect.element(header("season")).toHaveAttribute("aria-sort", "ascending");
});
