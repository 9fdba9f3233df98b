import { randomUUID } from "node:crypto";
import type { APIRequestContext, Page } from "@playwright/test";
import { axeViolations } from "../support/accessibility.ts";
import { createAccount, type OwnAccount } from "../support/accounts.ts";
import { alterDescription, breakAnswer, openForm, searchButton, storms, timeDialog, timeRange } from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";
import { act, bodyOf, header, katrina, nextSearch, openResults, searchLink, shownColumns } from "../support/results.ts";
import { expectRows } from "../support/searches.ts";
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

test("[SAVED-02][SAVED-06][SAVED-08][SAVED-09][SAVED-10] filters are saved under a name from the results and loaded into the form", async ({
  page,
  request,
}) => {
  await visitSaved(page, request, []);
  await openResults(page, katrina);
  await act(page, "Save Search Filters");
  const save = saveDialog(page).getByRole("button", { name: "Save", exact: true });
  await expect(saveDialog(page).getByRole("textbox", { name: "Name" })).toBeFocused();
  await expect(save).toBeDisabled();
  await saveDialog(page).getByRole("textbox", { name: "Name" }).fill("  The big one ");

  const mend = await breakAnswer(page, path, "The disk is full.");
  await save.click();
  await expect(saveDialog(page).getByRole("alert")).toHaveText("Save failed: The disk is full.");
  await mend();
  const saving = page.waitForRequest((asked) => asked.method() === "POST" && new URL(asked.url()).pathname === path);
  await save.click();
  const body = (await saving).postDataJSON() as { query: string };
  expect(body).toMatchObject({ datasetCategory, datasetId, queryName: "The big one" });
  expect(JSON.parse(body.query)).toEqual({ filters: [{ name: "name", value: "Katrina", operator: "=" }] });
  await expect(saveDialog(page)).toHaveCount(0);

  await openForm(page, storms);
  await expect(searchButton(page)).toBeVisible();
  await savedButton(page).click();
  await expect(inDialog(page, "Load")).toBeDisabled();
  await expect(inDialog(page, "Delete")).toBeDisabled();
  await choice(page, "The big one").check();
  expect(await axeViolations(page, { within: ["[role=dialog]"] })).toEqual([]);
  await inDialog(page, "Load").click();
  await expect(savedDialog(page)).toHaveCount(0);
  const searching = nextSearch(page);
  await searchButton(page).click();
  expect(bodyOf(await searching)).toMatchObject({ filters: [{ name: "name", value: "Katrina", operator: "=" }] });
});

test("[SAVED-09][SAVED-11][SAVED-12] a saved search is deleted after a question, at once, and comes back when the server refuses", async ({
  page,
  request,
}) => {
  await visitSaved(page, request, ["Katrina", "Rita"]);
  await openForm(page, storms);
  await savedButton(page).click();
  await expect(savedDialog(page).getByRole("radio")).toHaveCount(2);
  await savedDialog(page).getByRole("searchbox").fill("kat");
  await expect(savedDialog(page).getByRole("radio")).toHaveCount(1);
  await choice(page, "Katrina").check();
  const question = page.getByRole("dialog", { name: "Delete Saved Search?" });
  await inDialog(page, "Delete").click();
  await question.getByRole("button", { name: "Cancel", exact: true }).click();
  await expect(choice(page, "Katrina")).toBeVisible();
  // Escape closes the question alone.
  await inDialog(page, "Delete").click();
  await expect(question).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(question).toHaveCount(0);
  await expect(choice(page, "Katrina")).toBeVisible();

  let refuse: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    refuse = resolve;
  });
  await page.route(
    (url) => url.pathname === path,
    async (route) => {
      if (route.request().method() !== "DELETE") return route.continue();
      await asked;
      return route.fulfill({ status: 500, json: { errors: [{ code: "internal", message: "The disk is full." }] } });
    },
  );
  await inDialog(page, "Delete").click();
  await question.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(choice(page, "Katrina")).toHaveCount(0);
  refuse();
  await expect(savedDialog(page).getByRole("alert")).toHaveText("Delete failed: The disk is full.");
  await expect(choice(page, "Katrina")).toBeVisible();

  await page.unrouteAll();
  const deleting = page.waitForRequest((call) => call.method() === "DELETE" && new URL(call.url()).pathname === path);
  await inDialog(page, "Delete").click();
  await question.getByRole("button", { name: "Delete", exact: true }).click();
  expect((await deleting).postDataJSON()).toEqual({ datasetCategory, datasetId, queryName: "Katrina", query });
  await expect(choice(page, "Katrina")).toHaveCount(0);
  await savedDialog(page).getByRole("searchbox").fill("");
  await expect(choice(page, "Rita")).toBeVisible();
  await inDialog(page, "Cancel").click();
  await expect(savedDialog(page)).toHaveCount(0);
});

