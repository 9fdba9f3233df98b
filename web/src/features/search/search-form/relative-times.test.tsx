import { search } from "@fairway/contract/search";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectText } from "#testing/assertions.ts";
import {
  expectRows,
  openForm,
  searchButton,
  searchRequests,
  serveSearchForms,
  storms,
  timeDialog,
  timeRange,
} from "#testing/datasets-screen.ts";
import { demoDataset } from "#testing/demo-datasets.ts";
import { openOnce } from "#testing/open-once.tsx";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { act, expectSearch, recentSearches } from "#testing/results.ts";
import { day, days, startMs } from "#testing/relative-times.ts";
import { setField } from "#testing/quick-fields.ts";

beforeEach(serveSearchForms);

const lastField = () => timeDialog().getByRole("textbox", { name: "Last", exact: true });
const unitField = () => timeDialog().getByRole("combobox", { name: "Unit", exact: true });
const done = () => timeDialog().getByRole("button", { name: "Done", exact: true });
const chip = () => page.getByRole("group", { name: "Filters applied" }).getByRole("button", { name: /^Edit filter Last/ });

describe("the last days", () => {
  openOnce(async () => {
    vi.setSystemTime(startMs);
    await openForm(storms);
    await timeRange().click();
    await setField(lastField(), "30");
    await setField(unitField(), "days");
    await done().click();
    await expect.element(timeDialog()).not.toBeInTheDocument();
  });

  beforeEach(() => {
    // A full page, which can be followed by another.
    gateway.answer(search.run, ({ params }) => ({ results: demoDataset(params.datasetId).rows.slice(0, 25) }));
  });

  it("[SEARCH-21] are shown as an absolute range in the dialog 'Select Date and Time Range'", async () => {
    await timeRange().click();
    await expect.element(timeDialog().getByRole("textbox", { name: "Start" })).toHaveValue("07/31/2005, 06:07:08 AM");
    await expect.element(timeDialog().getByRole("textbox", { name: "End" })).toHaveValue("08/30/2005, 06:07:08 AM");
    await done().click();
    await expect.element(timeDialog()).not.toBeInTheDocument();
  });

  it("[SEARCH-22] are summarized in the form", async () => {
    await expectText(timeRange(), "Time range: Last 30 days");
    await expect.element(page.getByText("Relative to when the search runs.", { exact: true })).toBeVisible();
  });

  it("[SEARCH-23][SEARCH-56] are sent as a range of whole seconds up to the moment of each search", async () => {
    const requests = searchRequests();
    // After an hour, the range ends at the moment of the search.
    vi.setSystemTime(startMs + 3_600_000);
    await searchButton().click();
    await expectRows("storm-tracks");
    expect(requests.searches[0]?.body).toEqual({ paging: { offset: 0, max: 25 }, timeRange: days(30, startMs + 3_600_000), filters: [] });
    expect(requests.counts[0]?.body).toEqual({ timeRange: days(30, startMs + 3_600_000), filters: [] });
    await expectText(chip(), "Last 30 days");
    await expect.element(chip()).toHaveAccessibleName("Edit filter Last 30 days, 07/31/2005, 07:07:08 AM – 08/30/2005, 07:07:08 AM UTC");
    await expect.element(page.getByTitle("07/31/2005, 07:07:08 AM – 08/30/2005, 07:07:08 AM UTC")).toBeVisible();
    await expect.element(recentSearches().first()).toHaveTextContent("Last 30 days");

    // Further pages keep the range; a rerun and a reload use the current moment.
    vi.setSystemTime(startMs + 2 * 3_600_000);
    await page.getByRole("button", { name: "Load More" }).click();
    await expectSearch(expect.objectContaining({ paging: { offset: 25, max: 25 }, timeRange: days(30, startMs + 3_600_000) }));
    await act("Rerun Search");
    await expectSearch(expect.objectContaining({ paging: { offset: 0, max: 25 }, timeRange: days(30, startMs + 2 * 3_600_000) }));
    vi.setSystemTime(startMs + 3 * 3_600_000);
    await openScreen(location.href);
    await expectSearch(expect.objectContaining({ timeRange: days(30, startMs + 3 * 3_600_000) }));
    await expectText(chip(), "Last 30 days");
  });
});

it("[SEARCH-36] keeps presets relative, but not picked or typed days, and rejects an invalid span and explains why", async () => {
  vi.setSystemTime(startMs);
  await openForm(storms);
  const dialog = timeDialog();
  await timeRange().click();
  for (const [preset, amount, unit] of [
    ["Last 15 minutes", "15", "minutes"],
    ["Last 24 hours", "24", "hours"],
    ["Last 30 days", "30", "days"],
  ] as const) {
    await dialog.getByRole("button", { name: preset, exact: true }).click();
    await expect.element(lastField()).toHaveValue(amount);
    await expect.element(unitField()).toHaveValue(unit);
  }
  await done().click();
  await expectText(timeRange(), "Time range: Last 30 days");
  // Reopening shows the span, counted from now.
  vi.setSystemTime(startMs + day);
  await timeRange().click();
  await expect.element(lastField()).toHaveValue("30");
  await expect.element(dialog.getByRole("textbox", { name: "End" })).toHaveValue("08/31/2005, 06:07:08 AM");
  await setField(dialog.getByRole("textbox", { name: "Start" }), "2005-08-20");
  await expect.element(lastField()).toHaveValue("");
  await done().click();
  await expectText(timeRange(), "Time range: 08/20/2005, 12:00:00 AM – 08/31/2005, 06:07:08 AM");
  await timeRange().click();
  for (const [amount, unit, problem] of [
    ["1.5", "days", "Enter a whole number from 1 to 99,999."],
    ["10000", "months", "Enter a whole number from 1 to 9,999."],
  ] as const) {
    await setField(lastField(), amount);
    await setField(unitField(), unit);
    await done().click();
    await expect.element(timeDialog().getByText(problem, { exact: true })).toBeVisible();
    await expect.element(lastField()).toHaveAttribute("aria-invalid", "true");
  }
  await setField(lastField(), "9999");
  await setField(unitField(), "months");
  await done().click();
  await expectText(timeRange(), "Time range: Last 9999 months");
  await searchButton().click();
  await expectRows("storm-tracks");
});
