import { axeViolations } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectDatasets, expectLogin, logIn } from "../support/sign-in.ts";

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, reducedMotion: "reduce" });

test("on a phone the menu is a drawer that navigates, closes with Escape and returns the focus, without horizontal scrolling", async ({
  page,
}) => {
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await page.goto("/login");
  await expectLogin(page);
  expect(await overflow()).toBe(0);
  await logIn(page, "viewer");
  await expectDatasets(page);
  expect(await overflow()).toBe(0);
  await expect(page.getByRole("navigation")).toHaveCount(0);

  const open = page.getByRole("button", { name: "Open menu" });
  await open.tap();
  const drawer = page.getByRole("dialog", { name: "Menu" });
  await expect(drawer.getByRole("link", { name: "Datasets", exact: true })).toBeVisible();
  await expect(drawer.getByRole("link", { name: "Tomás Rivera" })).toBeVisible();
  await expect(drawer.getByRole("button", { name: "Logout" })).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(drawer).toHaveCount(0);
  await expect(open).toBeFocused();

  await page.getByText("storm-tracks", { exact: true }).tap();
  await page.getByRole("button", { name: "Sample" }).tap();
  await expect(page.getByRole("heading", { level: 1, name: "storm-tracks" })).toBeVisible();
  await open.tap();
  await expect(drawer.getByRole("list", { name: /^Recent searches/ }).getByRole("listitem")).toHaveCount(1);
  await drawer.getByRole("link", { name: "Datasets", exact: true }).tap();
  await expect(drawer).toHaveCount(0);
  await expectDatasets(page);
});