test("[RESULT-45] a sample has no filters to save", async ({ page, signIn }) => {
  await signIn();
  await page.goto(searchLink({ category: katrina.category, dataset: katrina.dataset, isSample: true }));
  await page.getByRole("button", { name: "Actions", exact: true }).click();
  await expect(page.getByRole("menuitem", { name: "Rerun Search", exact: true })).toBeEnabled();
  await expect(page.getByRole("menuitem", { name: "Save Search Filters", exact: true })).toBeDisabled();
});

test("[SESSION-22][SESSION-23] saved searches and graph templates are fetched with the login; a failure is only logged", async ({
  page,
  signIn,
}) => {
  await signIn();
  await breakAnswer(page, path, "No searches today.");
  await breakAnswer(page, "/api/favorite/graphTemplates", "No templates today.");
  const logged: string[] = [];
  page.on("console", (message) => logged.push(message.text()));
  await page.goto("/search");
  await expect.poll(() => logged.join("\n")).toContain("The saved searches could not be loaded");
  await expect.poll(() => logged.join("\n")).toContain("The graph templates could not be loaded");
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(page.getByText(/No (searches|templates) today/)).toHaveCount(0);
});

test("columns, order and view are saved when ticked, and come back with the search", async ({ page, request }) => {
  await visitSaved(page, request, []);
  await openResults(page, { ...katrina, sort: [["wind", "desc"]] });
  await act(page, "Show Column Visibility");
  await page.getByRole("checkbox", { name: "latitude", exact: true }).uncheck();
  const shown = await shownColumns(page);
  expect(shown).not.toContain("latitude");
  await page.getByText("Raw", { exact: true }).click();
  await act(page, "Save Search Filters");
  await saveDialog(page).getByRole("textbox", { name: "Name" }).fill("Strongest first");
  await saveDialog(page).getByRole("textbox", { name: "Description" }).fill("For the morning report.");
  for (const part of ["Columns shown and their order", "Order of the rows", "View (table or raw)"]) {
    await expect(saveDialog(page).getByRole("checkbox", { name: part, exact: true })).not.toBeChecked();
    await saveDialog(page).getByRole("checkbox", { name: part, exact: true }).check();
  }
  expect(await axeViolations(page, { within: ["[role=dialog]"] })).toEqual([]);
  const saving = page.waitForRequest((asked) => asked.method() === "POST" && new URL(asked.url()).pathname === path);
  await saveDialog(page).getByRole("button", { name: "Save", exact: true }).click();
  const saved = JSON.parse(((await saving).postDataJSON() as { query: string }).query) as { columns: string[] };
  expect(saved).toMatchObject({ sort: [{ column: "wind", direction: "desc" }], view: "raw" });
  expect(saved.columns).toEqual(expect.arrayContaining(shown));
  expect(saved.columns).not.toContain("latitude");
  await expect(saveDialog(page)).toHaveCount(0);

  // On another machine: nothing of the first one is in the browser.
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage).filter((name) => name.startsWith("fairway.columns."))) localStorage.removeItem(key);
  });
  await openSaved(page);
  await expect(savedDialog(page).getByText("For the morning report.", { exact: true })).toBeVisible();
  await savedDialog(page).getByRole("searchbox").fill("morning");
  await choice(page, "Strongest first").check();
  await inDialog(page, "Load").click();
  await expect(page.getByRole("status").filter({ hasText: "Strongest first" })).toContainText(
    "From the saved search Strongest first. The results show its columns, its order and its view (raw).",
  );
  const searching = nextSearch(page);
  await searchButton(page).click();
  expect(bodyOf(await searching)).toMatchObject({ sort: [{ column: "wind", direction: "desc" }] });
  await expect(page.getByRole("treegrid", { name: "Raw results" })).toBeVisible();
  await page.getByText("Table", { exact: true }).click();
  await expect(header(page, "wind")).toHaveAttribute("aria-sort", "descending");
  // Those in sight: the panel of columns stands no longer beside the table.
  expect((await shownColumns(page)).slice(0, shown.length)).toEqual(shown);

  // Back at the form it is still said; forgotten, the search is like any other.
  await openForm(page, storms);
  await page.getByRole("button", { name: "Forget that the filters came from Strongest first" }).click();
  await expect(page.getByText("From the saved search")).toHaveCount(0);
  const plain = nextSearch(page);
  await searchButton(page).click();
  expect(bodyOf(await plain)).toEqual({ paging: { offset: 0, max: 25 }, filters: [{ name: "name", value: "Katrina", operator: "=" }] });
});

