import { distributions } from "@fairway/contract/distributions";
import { beforeEach, expect, it } from "vitest";
import { type Locator, page } from "vitest/browser";
import { press } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";
import { act, countries, katrina, openResults, searches } from "#testing/results.ts";
import { buckets } from "#testing/time-histograms.ts";

const panel = (): Locator => page.getByRole("region", { name: "Rows over time" });
const start = (): Locator => panel().getByRole("slider", { name: "Start of the selected time" });
const end = (): Locator => panel().getByRole("slider", { name: "End of the selected time" });
const set = (): Locator => panel().getByRole("button", { name: "Set as time range" });
const calls = () => gateway.received(distributions.overTime);

beforeEach(() => {
  gateway.answer(distributions.overTime, { unit: "day", size: 1, buckets, newestMs: null });
});

it("is used by keyboard: arrows, Shift+arrows, Home and End, Enter and Escape", async () => {
  await openResults(katrina);
  await press("ArrowRight", start());
  await expect.element(start()).toHaveAttribute("aria-valuetext", "08/24/2005, 54 of 55 rows");
  await press("Shift+ArrowLeft", end());
  await expect.element(end()).toHaveAttribute("aria-valuetext", "08/24/2005, 2 of 55 rows");
  await press("End");
  await press("ArrowLeft");
  await expect.element(end()).toHaveAttribute("aria-valuetext", "08/31/2005, 44 of 55 rows");
  await press("Escape");
  await expect.element(set()).not.toBeInTheDocument();
  await expect.element(start()).toHaveFocus();
  await press("End");
  await press("Enter");
  await expect.poll(() => searches().at(-1)?.timeRange?.start).toBe("2005-09-01T00:00:00.000Z");
  await expect.poll(() => calls().at(-1)?.body.timeRange?.start).toBe("2005-09-01T00:00:00.000Z");
  await expect.element(start()).toHaveFocus();
});

it("is absent if it fails or the dataset has no times, and stays closed once closed", async () => {
  gateway.refuse(distributions.overTime, "engine-busy", "Busy.");
  await openResults(katrina);
  await expect.poll(() => calls().length).toBe(1);
  await expect.element(panel()).not.toBeInTheDocument();
  await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
  await openResults(countries);
  await expect.element(panel()).not.toBeInTheDocument();
  expect(calls().map(({ params, body }) => [params.datasetId, body])).toEqual([["storm-tracks", expect.anything()]]);

  gateway.answer(distributions.overTime, { unit: "day", size: 1, buckets, newestMs: null });
  await openResults(katrina);
  await panel().getByRole("button", { name: "Rows over time" }).click();
  await expect.element(start()).not.toBeInTheDocument();
  const before = calls().length;
  await openResults(katrina);
  await expect.element(panel().getByRole("button", { name: "Rows over time" })).toHaveAttribute("aria-expanded", "false");
  expect(calls()).toHaveLength(before);
  await panel().getByRole("button", { name: "Rows over time" }).click();
  await expect.element(start()).toBeInTheDocument();
});

it("stops counting when the search is left", async () => {
  const release = gateway.hold(distributions.overTime);
  await openResults(katrina);
  await expect.poll(() => calls().length).toBe(1);
  await act("Rerun Search");
  await expect.poll(() => calls()[0]?.signal?.aborted).toBe(true);
  release();
});
