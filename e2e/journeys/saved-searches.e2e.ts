import { randomUUID } from "node:crypto";
import type { APIRequestContext, Page } from "@playwright/test";
import { axeViolations } from "../support/accessibility.ts";
import { createAccount, type OwnAccount } from "../support/accounts.ts";
import { openForm, searchButton, storms } from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";
import { act, bodyOf, katrina, nextSearch, openResults } from "../support/results.ts";
import { expectDatasets, expectLogin, logIn, visitAs } from "../support/sign-in.ts";

const path = "/api/favorite/queries";
const [datasetCategory, datasetId] = storms;
const query = JSON.stringify({ filters: [{ name: "name", value: "Katrina", operator: "=" }] });

const saveDialog = (page: Page) => page.getByRole("dialog", { name: "Save Search Filters", exact: true });
const savedDialog = (page: Page) => page.getByRole("dialog", { name: "Saved search filters", exact: true });
const savedButton = (page: Page) => page.getByRole("button", { name: "Saved search filters", exact: true });
const choice = (page: Page, name: string) => savedDialog(page).getByRole("radio", { name, exact: true });
const inDialog = (page: Page, name: string) => savedDialog(page).getByRole("button", { name, exact: true });

/** An account of the journey's own that has saved searches of these names. */
async function accountWith(
  request: APIRequestContext,
  names: readonly string[],
  { roles = [], ...more }: { roles?: readonly string[]; query?: string; description?: string } = {},
): Promise<OwnAccount> {
  const account = await createAccount({ roles });
  const login = await request.post("/api/auth/login", { data: { username: account.username, password: account.password } });
  const { token } = (await login.json()) as { token: { access_token: string } };
  for (const queryName of names) {
    const answer = await request.post(path, {
      headers: { authorization: `Bearer ${token.access_token}` },
      data: { datasetCategory, datasetId, queryName, query, sharedWithRoles: [...roles], ...more },
    });
    expect(answer.status()).toBe(201);
  }
  return account;
}

/** The same, signed in. */
async function visitSaved(page: Page, request: APIRequestContext, names: readonly string[], more?: { query?: string }): Promise<void> {
  const { username, password } = await accountWith(request, names, more);
  await visitAs(page, username, password);
}

/** The saved searches of storm tracks, as its form shows them. */
async function openSaved(page: Page): Promise<void> {
  await openForm(page, storms);
  await savedButton(page).click();
  await expect(savedDialog(page)).toBeVisible();
}

const logOut = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: "Logout" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Logout" }).click();
  await expectLogin(page);
};

test("a search that is shared with a role can be loaded by who holds it, and only its owner changes it", async ({ page, request }) => {
  const role = `desk-${randomUUID()}`;
  const owner = await accountWith(request, [], { roles: [role] });
  const reader = await createAccount({ roles: [role] });
  const stranger = await createAccount();
  await visitAs(page, owner.username, owner.password);
  await openResults(page, katrina);
  await act(page, "Save Search Filters");
  await saveDialog(page).getByRole("textbox", { name: "Name" }).fill("For the desk");
  await saveDialog(page).getByRole("combobox", { name: "Share with roles" }).press("ArrowDown");
  await page.getByRole("option", { name: role, exact: true }).click();
  await saveDialog(page).getByRole("textbox", { name: "Name" }).click();
  await saveDialog(page).getByRole("button", { name: "Save", exact: true }).click();
  await expect(saveDialog(page)).toHaveCount(0);
  await openSaved(page);
  await expect(savedDialog(page).getByText(`Shared with ${role}`, { exact: true })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(savedDialog(page)).toHaveCount(0);

  await logOut(page);
  await logIn(page, reader.username, reader.password);
  await expectDatasets(page);
  await openSaved(page);
  await choice(page, "For the desk").check();
  await expect(savedDialog(page).getByText(`Shared by ${owner.username}`, { exact: true })).toBeVisible();
  await expect(inDialog(page, "Delete")).toBeDisabled();
  await expect(savedDialog(page).getByRole("button", { name: /^Edit / })).toHaveCount(0);
  await inDialog(page, "Load").click();
  const searching = nextSearch(page);
  await searchButton(page).click();
  expect(bodyOf(await searching)).toMatchObject({ filters: [{ name: "name", value: "Katrina", operator: "=" }] });

  await logOut(page);
  await logIn(page, stranger.username, stranger.password);
  await expectDatasets(page);
  await openSaved(page);
  await expect(savedDialog(page).getByText("No saved searches of this dataset yet.", { exact: false })).toBeVisible();
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  for (const colorScheme of ["light", "dark"] as const) {
    test(`saved searches are saved, edited and loaded, clean to axe in ${colorScheme}, and nothing scrolls sideways`, async ({
      page,
      request,
    }) => {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      const violations = () => axeViolations(page, { within: ["[role=dialog]"] });
      await visitSaved(page, request, ["A name of a saved search that is rather longer than a telephone is wide"]);
      await openResults(page, katrina);
      await act(page, "Save Search Filters");
      await expect(saveDialog(page).getByRole("textbox", { name: "Name" })).toBeFocused();
      expect([await overflow(), await violations()]).toEqual([0, []]);
      await page.keyboard.press("Escape");
      await openSaved(page);
      expect([await overflow(), await violations()]).toEqual([0, []]);
      await savedDialog(page).getByRole("radio").check();
      await inDialog(page, "Load").tap();
      await expect(page.getByRole("status").filter({ hasText: "From the saved search" })).toBeVisible();
      expect(await overflow()).toBe(0);
    });
  }
});
