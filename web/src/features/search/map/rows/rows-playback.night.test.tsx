import { breakdowns } from "@fairway/contract/breakdowns";
import { distributions } from "@fairway/contract/distributions";
import { grids } from "@fairway/contract/grid";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { bucketsOf, cellList, cellRequests, gridRequests, listedCells, positions, prepareGrids, rowsMap } from "#testing/grids.ts";
import { press } from "#testing/keyboard.ts";
import { addressedMapState } from "#testing/maps.ts";
import { gateway } from "#testing/open-screen.tsx";
import { legend, months, openCounted, overTimeRequests, scrubber } from "#testing/rows-playbacks.ts";

const slider = () => scrubber().getByRole("slider", { name: "Time" });

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

it("shows recent rows where that is chosen, which the address keeps", async () => {
  await openCounted({}, [Date.UTC(2004, 8, 10), null, null]);
  await expect.element(legend()).toHaveTextContent("Jul 2004 to Sep 2004");
  await scrubber()
    .getByRole("button", { name: /^Speed and more/ })
    .click();
  await page.getByText("Recent rows", { exact: true }).click();
  await page.getByRole("textbox", { name: "Length" }).fill("30");
  await page.getByRole("combobox", { name: "Unit" }).selectOptions("days");
  await press("Escape");
  await expect.element(legend()).toHaveTextContent(/(?<!to )Sep 2004/);
  await expect.poll(addressedMapState).toMatchObject({ t: [Date.UTC(2004, 8, 10), 30 * 86_400_000, null] });
  await press("End", slider());
  await expect.poll(addressedMapState).toMatchObject({ t: [null, 30 * 86_400_000, null], r: {} });
});

it("plays a measure in the window of an address: each step has the values of its own rows", async () => {
  await openCounted({ c: ["max", "wind"] }, [Date.UTC(2004, 7, 10), 31 * 86_400_000, null]);
  await expect.element(legend()).toHaveTextContent(/^Maximum wind \(kt\).*(?<!to )Aug 2004/);
  const [, , played] = gridRequests();
  expect(played).toMatchObject({ measure: { aggregation: "max", column: "wind" }, time: months });
  const winds = positions().filter(({ time }) => Number(time) * 1_000 >= Date.UTC(2004, 7) && Number(time) * 1_000 < Date.UTC(2004, 8));
  const most = Math.max(...winds.map(({ wind }) => Number(wind)));
  await expect.element(listedCells().first()).toHaveTextContent(`${most} kt`);
});

it("a cell tells of the shown steps: its figures, its rows, and what the table shows", async () => {
  await openCounted({}, [Date.UTC(2004, 8, 10), null, null]);
  await expect.element(legend()).toHaveTextContent("Jul 2004 to Sep 2004");
  await press("Enter", cellList());
  const card = page.getByRole("region", { name: /^Cell / });
  await expect.element(card).toHaveTextContent(/Jul 2004 to Sep 2004: 24 rows, wind 25 to 130 kt, average 53.4/);
  // Not before the search itself begins.
  const timeRange = { start: "2004-07-01T00:00:00.000Z", end: "2004-09-30T23:59:59.999Z" };
  expect(gateway.received(breakdowns.run).at(-1)?.body).toMatchObject({ search: { timeRange } });
  expect(cellRequests()).toMatchObject([{ timeRange, paging: { offset: 0, max: 10 } }]);
  await press("Home", slider());
  await expect.element(card).toHaveTextContent(/^[^J]*Jul 2004: 24 rows, wind/);
  await scrubber().getByRole("button", { name: "Play", exact: true }).click();
  await expect.element(card).toHaveTextContent("listed when it is paused");
  const asked = cellRequests().length;
  await scrubber().getByRole("button", { name: "Pause", exact: true }).click();
  expect(cellRequests()).toHaveLength(asked);
  await card.getByRole("button", { name: /^Show \d+ rows? in table$/ }).click();
  await expect.element(page.getByRole("button", { name: "Remove map cell" })).toBeVisible();
  await expect.poll(() => cellRequests().at(-1)).toMatchObject({ timeRange: { start: timeRange.start, end: "2004-07-31T23:59:59.999Z" } });
});
