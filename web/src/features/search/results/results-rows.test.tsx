import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount } from "#testing/assertions.ts";
import { focus, press } from "#testing/keyboard.ts";
import { alterRows, cell, fewRows, katrina, openResults } from "#testing/results.ts";
import { details } from "#testing/result-rows.ts";

beforeEach(async () => {
  // Columns out of view are not rendered; this viewport shows all of them.
  await page.viewport(2560, 700);
});

const comparison = () => page.getByRole("dialog", { name: "Compare 2 rows" });

it("aligns decimals at the point without changing their text", async () => {
  alterRows((rows) => [1.5, 20, -0.125].map((latitude, index) => Object.assign({}, rows[index], { latitude })));
  await openResults(katrina);
  const text = (row: number) => cell(row, "latitude").css("span").first().element() as HTMLElement;
  expect([1, 2, 3].map((row) => [text(row).textContent, text(row).dataset["pad"]])).toEqual([
    ["1.5", "00"],
    ["20", ".000"],
    ["-0.125", undefined],
  ]);
});

it("compares selected rows side by side, by mouse and keyboard, with their differences", async () => {
  await openResults(fewRows);
  await cell(1, "name").hover();
  await page.getByRole("checkbox", { name: "Select row 1" }).click();
  await expect.element(details()).not.toBeInTheDocument();
  await expect.element(page.getByRole("button", { name: "Compare" })).toBeDisabled();
  await focus(cell(3, "name"));
  await press(" ");
  await page.getByRole("button", { name: "Compare" }).click();
  await expect.element(comparison()).toBeVisible();
  await expect.element(comparison().getByRole("columnheader", { name: "Katrina row 3" })).toBeVisible();
  await expectCount(comparison().getByRole("rowheader"), 17);
  await expectAccessible({ within: ["[role=dialog]"] });
  await comparison().getByRole("checkbox", { name: "Only differences" }).click();
  await expect.element(comparison().getByRole("rowheader", { name: "name", exact: true })).not.toBeInTheDocument();
  await expect.element(comparison().getByRole("rowheader", { name: "time (differs)" })).toBeVisible();
  await press("Escape");
  await page.getByRole("group", { name: "Selected rows" }).getByRole("button", { name: "Clear" }).click();
  await expect.element(page.getByRole("group", { name: "Selected rows" })).not.toBeInTheDocument();
});
