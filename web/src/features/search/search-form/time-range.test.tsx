import { distributions } from "@fairway/contract/distributions";
import { beforeEach, describe, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectText } from "#testing/assertions.ts";
import {
  alterDescription,
  searchRequests,
  expectRows,
  flights,
  openForm,
  searchButton,
  storms,
  timeDialog,
  timeRange,
  serveSearchForms,
} from "#testing/datasets-screen.ts";
import { openOnce } from "#testing/open-once.tsx";
import { press } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";
import { setField } from "#testing/quick-fields.ts";

beforeEach(serveSearchForms);

describe("a time range", () => {
  openOnce(async () => {
    await openForm(storms);
    await expectText(timeRange(), "Time range: Any time");
  });

  const dialog = timeDialog();
  const start = dialog.getByRole("textbox", { name: "Start" });
  const end = dialog.getByRole("textbox", { name: "End" });
  const done = dialog.getByRole("button", { name: "Done", exact: true });
  const clear = async () => {
    await timeRange().click();
    await dialog.getByRole("button", { name: "Clear", exact: true }).click();
    await done.click();
    await expectText(timeRange(), "Time range: Any time");
  };

  it("[SEARCH-21] is chosen in the dialog 'Select Date and Time Range', in UTC", async () => {
    await timeRange().click();
    await expect.element(dialog.getByRole("heading", { name: "Select Date and Time Range", exact: true })).toBeVisible();
    await expect.element(dialog.getByText("All times are in UTC", { exact: true })).toBeVisible();
    await expect.element(start).toHaveFocus();
    await done.click();
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(timeRange()).toHaveFocus();
  });

  it("[SEARCH-22] is summarized until it is cleared, and stays if what was typed is discarded", async () => {
    await timeRange().click();
    await setField(start, "08/23/2005, 06:00:00 PM");
    await setField(end, "2005-08-31T00:00:00Z");
    await done.click();
    await expectText(timeRange(), "Time range: 08/23/2005, 06:00:00 PM – 08/31/2005, 12:00:00 AM");
    await timeRange().click();
    await expect.element(start).toHaveValue("08/23/2005, 06:00:00 PM");
    await expect.element(end).toHaveValue("08/31/2005, 12:00:00 AM");
    await setField(start, "2001");
    await press("Escape");
    await page.getByRole("alertdialog").or(page.getByRole("dialog")).getByRole("button", { name: "Discard", exact: true }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    await expectText(timeRange(), "Time range: 08/23/2005, 06:00:00 PM – 08/31/2005, 12:00:00 AM");
    await clear();
  });

  it("[SEARCH-23][SEARCH-56] is sent as ISO times in UTC without milliseconds", async () => {
    const requests = searchRequests();
    await timeRange().click();
    await setField(start, "2005-08-23T18:00:00.789Z");
    // Times with another offset are converted to UTC.
    await setField(end, "2005-08-31T02:00:00.999+02:00");
    await press("Enter");
    await expect.element(dialog).not.toBeInTheDocument();
    await searchButton().click();
    await expectRows("storm-tracks");
    const range = { start: "2005-08-23T18:00:00.000Z", end: "2005-08-31T00:00:00.000Z" };
    expect(requests.searches).toEqual([
      { dataset: "Tropical weather/storm-tracks", body: { paging: { offset: 0, max: 25 }, timeRange: range, filters: [] } },
    ]);
    await expect
      .element(page.getByRole("group", { name: "Filters applied" }).getByText("08/23/2005, 06:00:00 PM – 08/31/2005, 12:00:00 AM UTC"))
      .toBeVisible();
  });
});

it("marks the days with rows of the months shown, by the dataset's own filters, and none where they cannot be counted", async () => {
  const dayMs = 86_400_000;
  const firstMs = Date.parse("2020-11-02T00:00:00Z");
  const buckets = [3, 0, 1].map((rows, index) => ({ startMs: firstMs + index * dayMs, endMs: firstMs + (index + 1) * dayMs, rows }));
  gateway.answer(distributions.overTime, { unit: "day", size: 1, buckets, newestMs: null });
  const asked = () => gateway.received(distributions.overTime).map(({ body }) => body);
  const day = (name: string) => timeDialog().getByRole("button", { name, exact: true });
  const legend = () => timeDialog().getByText("Days with rows are marked.", { exact: true });
  const release = gateway.hold(distributions.overTime);
  await openForm(storms);
  await timeRange().click();
  await expect.element(day("2 November 2020")).toBeVisible();
  const shown = { start: "2020-09-25T00:00:00.000Z", end: "2020-12-06T23:59:59.999Z" };
  await expect.poll(asked).toEqual([{ byDay: true, timeRange: shown, filters: [] }]);
  await expect.element(legend()).not.toBeVisible();
  release();
  await expect.element(day("2 November 2020")).toHaveAccessibleDescription("Has rows");
  await expect.element(day("4 November 2020")).toHaveAccessibleDescription("Has rows");
  await expect.element(day("3 November 2020")).not.toHaveAccessibleDescription();
  await expect.element(day("3 November 2020")).toBeEnabled();
  await expect.element(legend()).toBeVisible();

  // The months before cannot be counted. The ones before are not asked for again.
  gateway.refuse(distributions.overTime, "timed-out", "Counting the rows of these days takes too long.", { times: 1 });
  await timeDialog().getByRole("button", { name: "Previous month", exact: true }).click();
  await expect.poll(() => asked().length).toBe(2);
  await expect.element(day("1 September 2020")).toBeVisible();
  await expect.element(legend()).not.toBeVisible();
  expect(timeDialog().css("[data-has-rows]").elements()).toEqual([]);
  await timeDialog().getByRole("button", { name: "Next month", exact: true }).click();
  await expect.element(day("2 November 2020")).toHaveAccessibleDescription("Has rows");
  expect(asked()).toHaveLength(2);
});

it("[SEARCH-29] offers a time range only if the dataset supports one", async () => {
  // The flights, which the test above gives a range, without time range support.
  alterDescription(flights, (description) => ({
    ...description,
    filterSupport: { ...description.filterSupport, supportsTimeRange: false },
  }));
  await openForm(flights);
  await expect.element(page.getByRole("textbox", { name: "Origin", exact: true })).toBeVisible();
  await expect.element(timeRange()).not.toBeInTheDocument();
  await expect.element(page.getByText("Time range", { exact: false })).not.toBeInTheDocument();
});
