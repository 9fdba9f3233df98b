import type { Locator, Page } from "@playwright/test";
import { axeViolations } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { mapLink, mapState } from "../support/maps.ts";

/** All positions: too many to be shown one by one. */
const everything = { t: [157_766_400, 1_609_459_200] };
const rowsMap = (page: Page) => page.getByRole("application", { name: "Map of rows" });
const cellList = (page: Page) => page.getByRole("listbox", { name: / cells$|^Rows in view$/ });
const legend = (page: Page) => page.getByRole("group", { name: /^Colors: / });
const card = (page: Page) => page.getByRole("region", { name: /^(Cell|Rows at) / });

async function expectCounted(page: Page): Promise<void> {
  await expect(rowsMap(page)).toHaveAttribute("data-ready", "true");
  await expect(cellList(page).getByRole("option").first()).toBeVisible();
}

/** Presses Tab until the focus is there. */
async function tabTo(page: Page, target: Locator, key = "Tab"): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    // oxlint-disable-next-line no-await-in-loop -- one key after another
    if (await target.evaluate((element) => element === document.activeElement).catch(() => false)) return;
    // oxlint-disable-next-line no-await-in-loop -- one key after another
    await page.keyboard.press(key);
  }
  throw new Error(`${key} never reaches it.`);
}

test("all rows are colored, walked, opened, shown in a table and played by the keyboard alone, with less motion twice a second", async ({
  page,
  signIn,
}) => {
  await signIn();
  await page.goto(mapLink(undefined, everything));
  await expect(page.getByRole("grid", { name: "Items", exact: true })).toBeVisible();
  await tabTo(page, page.getByRole("radio", { name: "Items" }));
  await page.keyboard.press("ArrowRight");
  await expectCounted(page);
  const colorBy = page.getByRole("combobox", { name: "Color by" });
  await tabTo(page, colorBy);
  // Not by its letters: a page that draws slowly takes them for the beginnings of several names.
  for (let presses = 0; presses < 40 && (await colorBy.inputValue()) !== "avg wind"; presses += 1) await page.keyboard.press("ArrowDown");
  await expect(colorBy).toHaveValue("avg wind");
  await expect(page.getByText("Highest with 5 rows or more", { exact: true })).toBeVisible();

  await tabTo(page, cellList(page));
  await page.keyboard.press("ArrowDown");
  const active = cellList(page).locator("[data-active]");
  await expect(active).toHaveText(/° [NS], .*° [EW].* kt · \d+ rows$/);
  const options = legend(page).getByRole("button", { name: "Middle 98%" });
  await tabTo(page, options);
  await page.keyboard.press("Enter");
  const scale = page.getByRole("dialog");
  await tabTo(page, scale.getByRole("radio", { name: "Linear" }));
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => mapState(page)).toMatchObject({ r: { c: ["avg", "wind"], s: "steps" } });
  await page.keyboard.press("Escape");
  await expect(scale).toHaveCount(0);
  await expect(legend(page).getByRole("button", { name: "Equal steps" })).toBeFocused();

  await tabTo(page, cellList(page), "Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(card(page).getByRole("heading")).toBeFocused();
  const show = card(page).getByRole("button", { name: /^Show [\d,]+ rows? in table$/ });
  await expect(show).toBeVisible();
  const rows = (await show.textContent())?.replace(/\D/g, "") ?? "";
  await tabTo(page, show);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Remove map cell" })).toBeVisible();
  await expect(page.getByText(new RegExp(`of ${rows} results$`))).toBeVisible();
  await page.goBack();
  await expectCounted(page);
  await expect(card(page)).toBeVisible();
  await tabTo(page, card(page).getByRole("button", { name: "Close" }));
  await page.keyboard.press("Escape");
  await expect(card(page)).toHaveCount(0);

  // The cell under the cross in the middle of the map.
  await tabTo(page, rowsMap(page).locator("canvas[tabindex]"));
  await page.keyboard.press("Enter");
  await expect(card(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(card(page)).toHaveCount(0);

  const playback = page.getByRole("region", { name: "Playback" });
  await tabTo(page, playback.getByRole("slider", { name: "Time" }));
  await page.keyboard.press("Home");
  await expect(legend(page)).toContainText("1975");
  await page.keyboard.press(" ");
  await expect(playback.getByRole("button", { name: "Pause" })).toBeVisible();
  expect(await countMoves(playback, 2_000)).toBeLessThanOrEqual(5);
  await page.keyboard.press(" ");
  await expect(playback.getByRole("button", { name: "Play", exact: true })).toBeVisible();
  await page.keyboard.press("End");
  await expect(playback).toContainText("All times");
});

/** How often the time moves on. */
const countMoves = (playback: Locator, durationMs: number): Promise<number> =>
  playback.evaluate(async (element, waitMs) => {
    let moves = 0;
    const observer = new MutationObserver(() => moves++);
    observer.observe(element, { attributes: true, attributeFilter: ["style"] });
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    observer.disconnect();
    return moves;
  }, durationMs);

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`in the ${colorScheme} theme`, () => {
    test.use({ colorScheme });

    test("axe finds nothing on the states of all rows", async ({ page, signIn, expectConsoleErrors }) => {
      test.slow();
      expectConsoleErrors(/the server responded with a status of 503/);
      await signIn();
      const found: string[] = [];
      const check = async (state: string) => {
        for (const { id, nodes } of await axeViolations(page))
          found.push(`${state}: ${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
      };
      await page.goto(mapLink({ r: { c: ["avg", "wind"] } }, everything));
      await expectCounted(page);
      await check("cells");
      await legend(page).getByRole("button").click();
      await expect(page.getByRole("dialog")).toBeVisible();
      await check("color scale");
      await page.keyboard.press("Escape");
      await cellList(page).getByRole("option").first().click();
      await expect(card(page).getByRole("listitem").first()).toBeVisible();
      await check("card of a cell");

      await page.goto(mapLink({ r: {}, t: [1_125_360_000_000, null, null] }, everything));
      await expectCounted(page);
      await expect(legend(page)).toContainText("1975 to 2005");
      await check("a paused playback");

      await page.goto(mapLink({ r: { c: ["max", "wind"] } }));
      await expectCounted(page);
      await cellList(page).getByRole("option").first().click();
      await expect(card(page)).toBeVisible();
      await check("card of a row");

      await page.goto(mapLink({ r: {}, v: [100, 60, 5] }, everything));
      await expect(page.getByText("No rows in this view.", { exact: true }).first()).toBeVisible();
      await check("no rows in view");

      await page.route("**/grid", (route) =>
        route.fulfill({ status: 503, json: { errors: [{ code: "engine-unavailable", message: "The query engine is not available." }] } }),
      );
      await page.goto(mapLink({ r: {} }, everything));
      await expect(page.getByText("The rows could not be counted.", { exact: true })).toBeVisible();
      await check("a failure");
      expect(found).toEqual([]);
    });
  });
}
