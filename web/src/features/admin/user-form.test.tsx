import { userAdministration } from "@fairway/contract/accounts";
import { settings } from "@fairway/contract/settings";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectTexts } from "#testing/assertions.ts";
import { chooseInRow, dialog, dialogButton, openAdmin, openRowMenu, rowOf, saveButton, serveEntities } from "#testing/entities.ts";
import { press } from "#testing/keyboard.ts";
import { gateway, uiConfig } from "#testing/open-screen.tsx";

const field = (name: string) => dialog().getByRole("textbox", { name, exact: true });
const password = () => dialog().getByLabelText("Password", { exact: true });
const open = (): Promise<void> => openAdmin("/user-settings", "Users");
const grace = { id: "u-1", username: "grace", email: "grace@fairway.example", groups: [{ name: "staff" }] };
const newUser = page.getByRole("button", { name: "New", exact: true });

beforeEach(() => {
  serveEntities("groups", [{ id: "g-1", name: "staff" }]);
  serveEntities("roles");
});

it("[USERS-02][USERS-04][USERS-05][USERS-06][USERS-09][USERS-10][USERS-12][USERS-13][USERS-20] the form of a user validates its fields, sends groups and password, and shows why a save is refused", async () => {
  const { routes } = serveEntities("users");
  await open();
  await expect.element(page.getByRole("button", { name: "Import" })).not.toBeInTheDocument();
  await expect.element(page.getByRole("button", { name: "Export All" })).not.toBeInTheDocument();
  await newUser.click();
  await expect.element(dialog().getByRole("heading", { name: "New user" })).toBeVisible();
  await expect.element(dialog().getByText("Prefer groups")).toBeVisible();
  await field("Username").fill("a");
  await password().fill("abc");
  await field("Email").fill("ab");
  await expect.element(saveButton()).toBeDisabled();
  await expect.element(dialog().getByText("A username needs at least 2 characters.").first()).toBeVisible();
  await field("Username").fill("grace");
  await field("First name").click();
  await expect.element(dialog().getByText("An email needs at least 3 characters.").first()).toBeVisible();
  await field("Email").fill("a@b.example");
  await expect.element(saveButton()).toBeDisabled();
  await expect.element(dialog().getByText("A password needs at least 4 characters.").first()).toBeVisible();
  await password().fill("abcd");
  await dialog().getByRole("checkbox", { name: "Require a password change at the next login" }).click();
  await dialog().getByRole("combobox", { name: "Groups" }).click();
  await page.getByRole("option", { name: "staff" }).click();
  await press("Escape");
  await expectAccessible({ within: ["[role=dialog]"] });
  gateway.refuse(routes.create, "name-taken", "There is a user of this name.", { path: "username", times: 1 });
  await saveButton().click();
  await expect.element(dialog().getByRole("alert")).toHaveTextContent("User Save Failed");
  await saveButton().click();
  await expect.element(dialog()).not.toBeInTheDocument();
  const sent = {
    username: "grace",
    email: "a@b.example",
    firstName: "",
    lastName: "",
    groups: [{ name: "staff" }],
    roles: [],
    password: { setPassword: true, value: "abcd", requirePasswordChange: true },
  };
  expect(gateway.received(routes.create).map(({ body }) => body)).toEqual([sent, sent]);
  await expect.element(rowOf("grace")).toHaveTextContent("staff");
});

it("[USERS-02][USERS-12] a user's row has its menu, the username is fixed, and groups that failed to load can be retried", async () => {
  serveEntities("users", [grace]);
  const { routes } = serveEntities("groups", [{ id: "g-1", name: "staff" }]);
  gateway.refuse(routes.list, "internal", "The groups rest.", { times: 1 });
  await open();
  await openRowMenu("grace");
  await expectTexts(page.getByRole("menuitem"), ["Edit", "Copy", "Toggle Enabled", "Security Activity", "Revisions", "Delete"]);
  gateway.answer(userAdministration.securityEvents, [{ id: "1", atMs: 0, kind: "password-changed", subject: null, by: "root" }]);
  await page.getByRole("menuitem", { name: "Security Activity" }).click();
  await expect.element(dialog().getByRole("listitem")).toHaveTextContent(/^Password changed.* · administrator root$/);
  await expectAccessible({ within: ["[role=dialog]"] });
  await press("Escape");
  await expect.element(dialog()).not.toBeInTheDocument();
  await chooseInRow("grace", "Edit");
  await expect.element(field("Username")).toBeDisabled();
  await expect.element(dialog().getByRole("alert")).toHaveTextContent("Error Loading GroupsThe groups rest.");
  await dialogButton("Retry").click();
  await expect.element(dialog().getByText("staff", { exact: true })).toBeVisible();
});