test("[SAVED-04] a range that follows the clock is saved as such, with the start and end that it had", async ({ page, request }) => {
  const begun = Date.UTC(2005, 7, 30, 6, 7, 8);
  await page.clock.setFixedTime(begun);
  await visitSaved(page, request, []);
  await openForm(page, storms);
  await timeRange(page).click();
  await timeDialog(page).getByRole("button", { name: "Last 7 days", exact: true }).click();
  await timeDialog(page).getByRole("button", { name: "Done", exact: true }).click();
  await searchButton(page).click();
  await expectRows(page, "storm-tracks");
  await act(page, "Save Search Filters");
  await saveDialog(page).getByRole("textbox", { name: "Name" }).fill("This week");
  const saving = page.waitForRequest((asked) => asked.method() === "POST" && new URL(asked.url()).pathname === path);
  await saveDialog(page).getByRole("button", { name: "Save", exact: true }).click();
  expect(JSON.parse(((await saving).postDataJSON() as { query: string }).query)).toEqual({
    timeRange: { start: "2005-08-23T06:07:08.000Z", end: "2005-08-30T06:07:08.000Z", last: "7d" },
    filters: [],
  });
  await expect(saveDialog(page)).toHaveCount(0);

  await openForm(page, storms);
  await page.getByRole("button", { name: "Clear time range" }).click();
  await page.clock.setFixedTime(begun + 86_400_000);
  await savedButton(page).click();
  await choice(page, "This week").check();
  await inDialog(page, "Load").click();
  await expect(timeRange(page)).toHaveText("Time range: Last 7 days");
  const searching = nextSearch(page);
  await searchButton(page).click();
  expect(bodyOf(await searching)).toMatchObject({ timeRange: { start: "2005-08-24T06:07:08.000Z", end: "2005-08-31T06:07:08.000Z" } });
});

