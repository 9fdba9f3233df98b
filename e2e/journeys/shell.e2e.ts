import type { Page } from "@playwright/test";
import { axeViolations } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { sample } from "../support/searches.ts";
import { expectDatasets } from "../support/sign-in.ts";

const rail = (page: Page) => page.getByRole("navigation", { name: "Main" });
const panel = (page: Page) => page.getByRole("navigation", { name: "Search", exact: true });

test("[SHELL-02][SHELL-03] Skip to content skips the menus; the second panel and the theme persist after a reload", async ({
  page,
  signIn,
}) => {
  await page.emulateMedia({ colorScheme: "light" });
  await signIn();
  await page.goto("/search");
  await expectDatasets(page);

  await test.step("Skip to content is the first tab stop", async () => {
    await page.keyboard.press("Tab");
    await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("main")).toBeFocused();
    await expect(page).toHaveURL("/search");
  });

  const html = page.locator("html");
  const chooseTheme = async (name: string) => {
    await rail(page).getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitemradio", { name }).click();
    await expect(page.getByRole("menu")).toBeHidden();
  };
  await test.step("the theme follows the system until one is chosen", async () => {
    await expect(html).toHaveAttribute("data-mantine-color-scheme", "light");
    const lightGround = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.emulateMedia({ colorScheme: "dark" });
    await expect(html).toHaveAttribute("data-mantine-color-scheme", "dark");
    await expect(page.locator("body")).not.toHaveCSS("background-color", lightGround);
    await chooseTheme("Light");
    await expect(html).toHaveAttribute("data-mantine-color-scheme", "light");
  });

  await test.step("a reload keeps the theme and the hidden panel", async () => {
    await expect(panel(page).getByRole("link", { name: "Datasets" })).toBeVisible();
    await panel(page).getByRole("button", { name: "Hide panel" }).click();
    await expect(panel(page)).toHaveCount(0);
    await page.reload({ waitUntil: "commit" });
    await expectDatasets(page);
    await expect(html).toHaveAttribute("data-mantine-color-scheme", "light");
    await expect(panel(page)).toHaveCount(0);
    await page.getByRole("button", { name: "Show panel" }).click();
    await expect(panel(page)).toBeVisible();
    await panel(page).getByRole("button", { name: "Hide panel" }).click();
    await rail(page).getByRole("button", { name: "Search", exact: true }).click();
    await expect(panel(page).getByRole("link", { name: "Datasets" })).toBeVisible();
  });
  await chooseTheme("System");
  await expect(html).toHaveAttribute("data-mantine-color-scheme", "dark");
});

test("axe finds no violations in the shell, its menu and its dialogs, light and dark", async ({ page, signIn }) => {
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await signIn();
  await page.goto("/search");
  await sample(page, "storm-tracks");
  await panel(page).getByRole("link", { name: "Datasets" }).click();
  await expectDatasets(page);
  for (const colorScheme of ["light", "dark"] as const) {
    await test.step(colorScheme, async () => {
      // Reduced motion, because the contrast of a dialog cannot be judged while it fades in.
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", colorScheme);
      const expectNoViolations = async (within: string) => {
        expect(await axeViolations(page, { within: [within] })).toEqual([]);
      };
      await expectNoViolations("html");
      await rail(page).getByRole("button", { name: "More" }).click();
      await expect(page.getByRole("menu", { name: "More" })).toBeVisible();
      await expectNoViolations("[role=menu]");
      await page.keyboard.press("Escape");
      await expect(page.getByRole("menu", { name: "More" })).toBeHidden();
      for (const [keys, dialog] of [
        ["Control+k", "Search everything"],
        ["?", "Keyboard shortcuts"],
      ] as const) {
        await page.keyboard.press(keys);
        await expect(page.getByRole("dialog", { name: dialog })).toBeVisible();
        await expectNoViolations("[role=dialog]");
        await page.keyboard.press("Escape");
        await expect(page.getByRole("dialog")).toHaveCount(0);
      }
      await rail(page).getByRole("button", { name: "Logout" }).click();
      await expect(page.getByRole("dialog", { name: "Logout?" })).toBeVisible();
      await expectNoViolations("[role=dialog]");
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toHaveCount(0);
    });
  }
});
