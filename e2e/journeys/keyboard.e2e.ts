import type { Page } from "@playwright/test";
import { chooseInRow, entitiesOf, openAdmin, openRowMenu } from "../support/administration.ts";
import { breakAnswer } from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";
import { act, katrina, openResults } from "../support/results.ts";
import { expectRows, sample } from "../support/searches.ts";
import { expectDatasets, expectLogin } from "../support/sign-in.ts";

/** The field has the focus at once and is empty, also where the palette still fades out from before: one can type. */
async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Search everything" });
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("");
}

test("Ctrl+K finds a dataset by a few letters and opens it with Enter", async ({ page, signIn }) => {
  await signIn();
  await page.goto("/search");
  await expectDatasets(page);
  await openPalette(page);
  await page.keyboard.type("quak");
  const options = page.getByRole("listbox", { name: "Results" }).getByRole("option");
  await expect(options).toHaveCount(1);
  await expect(options).toContainText("earthquakes");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page).toHaveURL(/\/search\?category=Natural(\+|%20)hazards&dataset=earthquakes/);
  await expect(page.getByRole("heading", { level: 2, name: "earthquakes" })).toBeVisible();
});

test("the palette leads to recent searches, themes and Logout; arrows move, words match in any order", async ({ page, signIn }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await signIn();
  await page.goto("/search");
  await sample(page, "airports");
  const results = page.url();
  await page.getByRole("navigation", { name: "Search" }).getByRole("link", { name: "Datasets" }).click();
  await expectDatasets(page);

  await openPalette(page);
  await page.keyboard.type("sample airp");
  await expect(page.getByRole("group", { name: "Recent searches" }).getByRole("option")).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expectRows(page, "airports");
  await expect(page).toHaveURL(results);

  await openPalette(page);
  await page.keyboard.type("theme");
  const options = page.getByRole("group", { name: "Actions" }).getByRole("option");
  await expect(options).toHaveCount(3);
  await expect(options.nth(0)).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("ArrowDown");
  await expect(options.nth(1)).toHaveAttribute("aria-selected", "true");
  await expect(options.nth(1)).toContainText("Dark");
  await page.keyboard.press("Enter");
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");

  await openPalette(page);
  await page.keyboard.type("logout");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Logout?" }).getByRole("button", { name: "Logout" }).click();
  await expectLogin(page);
});

test("what nothing is called is said; Escape closes the palette and gives the focus back", async ({ page, signIn }) => {
  await signIn();
  await page.goto("/search");
  await expectDatasets(page);
  const hide = page.getByRole("button", { name: "Hide panel" });
  await hide.focus();
  await openPalette(page);
  await page.keyboard.type("xyzzy");
  await expect(page.getByText("Nothing is called that. Try fewer letters.")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(hide).toBeFocused();
});

test("? shows the keys of every screen, but is a letter where one types", async ({ page, signIn }) => {
  await signIn();
  await page.goto("/search");
  await expectDatasets(page);
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  for (const what of ["Search everything", "Go to the filter of this screen", "Show these shortcuts", "Close what is on top"]) {
    await expect(sheet.getByRole("term").filter({ hasText: what })).toBeVisible();
  }
  await page.keyboard.press("Escape");
  await expect(sheet).toHaveCount(0);

  await page.keyboard.press("/");
  await page.keyboard.type("what?");
  await expect(page.locator(":focus")).toHaveValue("what?");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("behind a dialog the page is out of reach, by name and by Ctrl+K, and comes back with the focus", async ({ page, signIn }) => {
  await signIn();
  await page.goto("/search");
  await expectDatasets(page);
  const inReach = page.getByRole("button", { name: "Logout", exact: true }).locator("visible=true").and(page.locator(":not([inert] *)"));
  await expect(inReach).toHaveCount(1);
  await inReach.click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("button", { name: "Logout" })).toBeVisible();
  await expect(inReach).toHaveCount(1);
  await expect(dialog.getByRole("button", { name: "Logout" }).and(inReach)).toHaveCount(1);
  await page.keyboard.press("Control+k");
  await page.keyboard.press("Shift+Tab");
  await expect(dialog).toHaveCount(1);
  await expect(dialog.locator(":focus")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(inReach).toBeFocused();
});

test("a dialog that opens from a menu gives the focus back to the menu's button", async ({ page, signIn }) => {
  await signIn();
  await openResults(page, katrina);
  const dialog = page.getByRole("dialog");
  // Small dialogs are loaded while the browser is idle: each second time it is there at once.
  for (const entry of ["Explore Dataset Schema", "Export Current Results", "Export All Results", "Save Search Filters"]) {
    for (const time of ["first", "second"]) {
      await act(page, entry);
      await expect(dialog).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(dialog).toHaveCount(0);
      await expect(page.getByRole("button", { name: "Actions", exact: true }), `${entry}, the ${time} time`).toBeFocused();
    }
  }
  const menu = page.getByRole("button", { name: "name column menu", exact: true });
  for (const time of ["first", "second"]) {
    await page.getByRole("columnheader", { name: /^name/ }).hover();
    await menu.click();
    await page.getByRole("menuitem", { name: "Profile of name" }).click();
    await expect(dialog).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await expect(menu, `the ${time} time`).toBeFocused();
  }
});

test("a dialog that opens from a row of the administration gives the focus back to the row's button", async ({ page, signIn }) => {
  await signIn("admin");
  await openAdmin(page, "/group-settings", "Groups");
  const button = page.getByRole("button", { name: "Actions: Viewers", exact: true });
  for (const time of ["first", "second"]) {
    for (const entry of ["Revisions", "Delete"]) {
      await openRowMenu(page, "Viewers");
      await page.getByRole("menu", { name: "Actions: Viewers", exact: true }).getByRole("menuitem", { name: entry, exact: true }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await expect(button, `${entry}, the ${time} time`).toBeFocused();
    }
  }
});

test("an entity that could not be read for its editor says so, is tried again, and the editor gives the focus back", async ({
  page,
  request,
  signIn,
}) => {
  const group = (await entitiesOf(request, "groups")).find(({ name }) => name === "Viewers");
  await signIn("admin");
  await openAdmin(page, "/group-settings", "Groups");
  const mend = await breakAnswer(page, `/api/admin/groups/${String(group?.["id"])}/current`, "The database rests.");
  await chooseInRow(page, "Viewers", "Edit");
  const dialog = page.getByRole("dialog");
  const failure = dialog.getByRole("alert");
  await expect(failure).toContainText("The group could not be loaded.");
  await expect(failure).toContainText("The database rests.");
  await mend();
  await failure.getByRole("button", { name: "Retry", exact: true }).click();
  await expect(dialog.getByRole("button", { name: "Save", exact: true })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Actions: Viewers", exact: true })).toBeFocused();
});
