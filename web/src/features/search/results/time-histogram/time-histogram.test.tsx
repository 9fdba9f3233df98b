import { distributions } from "@fairway/contract/distributions";
import { search } from "@fairway/contract/search";
import { beforeEach, expect, it } from "vitest";
import { type Locator, page, userEvent } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { cell, katrina, openResults, searches, searchLink } from "#testing/results.ts";
import { buckets } from "#testing/time-histograms.ts";

const panel = (): Locator => page.getByRole("region", { name: "Rows over time" });
const start = (): Locator => panel().getByRole("slider", { name: "Start of the selected time" });
const set = (): Locator => panel().getByRole("button", { name: "Set as time range" });
const calls = () => gateway.received(distributions.overTime);

/** Drags from the middle of one bar to the middle of another. */
async function drag(from: number, to: number): Promise<void> {
  const bars = panel().css("[preserveAspectRatio]");
  const { width } = (await bars.findElement()).getBoundingClientRect();
  const middle = (bar: number) => ({ x: ((bar + 0.5) / buckets.length) * width, y: 20 });
  await userEvent.dragAndDrop(bars, bars, { sourcePosition: middle(from), targetPosition: middle(to) });
}

beforeEach(() => {
  gateway.answer(distributions.overTime, { unit: "day", size: 1, buckets, newestMs: null });
});

it("counts the rows of the search over time, after its first rows and without delaying them", async () => {
  const releaseRows = gateway.hold(search.run);
  const releaseBars = gateway.hold(distributions.overTime);
  await openScreen(searchLink(katrina));
  await expect.element(page.getByRole("status", { name: "Searching storm-tracks" })).toBeVisible();
  await expect.poll(() => searches().length).toBe(1);
  expect(calls()).toEqual([]);
  releaseRows();
  await expect.element(cell(25, "name")).toBeInTheDocument();
  await expect.poll(() => calls().map(({ body }) => body)).toEqual([{ filters: [{ name: "name", operator: "=", value: "Katrina" }] }]);
  await expect.element(start()).not.toBeInTheDocument();
  releaseBars();
  await expect.element(panel().getByText("08/23/2005 – 09/01/2005")).toBeVisible();
  await expect.element(panel().getByText("by day")).toBeVisible();
  await expectAccessible({ within: ["section[aria-label='Rows over time']"] });
});

it("selects a part by dragging, counts its rows and narrows the search to it", async () => {
  await openResults(katrina);
  await expect.element(start()).toBeInTheDocument();
  await drag(6, 2);
  await expect.element(panel().getByText("08/25/2005 – 08/29/2005")).toBeVisible();
  await expect.element(panel().getByText("25 of 55 rows")).toBeVisible();
  // The whole selection, then one of its ends.
  await drag(4, 6);
  await expect.element(panel().getByText("08/27/2005 – 08/31/2005")).toBeVisible();
  await drag(0, 0);
  await expect.element(panel().getByText("1 of 55 rows")).toBeVisible();
  await drag(3, 4);
  await expect.element(panel().getByText("9 of 55 rows")).toBeVisible();
  await set().click();
  await expect.poll(() => searches().at(-1)?.timeRange).toEqual({ start: "2005-08-26T00:00:00.000Z", end: "2005-08-27T23:59:59.000Z" });
  await expect.poll(() => calls().at(-1)?.body.timeRange?.start).toBe("2005-08-26T00:00:00.000Z");
  await expect.element(set()).not.toBeInTheDocument();
});
