import type { Column } from "@fairway/contract/columns";
import type { ProfiledColumn } from "@fairway/contract/dataset-profiles";
import { distributions } from "@fairway/contract/distributions";
import { search } from "@fairway/contract/search";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { gateway } from "#testing/open-screen.tsx";
import { act, cell, header, katrina, openResults } from "#testing/results.ts";

const calls = () => gateway.received(distributions.ofColumns);
const toggle = () => page.getByRole("button", { name: "Column charts" });
const height = () => header("wind").element().getBoundingClientRect().height;

const profiled = (name: string): ProfiledColumn => {
  const type: Column["type"] = name === "wind" ? "integer" : "STRING";
  const histogram = name === "wind" ? [20, 90].map((from) => ({ from, to: from + 70, rows: 34 })) : [];
  const top = name === "status" ? [{ value: "hurricane", rows: 40 }] : [];
  return { name, type, isApproximate: false, empty: 0, distinct: 7, min: 20, max: 155, top, histogram };
};

beforeEach(async () => {
  serveDatasets(gateway);
  gateway.answer(distributions.ofColumns, ({ body }) => ({ rows: 68, countedRows: 68, columns: body.columns.map(profiled) }));
  // Columns out of view are not rendered; this viewport shows all of them.
  await page.viewport(2560, 700);
});

it("shows what the visible columns hold, by one call after rows and count, and again in a column's menu", async () => {
  const releaseCount = gateway.hold(search.aggregate);
  await openResults(katrina);
  expect(calls()).toEqual([]);
  releaseCount();
  await expect.element(header("wind").getByText("155")).toBeVisible();
  await expect.element(header("status").getByText("hurricane 59%")).toBeVisible();
  await expect.element(header("position").getByText("all filled")).toBeVisible();
  expect(calls()).toHaveLength(1);
  expect(calls()[0]?.body.filters).toEqual([{ name: "name", operator: "=", value: "Katrina" }]);
  expect(calls()[0]?.body.columns).not.toContain("position");
  await expect.element(page.getByRole("columnheader", { name: "wind kt wind column menu", exact: true })).toBeInTheDocument();
  await expectAccessible({ within: ["[role=columnheader][data-column=wind]"] });
  await header("wind").hover();
  await page.getByRole("button", { name: "wind column menu" }).click();
  await expect.element(page.getByRole("menu").getByText("20 – 155, 7 values")).toBeVisible();
  await expectAccessible();
});

it("can be switched off, which is remembered, and is left out when it fails", async () => {
  await openResults(katrina);
  await expect.element(header("wind").getByText("155")).toBeVisible();
  const tall = height();
  await toggle().click();
  await expect.element(header("wind").getByText("155")).not.toBeInTheDocument();
  expect(height()).toBeLessThan(tall);
  const before = calls().length;
  await openResults(katrina);
  await expect.element(cell(1, "name")).toBeVisible();
  await expect.element(toggle()).toHaveAttribute("aria-pressed", "false");
  expect(calls()).toHaveLength(before);
  gateway.refuse(distributions.ofColumns, "engine-busy", "Busy.");
  await toggle().click();
  await expect.poll(() => calls().length).toBe(before + 1);
  await expect.poll(height).toBeLessThan(tall);
  await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
});

it("asks for a column only once it is shown, and stops when the search changes", async () => {
  await openResults(katrina);
  await expect.poll(() => calls().length).toBe(1);
  await act("Show Column Visibility");
  await page.getByRole("checkbox", { name: "season", exact: true }).click();
  await expect.poll(() => calls().at(-1)?.body.columns.includes("season")).toBe(false);
  const release = gateway.hold(distributions.ofColumns);
  await act("Rerun Search");
  await expect.poll(() => calls().length).toBe(3);
  await act("Rerun Search");
  await expect.poll(() => calls()[2]?.signal?.aborted).toBe(true);
  release();
});
