import type { Board } from "@fairway/contract/boards";
import type { SavedSearch } from "@fairway/contract/saved-searches";
import type { APIRequestContext, Browser, Locator, Page } from "@playwright/test";
import { createAccount, type TestAccount } from "../support/accounts.ts";
import { axeViolations } from "../support/accessibility.ts";
import { chooseInRow, createEntity, deleteEntity, listEntities, openAdmin, uniqueName } from "../support/administration.ts";
import { pick } from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";
import { bearer, tokenOf } from "../support/gateway.ts";
import { adminHeaders, signInTab } from "../support/own-account.ts";
import { expectDatasets } from "../support/sign-in.ts";

interface Person extends TestAccount {
  readonly id: string;
}

const button = (within: Page | Locator, name: string) => within.getByRole("button", { name, exact: true });
const panel = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const dialog = (page: Page, name: string) => page.getByRole("dialog", { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });

/** Accounts whose names can be searched for. */
async function newPeople(request: APIRequestContext, prefix: string, roles: Readonly<Record<string, readonly string[]>>) {
  const people: Record<string, Person> = {};
  for (const [name, held] of Object.entries(roles)) {
    const account = await createAccount({ username: `${prefix}-${name}`, roles: held });
    const users = await listEntities(request, "users");
    people[name] = { ...account, id: String(users.find(({ username }) => username === account.username)?.["id"]) };
  }
  return people;
}

async function joinGroup(request: APIRequestContext, { id }: Person, name: string): Promise<void> {
  const headers = await adminHeaders(request);
  const user = (await (await request.get(`/api/admin/users/${id}/current`, { headers })).json()) as object;
  expect((await request.put("/api/admin/users", { headers, data: { ...user, groups: [{ name }] } })).status()).toBe(200);
}

/** The answer of the API to a person. */
async function answerTo<Body>(request: APIRequestContext, { username, password }: Person, path: string): Promise<Body> {
  return (await (await request.get(`/api${path}`, bearer(await tokenOf(request, username, password)))).json()) as Body;
}

async function openPage(browser: Browser, person: Person, path: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await signInTab(page, person);
  await page.goto(path);
  return page;
}

/** Finds somebody in the box that has the focus, and takes the first one. */
async function choose(page: Page, box: Locator, name: string): Promise<void> {
  await expect(box).toBeFocused();
  await page.keyboard.type(name);
  await expect(page.getByRole("listbox", { name: "People, groups and roles", exact: true }).getByRole("option")).toHaveCount(1);
  await page.keyboard.press("Enter");
}

async function shareByKeyboard(
  page: Page,
  name: string,
  recipients: readonly (readonly [name: string, can: "View" | "Edit"])[],
): Promise<void> {
  const sharing = dialog(page, `Share ${name}`);
  const box = sharing.getByRole("combobox", { name: "Share with", exact: true });
  for (const [recipient, can] of recipients) {
    await box.focus();
    await choose(page, box, recipient);
    if (can === "Edit") await sharing.getByRole("combobox", { name: `What ${recipient} may do` }).selectOption("Edit");
  }
  expect(await axeViolations(page)).toEqual([]);
  await box.press("Control+Enter");
  await expect(sharing).toHaveCount(0);
}

