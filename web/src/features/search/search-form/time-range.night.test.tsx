import { distributions } from "@fairway/contract/distributions";
import { search } from "@fairway/contract/search";
import { beforeEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectCount, expectText } from "#testing/assertions.ts";
import {
  alterDescription,
  searchRequests,
  earthquakes,
  expectRows,
  flights,
  openForm,
  searchButton,
  storms,
  timeDialog,
  timeRange,
  serveSearchForms,
} from "#testing/datasets-screen.ts";
import { press } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";

beforeEach(serveSearchForms);

it("rounds a range up to now to whole seconds, and sends none without a range", async () => {
  vi.setSystemTime("2024-05-06T07:08:09.789Z");
  const requests = searchRequests();
  await openForm(earthquakes);
  await timeRange().click();
  await timeDialog().getByRole("button", { name: "Last 24 hours", exact: true }).click();
  await timeDialog().getByRole("button", { name: "Done", exact: true }).click();
  gateway.answer(search.run, { results: [] }, { times: 1 });
  await searchButton().click();
  await expect.poll(() => requests.searches.length).toBe(1);
  expect(requests.searches[0]?.body).toEqual({
    paging: { offset: 0, max: 25 },
    timeRange: { start: "2024-05-05T07:08:09.000Z", end: "2024-05-06T07:08:09.000Z" },
    filters: [],
  });
  await expect.element(page.getByText("no results", { exact: true })).toBeVisible();

  history.back();
  await page.getByRole("button", { name: "Clear time range" }).click();
  await page.getByRole("textbox", { name: "Magnitude at least", exact: true }).fill("6");
  await searchButton().click();
  await expectRows("earthquakes");
  expect(requests.searches[1]?.body).toEqual({ paging: { offset: 0, max: 25 }, filters: [{ name: "mag", value: 6, operator: ">=" }] });
});

it("takes a range that is typed, pasted into one field or picked in the calendar, and explains why it rejects a reversed one or invalid text", async () => {
  await openForm(flights);
  await expect.element(searchButton()).toBeDisabled();
  await timeRange().click();
  const dialog = timeDialog();
  const start = dialog.getByRole("textbox", { name: "Start" });
  const end = dialog.getByRole("textbox", { name: "End" });
  const done = dialog.getByRole("button", { name: "Done", exact: true });
  for (const [from, to, problem] of [
    ["2001-03-05", "2001-03-01", "The end is before the start."],
    ["02/30/2001, 12:00:00 AM", "2001-03-05", "Not a time. Try 09/02/2004, 12:00:00 AM or 2004-09-02T00:00:00Z."],
    ["2001-03-01", "soon", "Not a time. Try 09/02/2004, 12:00:00 AM or 2004-09-02T00:00:00Z."],
  ] as const) {
    await start.fill(from);
    await end.fill(to);
    await done.click();
    await expectCount(dialog.getByText(problem, { exact: true }), 1);
    await expect.element(dialog).toBeVisible();
  }
  await start.fill("2001-03-01");
  await end.fill("2001-03-05");
  await done.click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expectText(timeRange(), "Time range: 03/01/2001, 12:00:00 AM – 03/05/2001, 11:59:59 PM");
  await expect.element(searchButton()).toBeEnabled();

  // With one end, the other one is open.
  await timeRange().click();
  await end.fill("");
  await done.click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expectText(timeRange(), "Time range: From 03/01/2001, 12:00:00 AM");
  await timeRange().click();
  await expect.element(end).toHaveValue("");
  await start.fill("");
  await end.fill("2001-03-05");
  await done.click();
  await expectText(timeRange(), "Time range: Until 03/05/2001, 11:59:59 PM");

  // Pasted into one field.
  await timeRange().click();
  await expect.element(dialog.getByText("A day typed as the end counts up to 23:59:59.")).toBeVisible();
  for (const [pasted, from, to] of [
    ["2001-03-01 – 2001-03-05", "03/01/2001, 12:00:00 AM", "03/05/2001, 11:59:59 PM"],
    ["03/01/2001, 08:30:00 AM - 03/01/2001, 09:00:00 PM UTC", "03/01/2001, 08:30:00 AM", "03/01/2001, 09:00:00 PM"],
    ["2001-03-01T00:00:00Z/2001-03-02T00:00:00Z", "03/01/2001, 12:00:00 AM", "03/02/2001, 12:00:00 AM"],
    ["983404800 to 983491200", "03/01/2001, 12:00:00 AM", "03/02/2001, 12:00:00 AM"],
  ] as const) {
    await end.fill(pasted);
    await expect.element(start).toHaveValue(from);
    await expect.element(end).toHaveValue(to);
  }
  await done.click();
  await expectText(timeRange(), "Time range: 03/01/2001, 12:00:00 AM – 03/02/2001, 12:00:00 AM");

  // Picked in the calendar.
  await timeRange().click();
  await dialog.getByRole("button", { name: "Clear", exact: true }).click();
  await start.fill("2001-03-05");
  await dialog.getByRole("button", { name: "9 March 2001", exact: true }).click();
  await expect.element(end).toHaveValue("03/09/2001, 11:59:59 PM");
  // The next two clicks select a new range.
  await dialog.getByRole("button", { name: "7 March 2001", exact: true }).click();
  await dialog.getByRole("button", { name: "8 March 2001", exact: true }).click();
  await done.click();
  await expectText(timeRange(), "Time range: 03/07/2001, 12:00:00 AM – 03/08/2001, 11:59:59 PM");
});

it("opens the calendar at the end of the data, and dims days before and after it", async () => {
  await openForm(storms);
  await timeRange().click();
  const day = (name: string) => timeDialog().getByRole("button", { name, exact: true });
  await expect.element(day("18 November 2020")).toBeVisible();
  await expect.element(day("1 October 2020")).toBeVisible();
  await expect.element(day("1 December 2020")).not.toBeInTheDocument();
  await expect.element(day("18 November 2020")).not.toHaveAttribute("data-without-rows");
  await expect.element(day("19 November 2020")).toHaveAttribute("data-without-rows");
});

it("stops counting days when the time range is closed, and asks for none of a dataset that cannot count them", async () => {
  gateway.hold(distributions.overTime);
  await openForm(storms);
  await timeRange().click();
  await expect.poll(() => gateway.received(distributions.overTime).length).toBe(1);
  expect(gateway.received(distributions.overTime)[0]?.signal?.aborted).toBe(false);
  await press("Escape");
  await expect.poll(() => gateway.received(distributions.overTime)[0]?.signal?.aborted).toBe(true);

  alterDescription(storms, (description) => ({ ...description, assists: description.assists.filter((assist) => assist !== "PROFILE") }));
  await openForm(storms);
  await timeRange().click();
  await expect.element(timeDialog().getByRole("button", { name: "2 November 2020", exact: true })).toBeVisible();
  expect(gateway.received(distributions.overTime)).toHaveLength(1);
});
