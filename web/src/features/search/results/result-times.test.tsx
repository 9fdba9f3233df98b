import { beforeEach, expect, it } from "vitest";
import { type Locator, page } from "vitest/browser";
import { expectCount, expectText } from "#testing/assertions.ts";
import { collectDownloads } from "#testing/files.ts";
import { press } from "#testing/keyboard.ts";
import { act, alterRows, cell, grid, header, katrina, openResults } from "#testing/results.ts";
import { expectTimes, setBrowserZone } from "#testing/result-times.ts";

// In seconds: noon UTC on a summer and a winter day, and a time before time zones existed.
const seconds = [Date.UTC(2005, 7, 29, 12), Date.UTC(2005, 0, 15, 12), Date.UTC(1851, 5, 25)].map((epochMs) => epochMs / 1_000);
const inUtc = ["08/29/2005, 12:00:00 PM", "01/15/2005, 12:00:00 PM", "06/25/1851, 12:00:00 AM"] as const;
const inNewYork = ["08/29/2005, 08:00:00 AM", "01/15/2005, 07:00:00 AM", "06/24/1851, 07:03:58 PM"] as const;
const inBerlin = ["08/29/2005, 02:00:00 PM", "01/15/2005, 01:00:00 PM", "06/25/1851, 12:53:28 AM"] as const;
const zone = (name: string): Locator => page.getByRole("button", { name: `Times in ${name}`, exact: true });

beforeEach(() => alterRows((rows) => seconds.map((time, index) => Object.assign({}, rows[index], { time }))));

it("[RESULT-54] shows times in UTC until the user changes to the browser's zone, which raw rows and exports never use", async () => {
  const { saved } = collectDownloads();
  await openResults(katrina);
  await expectTimes(inUtc);
  await zone("UTC").click();
  await expect.element(zone("America/New York")).toBeVisible();
  await expectTimes(inNewYork);
  // The zone is shown once and never in a cell.
  await expectCount(grid().getByText(/UTC|GMT|America|Europe/), 0);

  // Row details use the same zone with UTC in the tooltip, and Find matches the shown text.
  await cell(1, "time").click();
  const details = page.getByRole("region", { name: "Row details" });
  await expect.element(details.getByText(inNewYork[0], { exact: true })).toHaveAttribute("title", `${inUtc[0]} UTC`);
  await page.getByRole("textbox", { name: "Find in loaded rows" }).fill(inNewYork[1]);
  await expectText(page.getByRole("search").getByRole("status"), "1 of 1");
  await page.getByRole("textbox", { name: "Find in loaded rows" }).fill("");

  // Column profiles use the same zone and name it.
  await header("time").getByRole("button", { name: "time column menu" }).click();
  await page.getByRole("menuitem", { name: "Summary of time" }).click();
  const profile = page.getByRole("dialog", { name: "Summary of time" });
  await expect.element(profile.getByText("Epoch Timestamp in Seconds, America/New York", { exact: true })).toBeVisible();
  await profile.getByText("3 loaded rows").click();
  await expectCount(profile.getByRole("definition").filter({ hasText: inNewYork[2] }), 1);
  await press("Escape");
  await expect.element(profile).not.toBeInTheDocument();

  await act("Export Current Results");
  await page.getByRole("dialog", { name: "Export Current Results" }).getByRole("button", { name: "CSV", exact: true }).click();
  await expect.poll(() => saved.length).toBe(1);
  expect(await saved[0]?.blob.text()).toContain("2005-08-29T12:00:00Z");
  await page.getByText("Raw", { exact: true }).click();
  await expect.element(page.getByText(String(seconds[0])).first()).toBeVisible();
  await expectCount(zone("America/New York"), 0);
});

it("[RESULT-54] follows the browser's zone, and shows it without a choice if it is UTC", async () => {
  setBrowserZone("Europe/Berlin");
  await openResults(katrina);
  await zone("UTC").click();
  await expect.element(zone("Europe/Berlin")).toBeVisible();
  await expectTimes(inBerlin);
  setBrowserZone("UTC");
  await openResults(katrina);
  await expect.element(page.getByText("Times in UTC", { exact: true })).toBeVisible();
  await expectCount(zone("UTC"), 0);
});
