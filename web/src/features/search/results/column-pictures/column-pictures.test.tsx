import { distributions } from "@fairway/contract/distributions";
import { search } from "@fairway/contract/search";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { gateway } from "#testing/open-screen.tsx";
import { alterRows, header, katrina, openResults } from "#testing/results.ts";
import { profiled } from "#testing/column-pictures.ts";

const calls = () => gateway.received(distributions.ofColumns);

beforeEach(async () => {
  alterRows((rows) => rows.slice(0, 2));
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
  await header("wind").hover();
  await page.getByRole("button", { name: "wind column menu" }).click();
  await expect.element(page.getByRole("menu").getByText("20 – 155, 7 values")).toBeVisible();
  await expectAccessible();
});
