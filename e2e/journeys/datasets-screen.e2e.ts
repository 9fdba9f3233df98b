import { demoPassword } from "@fairway/contract/api";
import type { Page } from "@playwright/test";
import { axeViolations } from "../support/accessibility.ts";
import { createAccount } from "../support/accounts.ts";
import { earthquakes, expectForm, flights, openForm, picker, searchButton, storms, timeDialog, timeRange } from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectRows } from "../support/searches.ts";
import { expectDatasets, expectLogin } from "../support/sign-in.ts";

test("a user can log in and search with the keyboard only", async ({ page }) => {
  await page.goto("/search");
  await expectLogin(page);
  await expect(page.getByRole("textbox", { name: "Username" })).toBeFocused();
  await page.keyboard.type("viewer");
  await page.keyboard.press("Tab");
  await expect(page.getByLabel("Password", { exact: true })).toBeFocused();
  await page.keyboard.type(demoPassword);
  await page.keyboard.press("Enter");
  await expectDatasets(page);
  await expect(picker(page)).toBeVisible();
  await page.keyboard.press("/");
  await page.keyboard.type("flights");
  await page.keyboard.press("Enter");
  await expectForm(page, flights);
  // Continue to the time range, which is set in a dialog.
  await tabTo(page, /^Time range/);
  await page.keyboard.press("Enter");
  await expect(timeDialog(page).getByRole("textbox", { name: "Start" })).toBeFocused();
  await page.keyboard.type("2001-05-01 – 2001-05-02");
  await page.keyboard.press("Enter");
  await expect(timeDialog(page)).toHaveCount(0);
  await expect(timeRange(page)).toBeFocused();
  await tabTo(page, /^Operator of Origin$/);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("textbox", { name: "Origin", exact: true })).toBeFocused();
  await page.keyboard.type("SEA");
  await tabTo(page, /^Search$/);
  await expect(searchButton(page)).toBeFocused();
  await page.keyboard.press("Enter");
  await expectRows(page, "flights");
  await expect(page.getByRole("group", { name: "Filters applied" }).getByText("origin = SEA", { exact: true })).toBeVisible();
  // The table is a single tab stop.
  for (let presses = 0; presses < 40 && !(await page.getByRole("grid").locator(":focus").count()); presses += 1)
    await page.keyboard.press("Tab");
  await expect(page.getByRole("grid").locator(":focus")).toHaveCount(1);
});