test("[SAVED-08] a saved search is renamed and described; a name in use is refused with the server's message", async ({
  page,
  request,
}) => {
  await visitSaved(page, request, ["Katrina", "Rita"]);
  await openSaved(page);
  const editing = page.getByRole("dialog", { name: "Edit Saved Search", exact: true });
  const edit = savedDialog(page).getByRole("button", { name: "Edit Katrina", exact: true });
  await edit.click();
  const name = editing.getByRole("textbox", { name: "Name" });
  await expect(name).toHaveValue("Katrina");
  await expect(name).toBeFocused();
  await name.fill("RITA");
  await editing.getByRole("button", { name: "Save", exact: true }).click();
  await expect(editing.getByRole("alert")).toHaveText("Save failed: A saved search with this name already exists for this dataset.");
  await name.fill(" ");
  await expect(editing.getByRole("button", { name: "Save", exact: true })).toBeDisabled();
  await name.fill("The big one");
  await editing.getByRole("textbox", { name: "Description" }).fill("August 2005");
  expect(await axeViolations(page, { within: ["[role=dialog]"] })).toEqual([]);
  const saving = page.waitForRequest((asked) => asked.method() === "PUT" && new URL(asked.url()).pathname.startsWith(path));
  await editing.getByRole("button", { name: "Save", exact: true }).click();
  expect((await saving).postDataJSON()).toEqual({ queryName: "The big one", description: "August 2005", sharedWithRoles: [] });
  await expect(editing).toHaveCount(0);
  await expect(choice(page, "The big one")).toBeVisible();
  await expect(choice(page, "Katrina")).toHaveCount(0);
  await expect(savedDialog(page).getByText("August 2005", { exact: true })).toBeVisible();
  // Escape leaves the editor, then the list.
  await savedDialog(page).getByRole("button", { name: "Edit Rita", exact: true }).press("Enter");
  await expect(editing).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(editing).toHaveCount(0);
  await expect(savedDialog(page).getByRole("button", { name: "Edit Rita", exact: true })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(savedDialog(page)).toHaveCount(0);
  await expect(savedButton(page)).toBeFocused();
});

test("[SAVED-08] a search saved under a name in use is refused, and can take the place of the other one", async ({ page, request }) => {
  const old = JSON.stringify({ filters: [{ name: "name", value: "Rita", operator: "=" }] });
  const account = await accountWith(request, ["Of the day"], { query: old, description: "Changes every morning" });
  await visitAs(page, account.username, account.password);
  await openResults(page, katrina);
  await act(page, "Save Search Filters");
  const name = saveDialog(page).getByRole("textbox", { name: "Name" });
  const replace = saveDialog(page).getByRole("button", { name: "Replace", exact: true });
  await name.fill("of the DAY");
  await expect(replace).toHaveCount(0);
  await name.press("Enter");
  await expect(saveDialog(page).getByRole("alert")).toHaveText(
    "Save failed: A saved search with this name already exists for this dataset.",
  );
  await expect(replace).toBeVisible();
  // Another name is another search.
  await name.fill("Of the night");
  await expect(replace).toHaveCount(0);
  await name.fill("of the DAY");
  const saving = page.waitForRequest((asked) => asked.method() === "PUT" && new URL(asked.url()).pathname.startsWith(path));
  await replace.click();
  expect((await saving).postDataJSON()).toEqual({ queryName: "of the DAY", query });
  await expect(saveDialog(page)).toHaveCount(0);
  await openSaved(page);
  await expect(savedDialog(page).getByRole("radio")).toHaveCount(1);
  await expect(savedDialog(page).getByText("Changes every morning", { exact: true })).toBeVisible();
  await choice(page, "of the DAY").check();
  await inDialog(page, "Load").click();
  await expect(page.getByRole("textbox", { name: "Storm name", exact: true })).toHaveValue("Katrina");
});

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

test("what the dataset no longer has is named when a search is loaded, and the rest of it still searches", async ({ page, request }) => {
  const whole = JSON.stringify({
    filters: [
      { name: "name", value: "Katrina", operator: "=" },
      { name: "wind", value: 64, operator: ">=" },
    ],
    columns: ["name", "wind"],
    sort: [{ column: "wind", direction: "desc" }],
  });
  await visitSaved(page, request, ["Strong"], { query: whole });
  await alterDescription(page, storms, (description) => ({
    ...description,
    schema: { columns: description.schema.columns.filter(({ name }) => name !== "wind") },
    filterSupport: {
      ...description.filterSupport,
      staticFilters: description.filterSupport.staticFilters.filter(({ name }) => name !== "wind"),
    },
  }));
  await openSaved(page);
  await choice(page, "Strong").check();
  await inDialog(page, "Load").click();
  const told = page.getByRole("status").filter({ hasText: "From the saved search Strong" });
  await expect(told).toContainText("Left out, as the dataset no longer has it: wind >= 64, the column wind, the order by wind");
  expect(await axeViolations(page)).toEqual([]);
  const searching = nextSearch(page);
  await searchButton(page).click();
  expect(bodyOf(await searching)).toEqual({ paging: { offset: 0, max: 25 }, filters: [{ name: "name", value: "Katrina", operator: "=" }] });
});

test("[SESSION-22][SESSION-23] with another user what they have saved is fetched, and nothing of the first one stays; a failure is only logged", async ({
  page,
  request,
}) => {
  const first = await accountWith(request, ["Of the first"]);
  const second = await accountWith(request, ["Of the second"]);
  const fetched: string[] = [];
  page.on("request", (asked) => {
    const { pathname } = new URL(asked.url());
    if (/^\/api\/favorite\/(queries|graphTemplates)$/.test(pathname)) fetched.push(pathname);
  });
  await visitAs(page, first.username, first.password);
  await expect.poll(() => fetched.toSorted()).toEqual(["/api/favorite/graphTemplates", path]);
  await logOut(page);
  fetched.length = 0;
  const logged: string[] = [];
  page.on("console", (message) => logged.push(message.text()));
  const mend = await breakAnswer(page, "/api/favorite/graphTemplates", "No templates today.");
  await logIn(page, second.username, second.password);
  await expectDatasets(page);
  await expect.poll(() => fetched.toSorted()).toEqual(["/api/favorite/graphTemplates", path]);
  await expect.poll(() => logged.join("\n")).toContain("The graph templates could not be loaded");
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(page.getByText("No templates today.")).toHaveCount(0);
  await mend();
  await openSaved(page);
  await expect(savedDialog(page).getByRole("radio")).toHaveCount(1);
  await expect(choice(page, "Of the second")).toBeVisible();
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

test("a saved search is found, edited and loaded by the keyboard alone", async ({ page, request }) => {
  await visitSaved(page, request, ["Andrew", "Katrina", "Rita"]);
  await openForm(page, storms);
  await savedButton(page).focus();
  await page.keyboard.press("Enter");
  await expect(savedDialog(page).getByRole("searchbox")).toBeFocused();
  await page.keyboard.type("RIT");
  // Nothing is chosen yet: Enter neither loads nor searches.
  await page.keyboard.press("Enter");
  await expect(savedDialog(page).getByRole("radio")).toHaveCount(1);
  await page.keyboard.press("Tab");
  await expect(choice(page, "Rita")).toBeFocused();
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await expect(savedDialog(page).getByRole("button", { name: "Edit Rita", exact: true })).toBeFocused();
  await page.keyboard.press("Enter");
  const editing = page.getByRole("dialog", { name: "Edit Saved Search", exact: true });
  await expect(editing.getByRole("textbox", { name: "Name" })).toBeFocused();
  await page.keyboard.press("End");
  await page.keyboard.type(" 2005");
  await page.keyboard.press("Enter");
  await expect(editing).toHaveCount(0);
  await expect(choice(page, "Rita 2005")).toBeChecked();
  await expect(savedDialog(page).getByRole("button", { name: "Edit Rita 2005", exact: true })).toBeFocused();
  for (const name of ["Delete", "Cancel", "Load"]) {
    await page.keyboard.press("Tab");
    await expect(inDialog(page, name)).toBeFocused();
  }
  await page.keyboard.press("Enter");
  await expect(savedDialog(page)).toHaveCount(0);
  await expect(page.getByRole("textbox", { name: "Storm name", exact: true })).toHaveValue("Katrina");
  await expect(savedButton(page)).toBeFocused();
});
