import { distributions } from "@fairway/contract/distributions";
import { search } from "@fairway/contract/search";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { gateway } from "#testing/open-screen.tsx";
import { act, katrina, openResults } from "#testing/results.ts";

const newestMs = Date.parse("2005-08-31T00:00:00Z");
/** When the browser last remembered what a run found, which is later than the run's requests. */
const rememberedMs = () => Number(/"ranMs":(\d+)/.exec(localStorage.getItem("fairway.user.seen") ?? "")?.[1] ?? 0);
const newerCounts = () => gateway.received(search.aggregate).flatMap(({ body }) => body.timeRange ?? []);

beforeEach(() => {
  gateway.answer(search.aggregate, ({ body }) => ({ totalResults: body.timeRange ? 3 : 68 }));
});

/** The newest row of the search is this much newer. */
const serveNewest = (laterMs: number): void =>
  gateway.answer(distributions.overTime, { unit: "day", size: 1, buckets: [], newestMs: newestMs + laterMs });

it("counts the rows that are newer than those of the last run, on a rerun and in the same search later", async () => {
  serveNewest(0);
  await openResults(katrina);
  await expect.poll(rememberedMs).toBeGreaterThan(0);
  const firstMs = rememberedMs();
  await act("Rerun Search");
  await expect.poll(rememberedMs).toBeGreaterThan(firstMs);
  await expect.element(page.getByText(/new rows? since/)).not.toBeInTheDocument();
  expect(newerCounts()).toEqual([]);
  serveNewest(3_600_000);
  await act("Rerun Search");
  await expect.element(page.getByText("3 new rows since just now")).toBeVisible();
  await expectAccessible({ within: ["main"] });
  expect(newerCounts()).toEqual([{ start: "2005-08-31T00:00:01.000Z", end: "2005-08-31T01:00:00.000Z" }]);
  serveNewest(7_200_000);
  await openResults(katrina);
  await expect.element(page.getByText("3 new rows since just now")).toBeVisible();
  expect(newerCounts().at(-1)?.start).toBe("2005-08-31T01:00:01.000Z");
});
