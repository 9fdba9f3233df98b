import { distributions } from "@fairway/contract/distributions";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { bucketsOf, gridRequests, listedCells, positions, prepareGrids } from "#testing/grids.ts";
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

it("opens an address at its moment, paused, and keeps there where the time was left", async () => {
  await openCounted({}, [Date.UTC(2004, 8, 10), null, null]);
  await expect.element(legend()).toHaveTextContent("Jul 2004 to Sep 2004");
  await expect.element(scrubber().getByRole("button", { name: "Play", exact: true })).toBeVisible();
  expect(gridRequests().filter(({ time }) => time !== undefined)).toHaveLength(1);
  await scrubber()
    .getByRole("button", { name: /^Speed and more/ })
    .click();
  await page.getByText("Recent rows", { exact: true }).click();
  await page.getByRole("textbox", { name: "Length" }).fill("30");
  await page.getByRole("combobox", { name: "Unit" }).selectOptions("days");
  await press("Escape");
  await expect.element(legend()).toHaveTextContent(/(?<!to )Sep 2004/);
  await expect.poll(addressedMapState).toMatchObject({ t: [Date.UTC(2004, 8, 10), expect.any(Number), null] });
  await press("End", slider());
  await expect.poll(addressedMapState).toMatchObject({ t: [null, expect.any(Number), null], r: {} });
});

it("plays a measure in the window of an address: each step has the values of its own rows", async () => {
  await openCounted({ c: ["max", "wind"] }, [Date.UTC(2004, 7, 10), 31 * 86_400_000, null]);
  await expect.element(legend()).toHaveTextContent(/^Greatest wind \(kt\).*(?<!to )Aug 2004/);
  const [, , played] = gridRequests();
  expect(played).toMatchObject({ measure: { aggregation: "max", column: "wind" }, time: months });
  const winds = positions().filter(({ time }) => Number(time) * 1_000 >= Date.UTC(2004, 7) && Number(time) * 1_000 < Date.UTC(2004, 8));
  const most = Math.max(...winds.map(({ wind }) => Number(wind)));
  await expect.element(listedCells().first()).toHaveTextContent(`${most} kt`);
});
