import { columnValues } from "@fairway/contract/column-values";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectCount, expectText, expectAddress } from "#testing/assertions.ts";
import { openForm, storms } from "#testing/datasets-screen.ts";
import { focus, press, type } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";
import { skipPauses } from "#testing/pauses.ts";
import { cell, katrina, openResults, searches, expectSearch } from "#testing/results.ts";
import { openProfile, profile } from "#testing/column-values.ts";

const values = (column: string) => page.getByRole("listbox", { name: `Values of ${column}` }).getByRole("option");

beforeEach(async () => {
  skipPauses(250);
  // Columns out of view are not rendered; this viewport shows all of them.
  await page.viewport(2560, 500);
});

it("closes the list but not the dialog on Escape, and limits suggestions to the time range", async () => {
  await openForm(storms);
  await page.getByRole("button", { name: "Newest month" }).click();
  await page.getByRole("main").getByRole("button", { name: "Add filter" }).click();
  const dialog = page.getByRole("dialog", { name: "Add filter" });
  await dialog.getByRole("combobox", { name: "Field" }).click();
  await page.getByRole("listbox").getByRole("option", { name: "status", exact: true }).click();
  await dialog.getByRole("textbox", { name: "Value" }).click();
  await expect.element(values("status").first()).toBeVisible();
  const iso = expect.stringMatching(/^20/) as string;
  expect(gateway.received(columnValues.suggest).at(-1)?.body).toEqual({ contains: "", timeRange: { start: iso, end: iso } });
  await press("Escape");
  await expect.element(values("status")).not.toBeInTheDocument();
  await expect.element(dialog).toBeVisible();
  await press("ArrowDown");
  await expect.element(values("status").first()).toBeVisible();
});

it("ignores failed suggestions", async () => {
  gateway.refuse(columnValues.suggest, "engine-busy", "Busy.");
  await openForm(storms);
  const name = page.getByRole("textbox", { name: "Storm name" });
  await name.fill("Katrina");
  await expect.poll(() => gateway.received(columnValues.suggest).length).toBeGreaterThan(0);
  await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
  await press("Enter", name);
  await expect.element(page.getByRole("heading", { level: 1, name: "storm-tracks" })).toBeVisible();
  await expectText(cell(1, "name"), /Katrina/);
});

it("offers no value filter for missing values, combined columns or samples, and does not profile all rows of a sample", async () => {
  const offers = page.getByRole("button", { name: /^(Keep only|Leave out) / });
  await openResults(katrina);
  await cell(1, "position").hover();
  await expect.element(offers).not.toBeInTheDocument();
  await cell(1, "status").hover();
  await expectCount(offers, 2);
  await openResults({ category: katrina.category, dataset: katrina.dataset, isSample: true });
  await cell(1, "status").hover();
  await expect.element(offers).not.toBeInTheDocument();
  await openProfile("wind");
  await expect.element(profile("wind").getByText("All rows", { exact: true })).not.toBeInTheDocument();
});

it("shows why a profile failed, can retry, and cancels a slow one", async () => {
  gateway.answer(columnValues.profile, { rows: 68, empty: 0, distinct: 7, min: null, max: null, top: [], histogram: [] });
  gateway.refuse(columnValues.profile, "timed-out", "It took too long.", { times: 1 });
  await openResults(katrina);
  await openProfile("status");
  const dialog = profile("status");
  await expect.element(dialog.getByRole("alert")).toHaveTextContent("It took too long.");
  await dialog.getByRole("button", { name: "Retry" }).click();
  await expectText(dialog.getByRole("definition").nth(2), "7");
  await press("Escape");
  await expect.element(dialog).not.toBeInTheDocument();

  const release = gateway.hold(columnValues.profile);
  await openProfile("season");
  const other = profile("season");
  await other.getByRole("button", { name: "Cancel" }).click();
  await expect.poll(() => gateway.received(columnValues.profile).at(-1)?.signal?.aborted).toBe(true);
  await expect.element(other.getByRole("radio", { name: "25 loaded rows" })).toBeChecked();
  await expectText(other.getByRole("definition").first(), "25");
  release();
});

it("keeps or excludes a value from its cell and flips an existing filter instead of contradicting it", async () => {
  await openResults(katrina);
  await cell(1, "status").hover();
  const status = "tropical depression";
  await page.getByRole("button", { name: `Leave out status ${status}` }).click();
  await expect.poll(() => searches().at(-1)?.filters).toContainEqual({ name: "status", operator: "<>", value: status });
  await expect.element(page.getByRole("button", { name: `Edit filter status <> ${status}`, exact: true })).toBeVisible();
  await expect.element(cell(1, "status")).not.toHaveTextContent(status);
  await expect.element(page.getByRole("region", { name: "Row details" })).not.toBeInTheDocument();

  // By keyboard: Tab reaches the buttons of the focused cell.
  await focus(cell(1, "wind"));
  await press("Tab");
  const keep = cell(1, "wind").getByRole("button", { name: /^Keep only wind/ });
  await expect.element(keep).toHaveFocus();
  const wind = Number(/\d+$/.exec(keep.element().getAttribute("aria-label") ?? "")?.[0]);
  await press("Enter");
  await expect.poll(() => searches().at(-1)?.filters).toContainEqual({ name: "wind", operator: "=", value: wind });
  // The focus moves to the new rows.
  await expectCount(page.getByRole("grid").css("[data-row]:focus"), 1);
  await cell(1, "name").click();
  const details = page.getByRole("region", { name: "Row details" });
  await expect.element(details.getByText(`${wind} kt`)).toBeVisible();
  await details.getByRole("button", { name: "Leave out this wind" }).click();
  await expect
    .poll(() =>
      searches()
        .at(-1)
        ?.filters.filter(({ name }) => name === "wind"),
    )
    .toEqual([{ name: "wind", operator: "<>", value: wind }]);
});

it("suggests values by mouse and keyboard, and Enter alone still searches", async () => {
  await openForm(storms);
  const name = page.getByRole("textbox", { name: "Storm name" });
  await name.click();
  await expect.element(values("name").filter({ hasText: "Wilma" })).toBeVisible();
  await type("kat");
  await expect.element(values("name").filter({ hasText: "Wilma" })).not.toBeInTheDocument();
  await values("name").filter({ hasText: "Katrina" }).click();
  await expect.element(name).toHaveValue("Katrina");
  await expect.element(name).toHaveFocus();
  await name.fill("wi");
  await expect.element(values("name").filter({ hasText: "Wilma" })).toBeVisible();
  await press("ArrowDown");
  await expect.element(name).toHaveAttribute("aria-activedescendant", expect.stringMatching(/./));
  await press("Enter");
  await expect.element(name).toHaveValue("Wilma");
  await expectAddress(/\/search\?/);
  await expect.element(values("name")).not.toBeInTheDocument();
  await press("Enter");
  await expectSearch(expect.objectContaining({ filters: [{ name: "name", operator: "=", value: "Wilma" }] }));
});
