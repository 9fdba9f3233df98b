import { distributions } from "@fairway/contract/distributions";
import { grids } from "@fairway/contract/grid";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { bucketsOf, gridRequests, positions, prepareGrids, rowsMap } from "#testing/grids.ts";
import { press } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";
import { legend, months, openCounted, overTimeRequests, scrubber } from "#testing/rows-playbacks.ts";

beforeEach(() => {
  prepareGrids();
  gateway.answer(distributions.overTime, { unit: "month", size: 1, buckets: bucketsOf(positions(), months), newestMs: null });
});

it("pauses and counts again where the map moves beyond what is loaded", async () => {
  await openCounted();
  await scrubber().getByRole("button", { name: "Play", exact: true }).click();
  await expect.element(legend()).toHaveTextContent("Jul 2004");
  await expect.element(scrubber().getByRole("button", { name: "Pause" })).toBeVisible();
  const map = rowsMap().element().querySelector<HTMLElement>("canvas[tabindex]");
  for (let times = 0; times < 12; times++) await press("ArrowRight", page.elementLocator(map ?? document.body));
  await expect.element(scrubber().getByRole("button", { name: "Play", exact: true })).toBeVisible();
  // Each rest of the map counts once: one on a fast machine, several on a busy one.
  await expect.poll(() => gridRequests().filter(({ time }) => time !== undefined).length).toBeGreaterThanOrEqual(2);
  expect(gridRequests().at(-1)?.within).toEqual(overTimeRequests().at(-1)?.within);
});

it("says that the rows could not be counted, and plays after another try", async () => {
  await openCounted();
  const answers = gateway.received(grids.run).length;
  gateway.refuse(distributions.overTime, "timed-out", "It took too long.", { times: 1 });
  await scrubber().getByRole("button", { name: "Play", exact: true }).click();
  await expect.element(page.getByText("The rows could not be counted.")).toBeVisible();
  expect(gateway.received(grids.run)).toHaveLength(answers);
  await page.getByRole("button", { name: "Retry" }).click();
  await expect.element(legend()).toHaveTextContent("Jul 2004");
});
