import { randomUUID } from "node:crypto";
import type { APIRequestContext, Page } from "@playwright/test";
import { axeViolations } from "../support/accessibility.ts";
import { createAccount, type TestAccount } from "../support/accounts.ts";
import { failCalls, openForm, searchButton, storms } from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";
import { chooseAction, katrina, openResults } from "../support/results.ts";
import { expectDatasets, expectLogin, logIn, visitAs } from "../support/sign-in.ts";

const path = "/api/favorite/queries";
const [datasetCategory, datasetId] = storms;
const query = JSON.stringify({ filters: [{ name: "name", value: "Katrina", operator: "=" }] });

const saveDialog = (page: Page) => page.getByRole("dialog", { name: "Save Search Filters", exact: true });
const savedDialog = (page: Page) => page.getByRole("dialog", { name: "Saved search filters", exact: true });
const savedButton = (page: Page) => page.getByRole("button", { name: "Saved search filters", exact: true });
const choice = (page: Page, name: string) => savedDialog(page).getByRole("radio", { name, exact: true });
const inDialog = (page: Page, name: string) => savedDialog(page).getByRole("button", { name, exact: true });

/** Creates an account with saved searches of these names. */
async function createAccountWithSearches(
  request: APIRequestContext,
  names: readonly string[],
  roles: readonly string[] = [],
): Promise<TestAccount> {
  const account = await createAccount({ roles });
  const login = await request.post("/api/auth/login", { data: { username: account.username, password: account.password } });
  const { token } = (await login.json()) as { token: { access_token: string } };
  for (const queryName of names) {
    const answer = await request.post(path, {
      headers: { authorization: `Bearer ${token.access_token}` },
      data: { datasetCategory, datasetId, queryName, query, sharedWithRoles: [...roles] },
    });
    expect(answer.status()).toBe(201);
  }
  return account;
}

/** Signs in as a new account with saved searches of these names. */
async function visitSaved(page: Page, request: APIRequestContext, names: readonly string[]): Promise<void> {
  const { username, password } = await createAccountWithSearches(request, names);
  await visitAs(page, username, password);
}

/** Opens the saved searches in the form of storm-tracks. */
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

test("[SAVED-02][SAVED-06][SAVED-08][SAVED-10][SAVED-11] a user saves filters from the results, loads them into the form, renames and deletes them; axe finds no violations", async ({
  page,
  request,
}) => {
  const violations = () => axeViolations(page, { within: ["[role=dialog]"] });
  await visitSaved(page, request, ["Rita"]);
  await test.step("refuses a name in use with the gateway's message, and saves another one", async () => {
    await openResults(page, katrina);
    await chooseAction(page, "Save Search Filters");
    const name = saveDialog(page).getByRole("textbox", { name: "Name" });
    await expect(name).toBeFocused();
    expect(await violations()).toEqual([]);
    await name.fill("RITA");
    await name.press("Enter");
    await expect(saveDialog(page).getByRole("alert")).toHaveText(
      "Save failed: A saved search with this name already exists for this dataset.",
    );
    await name.fill("The big one");
    await name.press("Enter");
    await expect(saveDialog(page)).toHaveCount(0);
  });
  await test.step("loads it after a page load, and finds the same rows", async () => {
    await openSaved(page);
    await choice(page, "The big one").check();
    expect(await violations()).toEqual([]);
    await inDialog(page, "Load").click();
    await expect(page.getByRole("status").filter({ hasText: "From the saved search" })).toBeVisible();
    expect(await axeViolations(page)).toEqual([]);
    await searchButton(page).click();
    await expect(page.getByText("1 – 25 of 68 results", { exact: true })).toBeVisible();
  });
  await test.step("renames, describes and deletes it", async () => {
    await openSaved(page);
    await savedDialog(page).getByRole("button", { name: "Edit The big one", exact: true }).click();
    const editing = page.getByRole("dialog", { name: "Edit Saved Search", exact: true });
    await editing.getByRole("textbox", { name: "Name" }).fill("Of 2005");
    await editing.getByRole("textbox", { name: "Description" }).fill("August");
    expect(await violations()).toEqual([]);
    await editing.getByRole("button", { name: "Save", exact: true }).click();
    await expect(savedDialog(page).getByText("August", { exact: true })).toBeVisible();
    await choice(page, "Of 2005").check();
    await inDialog(page, "Delete").click();
    await page.getByRole("dialog", { name: "Delete Saved Search?" }).getByRole("button", { name: "Delete", exact: true }).click();
    await expect(choice(page, "Of 2005")).toHaveCount(0);
    await page.reload();
    await savedButton(page).click();
    await expect(savedDialog(page).getByRole("radio")).toHaveCount(1);
  });
});

test("[SESSION-22][SESSION-23] holders of a role can load a search shared with it; saved searches are fetched at each login, and nothing of the previous user remains", async ({
  page,
  request,
}) => {
  const role = `desk-${randomUUID()}`;
  const owner = await createAccountWithSearches(request, [], [role]);
  const reader = await createAccount({ roles: [role] });
  const stranger = await createAccountWithSearches(request, ["Of the stranger"]);
  const fetched: string[] = [];
  page.on("request", (sent) => {
    const { pathname } = new URL(sent.url());
    if (/^\/api\/favorite\/(queries|graphTemplates)$/.test(pathname)) fetched.push(pathname);
  });
  await test.step("the owner shares it with the role", async () => {
    await visitAs(page, owner.username, owner.password);
    await expect.poll(() => fetched.toSorted()).toEqual(["/api/favorite/graphTemplates", path]);
    await openResults(page, katrina);
    await chooseAction(page, "Save Search Filters");
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
  });
  await test.step("a holder of the role loads it", async () => {
    await logOut(page);
    await logIn(page, reader.username, reader.password);
    await expectDatasets(page);
    await openSaved(page);
    await choice(page, "For the desk").check();
    await expect(savedDialog(page).getByText(`Shared by ${owner.username}`, { exact: true })).toBeVisible();
    await inDialog(page, "Load").click();
    await expect(page.getByRole("textbox", { name: "Storm name", exact: true })).toHaveValue("Katrina");
  });
  await test.step("another user only sees their own; failed fetches are only logged", async () => {
    await logOut(page);
    fetched.length = 0;
    const logged: string[] = [];
    page.on("console", (message) => logged.push(message.text()));
    const restore = await failCalls(page, "/api/favorite/graphTemplates", "No templates today.");
    await logIn(page, stranger.username, stranger.password);
    await expectDatasets(page);
    await expect.poll(() => fetched.toSorted()).toEqual(["/api/favorite/graphTemplates", path]);
    await expect.poll(() => logged.join("\n")).toContain("The graph templates could not be loaded");
    await expect(page.getByRole("alert")).toHaveCount(0);
    await restore();
    await openSaved(page);
    await expect(savedDialog(page).getByRole("radio")).toHaveCount(1);
    await expect(choice(page, "Of the stranger")).toBeVisible();
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("saved searches can be saved and loaded in the dark theme without axe violations and horizontal scrolling", async ({
    page,
    request,
  }) => {
    await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    const violations = () => axeViolations(page, { within: ["[role=dialog]"] });
    await visitSaved(page, request, ["A name of a saved search that is rather longer than a telephone is wide"]);
    await openResults(page, katrina);
    await chooseAction(page, "Save Search Filters");
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
});
