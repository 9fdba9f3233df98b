import type { Page } from "@playwright/test";
import { axeViolations } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { chooseAction, alterRows, bodyOf, cell, grid, header, katrina, nextSearch, openResults } from "../support/results.ts";
import { exportResults } from "../support/results-export.ts";
import { expectLogin, visitAs } from "../support/sign-in.ts";

// In seconds: noon UTC on a summer and a winter day, and a time before time zones existed.
const seconds = [Date.UTC(2005, 7, 29, 12), Date.UTC(2005, 0, 15, 12), Date.UTC(1851, 5, 25)].map((epochMs) => epochMs / 1_000);
const inUtc = ["08/29/2005, 12:00:00 PM", "01/15/2005, 12:00:00 PM", "06/25/1851, 12:00:00 AM"];
const times = async (page: Page) => Promise.all([1, 2, 3].map((row) => cell(page, row, "time").innerText()));
const zone = (page: Page, name: string) => page.getByRole("button", { name: `Times in ${name}`, exact: true });

const zones = [
  {
    id: "America/New_York",
    name: "America/New York",
    texts: ["08/29/2005, 08:00:00 AM", "01/15/2005, 07:00:00 AM", "06/24/1851, 07:03:58 PM"],
  },
  {
    id: "Europe/Berlin",
    name: "Europe/Berlin",
    texts: ["08/29/2005, 02:00:00 PM", "01/15/2005, 01:00:00 PM", "06/25/1851, 12:53:28 AM"],
  },
] as const;

for (const { id, name, texts } of zones) {
  test.describe(`in ${id}`, () => {
    test.use({ timezoneId: id });

    test("[RESULT-54] result times are in UTC until the user changes to the browser's zone", async ({ page, signIn }) => {
      await signIn();
      await alterRows(page, (rows) => rows.map((row, index) => ({ ...row, time: seconds[index] ?? row["time"] })));
      await openResults(page, katrina);
      expect(await times(page)).toEqual(inUtc);
      await zone(page, "UTC").click();
      await expect(zone(page, name)).toBeVisible();
      expect(await times(page)).toEqual(texts);
      // The zone is shown once and never in a cell.
      await expect(grid(page).getByText(/UTC|GMT|America|Europe/)).toHaveCount(0);

      // Row details use the same zone with UTC in the tooltip, and Find matches the shown text.
      await cell(page, 1, "time").click();
      const details = page.getByRole("region", { name: "Row details" });
      await expect(details.getByText(texts[0], { exact: true })).toHaveAttribute("title", `${inUtc[0]} UTC`);
      await page.getByRole("textbox", { name: "Find in loaded rows" }).fill(texts[1]);
      await expect(page.getByRole("search").getByRole("status")).toHaveText("1 of 1");
      await page.getByRole("textbox", { name: "Find in loaded rows" }).fill("");

      // Column profiles use the same zone and name it.
      await header(page, "time").getByRole("button", { name: "time column menu" }).click();
      await page.getByRole("menuitem", { name: "Profile of time" }).click();
      const profile = page.getByRole("dialog", { name: "Profile of time" });
      await expect(profile.getByText(`Epoch Timestamp in Seconds, ${name}`, { exact: true })).toBeVisible();
      await expect(profile.getByRole("definition").filter({ hasText: texts[2] })).toHaveCount(1);
      await page.keyboard.press("Escape");
      await expect(profile).toHaveCount(0);

      // Raw rows and exports are unchanged.
      expect((await exportResults(page, "CSV")).text).toContain("2005-08-29T12:00:00Z");
      await page.getByText("Raw", { exact: true }).click();
      await expect(page.getByText(String(seconds[0])).first()).toBeVisible();
      await expect(zone(page, name)).toHaveCount(0);
    });
  });
}

test("the chosen zone is remembered per user", async ({ page, signIn }) => {
  await signIn();
  await openResults(page, katrina);
  await zone(page, "UTC").focus();
  await page.keyboard.press("Enter");
  await expect(zone(page, "America/New York")).toBeFocused();
  const shown = await cell(page, 1, "time").innerText();
  expect(await axeViolations(page)).toEqual([]);
  await page.reload();
  await expect(cell(page, 1, "time")).toHaveText(shown);
  await expect(zone(page, "America/New York")).toBeVisible();

  // Filters are always in UTC.
  const requested = nextSearch(page);
  await chooseAction(page, "Rerun Search");
  expect(bodyOf(await requested).filters).toEqual([{ name: "name", value: "Katrina", operator: "=" }]);

  await page.getByRole("button", { name: "Logout" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Logout" }).click();
  await expectLogin(page);
  await visitAs(page, "editor");
  await openResults(page, katrina);
  await expect(zone(page, "UTC")).toBeVisible();
});

test.describe("in a browser in UTC", () => {
  test.use({ timezoneId: "UTC" });

  test("the zone is shown but cannot be changed", async ({ page, signIn }) => {
    await signIn();
    await openResults(page, katrina);
    await expect(page.getByText("Times in UTC", { exact: true })).toBeVisible();
    await expect(zone(page, "UTC")).toHaveCount(0);
  });
});
