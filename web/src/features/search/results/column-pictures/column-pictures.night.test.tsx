import { distributions } from "@fairway/contract/distributions";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { gateway } from "#testing/open-screen.tsx";
import { act, cell, header, katrina, openResults } from "#testing/results.ts";
import { profiled } from "#testing/column-pictures.ts";

const calls = () => gateway.received(distributions.ofColumns);
const toggle = () => page.getByRole("button", { name: "Column charts" });
const height = () => header("wind").element().getBoundingClientRect().height;

beforeEach(async () => {
  gateway.answer(distributions.ofColumns, ({ body }) => ({ rows: 68, countedRows: 68, columns: body.columns.map(profiled) }));
  // Columns out of view are not rendered; this viewport shows all of them.
  await page.viewport(2560, 700);
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
