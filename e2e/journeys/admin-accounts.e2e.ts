import { axeViolations } from "../support/accessibility.ts";
import { chooseInRow, deleteEntity, listEntities, openAdmin, uniqueName, rowOf } from "../support/administration.ts";
import { expect, test } from "../support/fixtures.ts";
import { logIn } from "../support/sign-in.ts";

test("[USERS-11][USERS-17][USERS-18][USERS-19][USERS-20][ROLES-02] an administrator creates a group with a new role and a user who must change the password, and locks and unlocks the user", async ({
  page,
  browser,
  request,
  signIn,
}) => {
  const [username, group, role] = [uniqueName("user"), uniqueName("group"), uniqueName("role")];
  const dialog = page.getByRole("dialog");
  const save = dialog.getByRole("button", { name: "Save", exact: true });
  const newButton = page.getByRole("button", { name: "New", exact: true });
  await signIn("admin");

  await test.step("creates a group with a new role", async () => {
    await openAdmin(page, "/group-settings", "Groups");
    await newButton.click();
    await dialog.getByRole("textbox", { name: "Name" }).fill(group);
    await dialog.getByRole("combobox", { name: "Roles" }).fill(role);
    await page.getByRole("option", { name: `Create role “${role}”` }).click();
    await expect(dialog.getByText(role, { exact: true })).toBeVisible();
    await dialog.getByRole("textbox", { name: "Name" }).click();
    await save.click();
    await expect(dialog).toHaveCount(0);
    await expect(await rowOf(page, group)).toContainText(role);
    await openAdmin(page, "/role-settings", "Roles");
    await expect(await rowOf(page, role)).toBeVisible();
  });

  await openAdmin(page, "/user-settings", "Users");
  const second = await browser.newContext();
  const userPage = await second.newPage();
  const logInAsUser = async () => {
    await userPage.goto("/login");
    await logIn(userPage, username, "first-password");
  };
  await test.step("creates a user in that group who must change the password", async () => {
    await newButton.click();
    await dialog.getByRole("textbox", { name: "Username", exact: true }).fill(username);
    await dialog.getByLabel("Password", { exact: true }).fill("first-password");
    await dialog.getByRole("checkbox", { name: "Require a password change at the next login" }).check();
    await dialog.getByRole("combobox", { name: "Groups" }).fill(group);
    await page.getByRole("option", { name: group }).click();
    await page.keyboard.press("Escape");
    expect(await axeViolations(page)).toEqual([]);
    await save.click();
    await expect(dialog).toHaveCount(0);
    await expect(await rowOf(page, username)).toContainText(group);
    await logInAsUser();
    await expect(userPage.getByRole("heading", { level: 1 })).toContainText("password", { ignoreCase: true });
  });

  await test.step("locks and unlocks the user, whose name is unique", async () => {
    await chooseInRow(page, username, "Toggle Enabled");
    await expect((await rowOf(page, username)).getByText("disabled", { exact: true })).toBeVisible();
    await logInAsUser();
    await expect(userPage.getByText("Invalid username or password. Please try again.")).toBeVisible();
    await chooseInRow(page, username, "Unlock");
    await expect((await rowOf(page, username)).getByText("enabled", { exact: true })).toBeAttached();
    await logInAsUser();
    await expect(userPage.getByRole("heading", { level: 1 })).toContainText("password", { ignoreCase: true });
    await newButton.click();
    await dialog.getByRole("textbox", { name: "Username", exact: true }).fill(username.toUpperCase());
    await dialog.getByLabel("Password", { exact: true }).fill("abcd");
    await save.click();
    await expect(dialog.getByRole("alert")).toContainText("User Save Failed");
  });
  await second.close();
  for (const [type, field, value] of [
    ["users", "username", username],
    ["groups", "name", group],
  ] as const) {
    const entity = (await listEntities(request, type)).find((one) => one[field] === value);
    await deleteEntity(request, type, String(entity?.["id"]));
  }
});

test("an administrator sees all API keys with their owners and can revoke any of them", async ({ page, request, signIn }) => {
  const name = uniqueName("key");
  const login = await request.post("/api/auth/login", { data: { username: "viewer", password: "fairway-demo" } });
  const { token } = (await login.json()) as { token: { access_token: string } };
  const created = await request.post("/api/apiKeys", {
    headers: { authorization: `Bearer ${token.access_token}` },
    data: { name, datasets: [{ datasetCategory: "Aviation", datasetId: "airports" }] },
  });
  expect(created.status()).toBe(201);
  const { key } = (await created.json()) as { key: string };
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
