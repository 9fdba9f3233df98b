import { axeViolations } from "../support/accessibility.ts";
import { chooseInRow, createEntity, deleteEntity, entitiesOf, openAdmin, ownName, rowOf } from "../support/administration.ts";
import { breakAnswer } from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";
import { logIn } from "../support/sign-in.ts";

test("[USERS-02][USERS-04][USERS-05][USERS-06][USERS-09][USERS-10][USERS-12][USERS-13] a user is made by the form, which knows the rules", async ({
  page,
  request,
  signIn,
}) => {
  const [username, group] = [ownName("user"), ownName("group")];
  await createEntity(request, "groups", { name: group, realmRoles: [] });
  await signIn("admin");
  await openAdmin(page, "/user-settings", "Users");
  await expect(page.getByRole("button", { name: "Import" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Export All" })).toHaveCount(0);
  await page.getByRole("button", { name: "New", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "New user" });
  const save = dialog.getByRole("button", { name: "Save", exact: true });
  const field = (name: string) => dialog.getByRole("textbox", { name, exact: true });
  const password = dialog.getByLabel("Password", { exact: true });
  await expect(dialog.getByText("Discouraged: give roles through groups")).toBeVisible();
  await field("Username").fill("a");
  await password.fill("abc");
  await field("Email").fill("ab");
  await expect(save).toBeDisabled();
  await expect(dialog.getByText("A username needs at least 2 characters.").first()).toBeVisible();
  await field("Username").fill(username);
  await field("First name").click();
  await expect(dialog.getByText("An email needs at least 3 characters.").first()).toBeVisible();
  await field("Email").fill("a@b.example");
  await expect(save).toBeDisabled();
  await expect(dialog.getByText("A password needs at least 4 characters.").first()).toBeVisible();
  await password.fill("abcd");
  await dialog.getByRole("checkbox", { name: "Require a password change at the next login" }).check();
  await dialog.getByRole("combobox", { name: "Groups" }).click();
  await page.getByRole("option", { name: group }).click();
  await page.keyboard.press("Escape");
  expect(await axeViolations(page)).toEqual([]);
  const sent = page.waitForRequest((call) => call.method() === "POST" && call.url().endsWith("/api/admin/users"));
  await save.click();
  expect((await sent).postDataJSON()).toMatchObject({
    username,
    email: "a@b.example",
    groups: [{ name: group }],
    roles: [],
    password: { setPassword: true, value: "abcd", requirePasswordChange: true },
  });
  await expect(dialog).toHaveCount(0);
  await expect(await rowOf(page, username)).toContainText(group);
  await page.getByRole("button", { name: `Actions: ${username}`, exact: true }).click();
  await expect(page.getByRole("menuitem")).toHaveText(["Edit", "Copy", "Toggle Enabled", "Security Activity", "Revisions", "Delete"]);
  await page.reload();
  await rowOf(page, username);
  const mend = await breakAnswer(page, "/api/admin/groups", "The groups rest.");
  await page.getByRole("button", { name: `Actions: ${username}`, exact: true }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  const edited = page.getByRole("dialog");
  await expect(edited.getByRole("textbox", { name: "Username" })).toBeDisabled();
  await expect(edited.getByRole("alert")).toContainText("Error Loading GroupsThe groups rest.");
  await mend();
  await edited.getByRole("button", { name: "Retry" }).click();
  await expect(edited.getByText(group, { exact: true })).toBeVisible();
  const user = (await entitiesOf(request, "users")).find((one) => one["username"] === username);
  await deleteEntity(request, "users", String(user?.["id"]));
});

test("[USERS-11][USERS-17][USERS-18][USERS-20] a user is asked for a new password, is locked and unlocked; refusals say why", async ({
  page,
  browser,
  request,
  signIn,
}) => {
  const username = ownName("user");
  const password = { setPassword: true, value: "first-password", requirePasswordChange: true };
  const user = await createEntity(request, "users", { username, password });
  const second = await browser.newContext();
  const person = await second.newPage();
  await person.goto("/login");
  await logIn(person, username, "first-password");
  await expect(person.getByRole("heading", { level: 1 })).toContainText("password", { ignoreCase: true });

  await signIn("admin");
  await openAdmin(page, "/user-settings", "Users");
  await chooseInRow(page, username, "Toggle Enabled");
  await expect((await rowOf(page, username)).getByText("disabled", { exact: true })).toBeVisible();
  await person.goto("/login");
  await logIn(person, username, "first-password");
  await expect(person.getByText("Invalid username or password. Please try again.")).toBeVisible();
  const unlock = `/api/admin/users/${String(user["id"])}/unlock`;
  const mend = await breakAnswer(page, unlock, "The database rests.");
  await chooseInRow(page, username, "Unlock");
  await expect(page.getByRole("alert").filter({ hasText: "Unlock Failed" })).toContainText("The database rests.");
  await mend();
  const unlocked = page.waitForRequest((call) => call.method() === "PUT" && new URL(call.url()).pathname === unlock);
  await chooseInRow(page, username, "Unlock");
  await unlocked;
  await expect((await rowOf(page, username)).getByText("enabled", { exact: true })).toBeAttached();

  await page.getByRole("button", { name: "New", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Username", exact: true }).fill(username.toUpperCase());
  await dialog.getByLabel("Password", { exact: true }).fill("abcd");
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect(dialog.getByRole("alert")).toContainText("User Save Failed");
  await second.close();
  await deleteEntity(request, "users", String(user["id"]));
});

test("[USERS-19][GROUPS-02][GROUPS-04][GROUPS-05][ROLES-02] groups take roles, also new ones; roles are only listed", async ({
  page,
  request,
  signIn,
}) => {
  const [name, role] = [ownName("group"), ownName("role")];
  await signIn("admin");
  await openAdmin(page, "/group-settings", "Groups");
  for (const button of ["Import", "Export All"]) await expect(page.getByRole("button", { name: button })).toHaveCount(0);
  const dialog = page.getByRole("dialog");
  const save = dialog.getByRole("button", { name: "Save", exact: true });

  const mend = await breakAnswer(page, "/api/admin/roles", "The roles rest.");
  await page.getByRole("button", { name: "New", exact: true }).click();
  await expect(dialog.getByRole("alert")).toContainText("Error Loading Roles");
  await mend();
  await dialog.getByRole("button", { name: "Retry" }).click();
  await expect(save).toBeEnabled();
  await save.click();
  await expect(dialog.getByRole("alert")).toContainText("Group Save Failed");
  await dialog.getByRole("textbox", { name: "Name" }).fill(name);
  await dialog.getByRole("combobox", { name: "Roles" }).fill(role);
  await page.getByRole("option", { name: `Create role “${role}”` }).click();
  await expect(dialog.getByText(role, { exact: true })).toBeVisible();
  // However many roles there are, the list of them is put away.
  await dialog.getByRole("textbox", { name: "Name" }).click();
  await save.click();
  await expect(dialog).toHaveCount(0);
  await expect(await rowOf(page, name)).toContainText(role);
  await page.getByRole("button", { name: `Actions: ${name}`, exact: true }).click();
  await expect(page.getByRole("menuitem")).toHaveText(["Edit", "Copy", "Revisions", "Delete"]);
  await page.keyboard.press("Escape");

  await openAdmin(page, "/role-settings", "Roles");
  await expect(await rowOf(page, role)).toBeVisible();
  for (const button of ["New", "Import", "Export All"])
    await expect(page.getByRole("button", { name: button, exact: true })).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^Actions/ })).toHaveCount(0);
  const group = (await entitiesOf(request, "groups")).find((one) => one["name"] === name);
  await deleteEntity(request, "groups", String(group?.["id"]));
});

test("[NOTICEADM-02][NOTICEADM-04][NOTICEADM-05][NOTICEADM-06][NOTICEADM-07][NOTICEADM-08] a notice needs icon, title and message, and may be for some", async ({
  page,
  request,
  signIn,
}) => {
  const title = ownName("notice");
  await signIn("admin");
  await openAdmin(page, "/notice-settings", "Information Notices");
  await page.getByRole("button", { name: "New", exact: true }).first().click();
  const dialog = page.getByRole("dialog", { name: "New notice" });
  const save = dialog.getByRole("button", { name: "Save", exact: true });
  const field = (name: string) => dialog.getByRole("textbox", { name, exact: true });
  await field("Title").fill(title);
  await field("Message").fill("Only for **admins**.");
  await expect(save).toBeEnabled();
  for (const [name, text] of [
    ["Icon", "bullhorn"],
    ["Title", title],
    ["Message", "Only for **admins**."],
  ] as const) {
    await field(name).fill("  ");
    await expect(save).toBeDisabled();
    await expect(dialog.getByText(`The ${name.toLowerCase()} is blank.`)).toBeVisible();
    await field(name).fill(text);
  }
  await dialog.getByRole("combobox", { name: "Roles" }).click();
  await page.getByRole("option", { name: "admin", exact: true }).click();
  await page.keyboard.press("Escape");
  expect(await axeViolations(page)).toEqual([]);
  const mend = await breakAnswer(page, "/api/admin/notices", "The disk is full.");
  await save.click();
  await expect(dialog.getByRole("alert")).toHaveText("Notice Save FailedThe disk is full.");
  await mend();
  await save.click();
  await expect(dialog).toHaveCount(0);
  await expect(await rowOf(page, title)).toContainText("admin");
  await page.getByRole("button", { name: `Actions: ${title}`, exact: true }).click();
  await expect(page.getByRole("menuitem")).toHaveText(["Edit", "Copy", "Export", "Revisions", "Delete"]);
  const notice = (await entitiesOf(request, "notices")).find((one) => one["title"] === title);
  await deleteEntity(request, "notices", String(notice?.["id"]));
});

test("all API keys are listed with their owners beside the users, and any can be revoked", async ({ page, request, signIn }) => {
  const name = ownName("key");
  const login = await request.post("/api/auth/login", { data: { username: "viewer", password: "fairway-demo" } });
  const { token } = (await login.json()) as { token: { access_token: string } };
  const made = await request.post("/api/apiKeys", {
    headers: { authorization: `Bearer ${token.access_token}` },
    data: { name, datasets: [{ datasetCategory: "Aviation", datasetId: "airports" }] },
  });
  expect(made.status()).toBe(201);
  const { key } = (await made.json()) as { key: string };
  await signIn("admin");
  await openAdmin(page, "/user-settings", "Users");
  await page.getByRole("link", { name: "API Keys", exact: true }).click();
  const row = page.getByRole("row").filter({ hasText: name });
  await expect(row).toContainText("viewer");
  await expect(row).toContainText("airports");
  expect(await page.content()).not.toContain(key);
  expect(await axeViolations(page)).toEqual([]);
  await row.getByRole("button", { name: `Revoke ${name} of viewer` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke", exact: true }).click();
  await expect(row).toHaveCount(0);
  const refused = await request.get("/api/datasets", { headers: { "x-api-key": key } });
  expect(refused.status()).toBe(401);
});