it("with a provider, the list marks what it gives, and a user can be linked by the subject and unlinked", async () => {
  gateway.answer(settings.ui, { ...uiConfig, oidc: { displayName: "Harbour ID" } });
  const named = (name: string) => [{ id: name, name }];
  const provider = { madeAccount: false, groups: named("crew"), roles: named("editor") };
  const { routes } = serveEntities("users");
  const unlinked = { ...grace, version: 1 };
  gateway.answer(routes.list, [unlinked]);
  gateway.answer(userAdministration.providerLink, null);
  await open();
  await chooseInRow("grace", "Provider Link");
  await expect.element(field("Subject")).toBeVisible();
  await expectAccessible({ within: ["[role=dialog]"] });
  await field("Subject").fill(" sub-1 ");
  gateway.refuse(userAdministration.linkProvider, "conflict", "This person at Harbour ID is linked to the user 'ada'.", { times: 1 });
  const question = page.getByRole("dialog", { name: "Link grace?" });
  const link = async () => {
    await dialogButton("Link").click();
    await question.getByRole("button", { name: "Link", exact: true }).click();
  };
  await link();
  await expect.element(dialog().getByRole("alert")).toHaveTextContent("Not LinkedThis person at Harbour ID is linked to the user 'ada'.");
  const stored = { issuer: "https://login.example.org", subject: "sub-1", linkedTimestamp: "2026-05-01T00:00:00.000Z", madeAccount: false };
  gateway.answer(userAdministration.linkProvider, stored);
  gateway.answer(routes.list, [{ ...unlinked, provider }]);
  await link();
  await expect.element(dialog().getByText("sub-1", { exact: true })).toBeVisible();
  await expect.element(dialog().getByText("https://login.example.org")).toBeVisible();
  expect(gateway.received(userAdministration.linkProvider).map(({ body }) => body)).toEqual([{ subject: "sub-1" }, { subject: "sub-1" }]);
  await expect.element(rowOf("grace")).toHaveTextContent("staff, crew (provider)");
  await expect.element(rowOf("grace")).toHaveTextContent("editor (provider)");
  await expect.element(rowOf("grace")).toHaveTextContent("linked");

  gateway.answer(userAdministration.unlinkProvider, undefined);
  gateway.answer(routes.list, [unlinked]);
  await dialogButton("Unlink").click();
  await page.getByRole("dialog", { name: "Unlink grace?" }).getByRole("button", { name: "Unlink", exact: true }).click();
  await expect.element(field("Subject")).toBeVisible();
  await expect.element(rowOf("grace")).not.toHaveTextContent("provider");
});

it("[USERS-17][USERS-18] a locked user can be unlocked, and a failed unlock shows why", async () => {
  const locked = { id: "u-1", username: "grace", version: 1, lockStatus: { disabled: true } };
  const { routes } = serveEntities("users");
  gateway.answer(routes.list, [locked]);
  await open();
  gateway.refuse(userAdministration.unlock, "internal", "The database rests.", { times: 1 });
  await chooseInRow("grace", "Unlock");
  await expect.element(page.getByRole("alert").filter({ hasText: "Unlock Failed" })).toHaveTextContent("The database rests.");
  gateway.answer(userAdministration.unlock, { disabled: false });
  gateway.answer(routes.list, [{ ...locked, lockStatus: { disabled: false } }]);
  await chooseInRow("grace", "Unlock");
  await expect.element(rowOf("grace").getByText("enabled", { exact: true })).toBeInTheDocument();
  expect(gateway.received(userAdministration.unlock).map(({ params }) => params)).toEqual([{ id: "u-1" }, { id: "u-1" }]);
});

it("similar usernames show a warning in the list and in the form, but the accounts work", async () => {
  const warning = { code: "similar-name", message: "This username looks like 'anna'. It works, but people may confuse the two." };
  serveEntities("users", [{ id: "u-1", username: "\u0430nna" }]).stored.forEach((user) => Object.assign(user, { warnings: [warning] }));
  await open();
  await page.getByRole("button", { name: "1 warning: \u0430nna", exact: true }).click();
  await expect.element(dialog().getByRole("note", { name: "May not be what you meant" })).toHaveTextContent(warning.message);
  await saveButton().click();
  await expect.element(page.getByText("\u0430nna saved")).toBeVisible();
  await expect.element(page.getByText("does not work yet")).not.toBeInTheDocument();
});
