import { randomUUID } from "node:crypto";
import type { APIRequestContext, Page } from "@playwright/test";
import { axeViolations } from "../support/accessibility.ts";
import { createAccount, type OwnAccount } from "../support/accounts.ts";
import { breakAnswer, openForm, searchButton, storms } from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";
import { act, katrina, openResults } from "../support/results.ts";
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
async function accountWith(request: APIRequestContext, names: readonly string[], roles: readonly string[] = []): Promise<OwnAccount> {
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

/** The same, signed in. */
async function visitSaved(page: Page, request: APIRequestContext, names: readonly string[]): Promise<void> {
  const { username, password } = await accountWith(request, names);
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

test("[SAVED-02][SAVED-06][SAVED-08][SAVED-10][SAVED-11] filters are saved from the results, loaded into the form, renamed and deleted; axe finds nothing", async ({
  page,
  request,
}) => {
  const violations = () => axeViolations(page, { within: ["[role=dialog]"] });
  await visitSaved(page, request, ["Rita"]);
  await test.step("a name in use is refused with the gateway's message, another one is saved", async () => {
    await openResults(page, katrina);
    await act(page, "Save Search Filters");
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
  await test.step("it is loaded after a page load, and searches the same rows", async () => {
    await openSaved(page);
    await choice(page, "The big one").check();
    expect(await violations()).toEqual([]);
    await inDialog(page, "Load").click();
    await expect(page.getByRole("status").filter({ hasText: "From the saved search" })).toBeVisible();
    expect(await axeViolations(page)).toEqual([]);
    await searchButton(page).click();
    await expect(page.getByText("1 – 25 of 68 results", { exact: true })).toBeVisible();
  });
  await test.step("it is renamed and described, then deleted", async () => {
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

test("[SESSION-22][SESSION-23] a search shared with a role is loaded by who holds it; what was saved is fetched with each login, and nothing of the user before stays", async ({
  page,
  request,
}) => {
  const role = `desk-${randomUUID()}`;
  const owner = await accountWith(request, [], [role]);
  const reader = await createAccount({ roles: [role] });
  const stranger = await accountWith(request, ["Of the stranger"]);
  const fetched: string[] = [];
  page.on("request", (asked) => {
    const { pathname } = new URL(asked.url());
    if (/^\/api\/favorite\/(queries|graphTemplates)$/.test(pathname)) fetched.push(pathname);
  });
  await test.step("its owner saves it for the role", async () => {
    await visitAs(page, owner.username, owner.password);
    await expect.poll(() => fetched.toSorted()).toEqual(["/api/favorite/graphTemplates", path]);
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
  });
  await test.step("who holds the role loads it", async () => {
    await logOut(page);
    await logIn(page, reader.username, reader.password);
    await expectDatasets(page);
    await openSaved(page);
    await choice(page, "For the desk").check();
    await expect(savedDialog(page).getByText(`Shared by ${owner.username}`, { exact: true })).toBeVisible();
    await inDialog(page, "Load").click();
    await expect(page.getByRole("textbox", { name: "Storm name", exact: true })).toHaveValue("Katrina");
  });
  await test.step("another user has their own alone; what could not be fetched is only logged", async () => {
    await logOut(page);
    fetched.length = 0;
    const logged: string[] = [];
    page.on("console", (message) => logged.push(message.text()));
    const mend = await breakAnswer(page, "/api/favorite/graphTemplates", "No templates today.");
    await logIn(page, stranger.username, stranger.password);
    await expectDatasets(page);
    await expect.poll(() => fetched.toSorted()).toEqual(["/api/favorite/graphTemplates", path]);
    await expect.poll(() => logged.join("\n")).toContain("The graph templates could not be loaded");
    await expect(page.getByRole("alert")).toHaveCount(0);
    await mend();
    await openSaved(page);
    await expect(savedDialog(page).getByRole("radio")).toHaveCount(1);
    await expect(choice(page, "Of the stranger")).toBeVisible();
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("saved searches are saved, edited and loaded, clean to axe in the dark theme, and nothing scrolls sideways", async ({
    page,
    request,
  }) => {
    await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
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
});
