import type { Page } from "@playwright/test";
import { axeViolations } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { signInAsNewAccount } from "../support/own-account.ts";

/** Two questions are open, the order of days and the mark of -9999; three values of wet_days cannot be read. */
const rain = [
  "station;place;month;rain;wet_days;latitude;longitude",
  ...Array.from({ length: 120 }, (_, row) => {
    const month = String((row % 12) + 1).padStart(2, "0");
    const wetDays = row % 40 === 7 ? "7?" : String(10 + (row % 9));
    return [`00${12 + (row % 4)}`, "Büsum", `01/${month}/2024`, row % 30 === 4 ? "-9999" : `${40 + row},5`, wetDays, "54,13", "8,86"].join(
      ";",
    );
  }),
  "",
].join("\r\n");

const file = { name: "rain.csv", mimeType: "text/csv", buffer: Buffer.from(rain) };

/** The button below the readings of a question. */
const takesAnswer = /^(Use|Keep) /;

const views = [
  { width: 1440, height: 900, colorScheme: "light" },
  { width: 1024, height: 768, colorScheme: "dark" },
  { width: 390, height: 844, colorScheme: "light" },
  { width: 390, height: 844, colorScheme: "dark" },
] as const;

async function start(page: Page): Promise<void> {
  await page.goto("/add-data");
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Choose files" }).click();
  await (await chooser).setFiles(file);
  await expect(page.getByRole("radiogroup").first()).toBeVisible();
}

test.describe("axe finds nothing and nothing is cut off on the screens of own data", () => {
  for (const { width, height, colorScheme } of views) {
    test(`${width} px, ${colorScheme}`, async ({ page }) => {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const isPhone = width < 500;
      await signInAsNewAccount(page, ["data-upload"]);
      const found: string[] = [];
      const check = async (place: string) => {
        for (const { id, nodes } of await axeViolations(page)) {
          found.push(`${place}: ${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
        }
        const beyond = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        if (beyond > 0) found.push(`${place}: ${beyond} px beyond the width`);
      };

      await page.goto("/add-data");
      await expect(page.getByRole("button", { name: "Choose files" })).toBeVisible();
      await check("nothing added yet");
      await start(page);
      await check("questions");
      // An open line has buttons of its own, so that only those of lines keep their places.
      for (const line of await page.getByRole("region", { name: "What was understood" }).locator("li > button[aria-expanded]").all()) {
        await line.click();
        await check(`understood: ${(await line.textContent()) ?? ""}`);
      }
      if (isPhone) {
        await page.getByRole("button", { name: /rows$/ }).click();
        await expect(page.getByRole("grid", { name: "First rows" })).toBeVisible();
        await check("rows on a phone");
      }
      await page.getByRole("grid", { name: "First rows" }).getByRole("columnheader", { name: /^rain/ }).getByRole("button").click();
      await expect(page.getByRole("dialog", { name: /rain/ })).toBeVisible();
      await check("choices of a column");
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog", { name: /rain/ })).toBeHidden();
      if (isPhone) await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Show the unread values of wet_days" }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
      await check("unread values");
      await page.keyboard.press("Escape");

      for (;;) {
        const questions = page.getByRole("radiogroup");
        const before = await questions.count();
        if (before === 0) break;
        await page.getByRole("button", { name: takesAnswer }).first().click();
        await expect(questions).toHaveCount(before - 1);
      }
      await page.getByRole("button", { name: "Create dataset" }).click();
      await expect(page).toHaveURL(/\/search\/[^/?#]+/);

      await page.goto("/data-catalog");
      await page.getByRole("main").getByRole("link", { name: "rain", exact: true }).click();
      const own = page.getByRole("region", { name: "Your data" });
      await expect(own).toContainText("120 rows");
      await check("schema");
      for (const action of ["Share", "Rename", "Delete"]) {
        await own.getByRole("button", { name: action }).click();
        await expect(page.getByRole("dialog")).toBeVisible();
        await check(action);
        await page.keyboard.press("Escape");
        await expect(page.getByRole("dialog")).toHaveCount(0);
      }
      await own.getByRole("link", { name: "Settings" }).click();
      await expect(page.getByRole("heading", { name: "Computed columns" })).toBeVisible();
      await check("settings");
      await page.goBack();
      const chooser = page.waitForEvent("filechooser");
      await own.getByRole("button", { name: "Append" }).click();
      const other = rain.replace("wet_days", "rainy").replace(";place;", ";town;");
      await (await chooser).setFiles({ ...file, name: "other.csv", buffer: Buffer.from(other) });
      await expect(page.getByRole("button", { name: "Append rows" })).toBeVisible();
      await expect(page.getByText("rainy").first()).toBeAttached();
      await check("drift");
      expect(found).toEqual([]);
    });
  }
});

test("the whole import is possible with the keyboard alone", async ({ page }) => {
  await signInAsNewAccount(page, ["data-upload"]);
  await start(page);
  const panel = page.getByRole("region", { name: "What was understood" });
  await expect(panel).toBeVisible();
  // Between panel and rows.
  const grid = page.getByRole("grid", { name: "First rows" });
  await page.keyboard.press("F6");
  await page.keyboard.press("F6");
  await expect(grid.locator(":focus")).toHaveCount(1);
  // The header's arrows, and the choices of a column.
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: /month/ })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  // The next value that could not be read.
  await page.keyboard.press("u");
  await expect(grid.locator(":focus")).toContainText("7?");
  // Each open question in turn.
  const questions = page.getByRole("radiogroup");
  while ((await questions.count()) > 0) {
    const before = await questions.count();
    await page.keyboard.press("n");
    await expect(questions.first().locator("input:focus")).toHaveCount(1);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Tab");
    await expect(page.locator(":focus")).toHaveText(takesAnswer);
    await page.keyboard.press("Enter");
    await expect(questions).toHaveCount(before - 1);
  }
  await page.keyboard.press("Control+Enter");
  await expect(page).toHaveURL(/\/search\/[^/?#]+/);
});