/** Presses Tab until a control with this name has the focus. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const seen: string[] = [];
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      const labelled = element?.getAttribute("aria-label") ?? element?.textContent ?? "";
      return labelled.replaceAll(/\s+/g, " ").trim();
    });
    if (name.test(focused)) return;
    seen.push(focused);
  }
  throw new Error(`${String(name)} was not reached by Tab, only ${seen.join(" | ")}`);
}

test("choosing a dataset, filtering and searching fit the screen of a phone", async ({ page, signIn }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn();
  await page.goto("/search");
  await expect(picker(page)).toBeVisible();
  await expectFits(page);
  await picker(page).getByRole("button", { name: "storm-tracks", exact: true }).click();
  await expectForm(page, storms);
  await expectFits(page);
  await expect(page.getByText(/^To perform a search, you must add one of the following filters: /)).toBeInViewport();
  await expect(searchButton(page)).toBeInViewport();
  // Datasets are changed in a sheet.
  await page.getByRole("button", { name: "Dataset: storm-tracks" }).click();
  const sheet = page.getByRole("dialog", { name: "Choose a dataset" });
  await sheet.getByRole("button", { name: "earthquakes", exact: true }).click();
  await expect(sheet).toHaveCount(0);
  await expectForm(page, earthquakes);
  await expectFits(page);

  await timeRange(page).click();
  await expect(timeDialog(page).getByRole("button", { name: "Done", exact: true })).toBeInViewport();
  await expectFits(page);
  await timeDialog(page).getByRole("button", { name: "Newest week", exact: true }).click();
  await timeDialog(page).getByRole("button", { name: "Done", exact: true }).click();
  await page.getByRole("main").getByRole("button", { name: "Add filter", exact: true }).click();
  const cancel = page.getByRole("dialog", { name: "Add filter" }).getByRole("button", { name: "Cancel" });
  await expect(cancel).toBeInViewport();
  await expectFits(page);
  // The list of fields is open on top of the dialog: Escape closes the topmost layer.
  await page.keyboard.press("Escape");
  await cancel.click();
  await searchButton(page).click();
  await expectRows(page, "earthquakes");
});

async function addFilter(page: Page, field: string, value: string): Promise<void> {
  await page.getByRole("main").getByRole("button", { name: "Add filter", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Add filter" });
  await dialog.getByRole("combobox", { name: "Field" }).click();
  await page.getByRole("listbox").getByRole("option", { name: field, exact: true }).click();
  await dialog.getByLabel("Value", { exact: true }).fill(value);
  await dialog.getByRole("button", { name: "Add filter", exact: true }).click();
  await expect(dialog).toHaveCount(0);
}

async function expectClean(page: Page, part = "html"): Promise<void> {
  expect(await axeViolations(page, { within: [part] })).toEqual([]);
}

/** Expects no horizontal overflow. */
async function expectFits(page: Page): Promise<void> {
  // Popovers are positioned one frame after they open.
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
  const form = await page.getByRole("main").evaluate((main) => main.scrollWidth - main.clientWidth);
  expect(form).toBe(0);
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds no violations on the datasets screen in ${colorScheme}`, async ({ page, signIn }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await signIn();
    await page.goto("/search");
    await expect(picker(page)).toBeVisible();
    await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", colorScheme);
    await expectClean(page);
    await picker(page).getByRole("button", { name: "earthquakes", exact: true }).click();
    await expectForm(page, earthquakes);
    await page.getByRole("textbox", { name: "Region", exact: true }).fill("Alaska");
    await page.getByRole("button", { name: "Newest day", exact: true }).click();
    await addFilter(page, "depth", "10");
    await expectClean(page);
  });

  test(`axe finds no violations in the dialogs of the datasets screen in ${colorScheme}`, async ({ page, signIn }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await signIn();
    await openForm(page, earthquakes);
    await page.getByRole("button", { name: "Newest day", exact: true }).click();
    await timeRange(page).click();
    await timeDialog(page).getByRole("textbox", { name: "End" }).fill("2001");
    await timeDialog(page).getByRole("button", { name: "Done", exact: true }).click();
    await expect(timeDialog(page).getByText("The end is before the start.")).toBeVisible();
    await expect(timeDialog(page).getByRole("button", { name: "Next month" })).toBeVisible();
    await expectClean(page, "[role='dialog']");
    await page.keyboard.press("Escape");
    await page.getByRole("main").getByRole("button", { name: "Add filter", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Add filter" });
    await dialog.getByRole("combobox", { name: "Field" }).click();
    await page.getByRole("listbox").getByRole("option", { name: "time", exact: true }).click();
    await dialog.getByLabel("Value", { exact: true }).fill("soon");
    await dialog.getByLabel("Value", { exact: true }).press("Tab");
    await expect(dialog.getByText(/^Not a time\./)).toBeVisible();
    await expectClean(page, "[role='dialog']");
  });

  test(`axe finds no violations in the empty and failed states of the datasets screen in ${colorScheme}`, async ({ page }) => {
    const { username, password } = await createAccount();
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.goto("/login");
    await page.getByRole("textbox", { name: "Username" }).fill(username);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.route(
      (url) => url.pathname === "/api/datasets" || url.pathname.endsWith("/describe"),
      (route) => route.fulfill({ status: 500, json: { errors: [{ code: "internal", message: "Broken." }] } }),
    );
    await page.getByRole("button", { name: "Login", exact: true }).click();
    await expect(page.getByText("Error loading datasets.", { exact: true })).toBeVisible();
    await page.goto("/search?category=Aviation&dataset=flights");
    await expect(page.getByText("Failed to load dataset filters", { exact: true })).toBeVisible();
    await expectClean(page);
    await page.unrouteAll();
    await page.getByRole("region", { name: "Choose a dataset" }).getByRole("button", { name: "Retry" }).click();
    await page.getByRole("button", { name: "Favourites only" }).click();
    await expect(page.getByText("No favourites yet. Mark a dataset with its star.")).toBeVisible();
    await expectClean(page);
  });
}
