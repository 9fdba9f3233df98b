import { distributions } from "@fairway/contract/distributions";
import { beforeEach, expect, it } from "vitest";
import { bucketsOf, gridRequests, positions, prepareGrids } from "#testing/grids.ts";
import { press } from "#testing/keyboard.ts";
import { addressedMapState } from "#testing/maps.ts";
import { gateway } from "#testing/open-screen.tsx";
import { legend, months, openCounted, overTimeRequests, scrubber } from "#testing/rows-playbacks.ts";

const slider = () => scrubber().getByRole("slider", { name: "Time" });

beforeEach(() => {
  prepareGrids();
  gateway.answer(distributions.overTime, { unit: "month", size: 1, buckets: bucketsOf(positions(), months), newestMs: null });
});

it("asks for the rows over time and then for cells twice as wide, once time is moved, and for nothing while it plays", async () => {
  await openCounted();
  await expect.element(scrubber()).toHaveTextContent("All times");
  expect([overTimeRequests().length, gridRequests().length]).toEqual([0, 2]);
  await press("Home", slider());
  await expect.element(legend()).toHaveTextContent("Jul 2004");
  const [, shown, played] = gridRequests();
  expect(overTimeRequests()).toMatchObject([{ filters: [], within: shown?.within }]);
  expect(played).toMatchObject({ level: (shown?.level ?? 0) - 1, within: shown?.within, time: months });
  expect(played).not.toHaveProperty("rows");
  await press("End");
  await expect.element(scrubber()).toHaveTextContent("All times");
  await scrubber().getByRole("button", { name: "Play", exact: true }).click();
  await expect.element(legend()).toHaveTextContent("Jul 2004");
  await scrubber().getByRole("button", { name: "Next step" }).click();
  await expect.element(legend()).toHaveTextContent("Jul 2004 to Aug 2004");
  expect([overTimeRequests().length, gridRequests().length]).toEqual([1, 3]);
});

it("opens an address at its moment and window, paused, and keeps there where the time was left", async () => {
  const windowMs = 31 * 86_400_000;
  await openCounted({}, [Date.UTC(2004, 8, 10), windowMs, null]);
  await expect.element(legend()).toHaveTextContent(/(?<!to )Sep 2004/);
  await expect.element(scrubber().getByRole("button", { name: "Play", exact: true })).toBeVisible();
  expect(gridRequests().filter(({ time }) => time !== undefined)).toHaveLength(1);
  await press("Home", slider());
  await expect.poll(addressedMapState).toMatchObject({ t: [months.startMs, windowMs, null], r: {} });
});