test("a board and a saved search are shared, edited with fewer rights, taken back, left, given away, and outlive their owners", async ({
  page,
  browser,
}) => {
  test.slow();
  const [secret, group, prefix, datasetId] = [uniqueName("desk"), uniqueName("watch"), uniqueName("share"), uniqueName("plans")];
  const roles = { owner: [secret], editor: [], reader: [], heir: [], root: ["admin"] };
  const { owner, editor, reader, heir, root } = (await newPeople(page.request, prefix, roles)) as Record<keyof typeof roles, Person>;
  const { id: groupId } = await createEntity(page.request, "groups", { name: group, realmRoles: [] });
  for (const person of [reader, heir]) await joinGroup(page.request, person, group);
  const { version: _, ...stormTracks } =
    (await listEntities(page.request, "datasets/internal")).find(({ id }) => id === "storm-tracks") ?? {};
  await createEntity(page.request, "datasets/internal", { ...stormTracks, id: datasetId, roles: [secret] });

  const asOwner = bearer(await tokenOf(page.request, owner.username, owner.password));
  const storms = { datasetCategory: "Tropical weather", datasetId: "storm-tracks" };
  const query = { filters: [{ name: "name", operator: "=", value: "Katrina" }] };
  const panels = [
    {
      id: "plans",
      kind: "table",
      title: "Plans",
      dataset: { ...storms, datasetId },
      query,
      place: { x: 0, y: 0, w: 4, h: 4 },
    },
    { id: "notes", kind: "text", title: "Notes", text: "As of today.", place: { x: 4, y: 0, w: 4, h: 4 } },
    {
      id: "count",
      kind: "number",
      title: "Observations",
      dataset: storms,
      query,
      value: { aggregation: "count", column: "*" },
      place: { x: 8, y: 0, w: 3, h: 4 },
    },
  ];
  const created = await page.request.post("/api/boards", { ...asOwner, data: { name: "Season", content: { panels } } });
  const { id: boardId } = (await created.json()) as Board;
  const saved = await page.request.post("/api/favorite/queries", {
    ...asOwner,
    data: { ...storms, queryName: `Gales ${prefix}`, query: JSON.stringify(query) },
  });
  const { id: searchId, queryName } = (await saved.json()) as SavedSearch;
  const address = `/boards/${boardId}`;
  const board = (person: Person) => answerTo<Board>(page.request, person, address);
  const panelOf = async (person: Person, id: string) => (await board(person)).content.panels.find((one) => one.id === id);

  await signInTab(page, owner);
  await test.step("the owner shares both with a person who may edit and a group that may read", async () => {
    await page.goto(address);
    await button(page, "Share").press("Enter");
    await shareByKeyboard(page, "Season", [
      [editor.username, "Edit"],
      [group, "View"],
    ]);
    await page.goto("/search");
    await expectDatasets(page);
    await pick(page, "storm-tracks");
    await button(page, "Saved search filters").press("Enter");
    await button(page, `Share ${queryName}`).press("Enter");
    await shareByKeyboard(page, queryName, [
      [editor.username, "Edit"],
      [group, "View"],
    ]);
    await page.goto(address);
    await expect(panel(page, "Plans").getByRole("row").nth(1)).toBeVisible();
  });

  const edited = await openPage(browser, editor, address);
  await test.step("the editor, who does not know the plans, arranges the rest, and leaves the plans as they are", async () => {
    const before = await panelOf(owner, "plans");
    await expect(panel(edited, "Hidden panel")).toContainText("You don’t have access to this panel’s dataset.");
    await expect(edited.getByText("Plans", { exact: true })).toHaveCount(0);
    await button(edited, "Edit").press("Enter");
    await button(edited, "Move Observations").press("Shift+ArrowRight");
    await button(edited, "Save board").press("Enter");
    await expect(button(edited, "Edit")).toBeVisible();
    expect(await panelOf(owner, "plans")).toEqual(before);
    expect(await panelOf(owner, "count")).toMatchObject({ place: { w: 4 } });
    await expect(button(edited, "Share")).toHaveCount(0);
  });

  await test.step("what the owner and the editor change at the same time is kept", async () => {
    await expect.poll(async () => (await panelOf(owner, "count"))?.place.w).toBe(4);
    await page.reload();
    await button(page, "Edit").press("Enter");
    await button(page, "Remove Notes").press("Enter");
    await expect(panel(page, "Notes")).toHaveCount(0);
    await button(edited, "Edit").press("Enter");
    await button(edited, "Move Observations").press("Shift+ArrowDown");
    await button(edited, "Save board").press("Enter");
    await expect(button(edited, "Edit")).toBeVisible();
    await button(page, "Save board").press("Enter");
    await expect(page.getByText("Board saved, together with someone else's changes")).toBeVisible();
    expect((await board(owner)).content.panels.map(({ id }) => id).toSorted()).toEqual(["count", "plans"]);
    expect(await panelOf(owner, "count")).toMatchObject({ place: { w: 4, h: 5 } });
  });

  const read = await openPage(browser, reader, address);
  await test.step("the group reads it, until the owner takes it back, also on the open page", async () => {
    await expect(panel(read, "Observations").getByRole("paragraph")).toHaveText("68");
    await expect(button(read, "Edit")).toHaveCount(0);
    await button(page, "Share").press("Enter");
    const sharing = dialog(page, "Share Season");
    await button(sharing, `Remove ${group}`).press("Enter");
    await button(sharing, "Save").press("Enter");
    await expect(sharing).toHaveCount(0);
    await expect(read.getByRole("alert")).toContainText("This board is no longer shared with you.");
    await expect(panel(read, "Observations")).toHaveCount(0);
  });

  await test.step("the editor leaves the saved search", async () => {
    await edited.goto("/search");
    await expectDatasets(edited);
    await pick(edited, "storm-tracks");
    await button(edited, "Saved search filters").press("Enter");
    await dialog(edited, "Saved search filters").getByRole("radio", { name: queryName, exact: true }).check();
    await button(edited, "Leave").press("Enter");
    await button(dialog(edited, "Leave Saved Search?"), "Leave").press("Enter");
    await expect(dialog(edited, "Saved search filters").getByRole("radio", { name: queryName, exact: true })).toHaveCount(0);
    expect((await answerTo<SavedSearch[]>(page.request, editor, "/favorite/queries/shared")).map(({ id }) => id)).not.toContain(searchId);
    await edited.goto(address);
  });

  await test.step("the owner gives the board to the editor, who owns it on the open page, and goes on editing", async () => {
    await button(page, "More actions").press("Enter");
    await page.getByRole("menuitem", { name: "Give away", exact: true }).press("Enter");
    const giving = dialog(page, "Give away Season");
    await choose(page, giving.getByRole("combobox", { name: "New owner", exact: true }), editor.username);
    await button(giving, "Give away").press("Enter");
    await expect(giving).toHaveCount(0);
    await expect(button(edited, "Share")).toBeVisible();
    await expect(button(page, "Share")).toHaveCount(0);
    await expect(button(page, "Edit")).toBeVisible();
    expect(await panelOf(owner, "plans")).toMatchObject({ kind: "table", title: "Plans" });
  });

  const administered = await openPage(browser, root, "/user-settings");
  await test.step("an account is deleted, and what it owns is given to somebody else", async () => {
    await openAdmin(administered, "/user-settings", "Users");
    await chooseInRow(administered, editor.username, "Delete");
    const deleting = dialog(administered, `Delete ${editor.username}?`);
    await expect(deleting).toContainText("It owns 1 board. It shares:");
    const box = deleting.getByRole("combobox", { name: "Give to", exact: true });
    await box.focus();
    await choose(administered, box, heir.username);
    await button(deleting, "Delete").press("Enter");
    await expect(deleting).toHaveCount(0);
    expect(await board(heir)).toMatchObject({ can: "own", owner: heir.username });
    expect(await board(owner)).toMatchObject({ can: "edit", owner: heir.username });
    await expect(page.getByText(`shared by ${heir.username}`)).toBeVisible();
  });

  await test.step("an account is deleted without that, and an administrator gives away what others have of it", async () => {
    await chooseInRow(administered, owner.username, "Delete");
    const deleting = dialog(administered, `Delete ${owner.username}?`);
    await expect(deleting).toContainText("It owns 1 saved search. It shares:");
    await expect(deleting).toContainText("What others have stays without owner, as it is shared. The rest is deleted.");
    await button(deleting, "Delete").press("Enter");
    await expect(deleting).toHaveCount(0);
    const found = (await answerTo<SavedSearch[]>(page.request, reader, "/favorite/queries/shared")).find(({ id }) => id === searchId);
    expect(found).toMatchObject({ ownerState: "gone", can: "view" });
    await administered.getByRole("link", { name: "Without owner", exact: true }).press("Enter");
    await expect(heading(administered, "Without owner")).toBeVisible();
    const row = administered.getByRole("row").filter({ hasText: queryName });
    await expect(row).toContainText(owner.username);
    await button(row, `Give ${queryName} to`).press("Enter");
    const giving = dialog(administered, `Give ${queryName} to`);
    const newOwner = giving.getByRole("combobox", { name: "New owner", exact: true });
    await newOwner.focus();
    await choose(administered, newOwner, reader.username);
    await button(giving, "Give").press("Enter");
    await expect(giving).toHaveCount(0);
    await expect(row).toHaveCount(0);
    const own = await answerTo<SavedSearch[]>(page.request, reader, "/favorite/queries");
    expect(own.filter(({ id }) => id === searchId)).toMatchObject([{ queryName, can: "own" }]);
  });

  await deleteEntity(page.request, "datasets/internal", datasetId);
  await deleteEntity(page.request, "groups", String(groupId));
  for (const other of [edited, read, administered]) await other.context().close();
});
