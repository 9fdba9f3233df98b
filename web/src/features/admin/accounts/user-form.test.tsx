import { userAdministration } from "@fairway/contract/accounts";
import { entityDefinitions } from "@fairway/contract/administration";
import { beforeEach, describe, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectTexts } from "#testing/assertions.ts";
import { openOnce } from "#testing/open-once.tsx";
import { chooseInRow, dialog, dialogButton, openAdmin, openRowMenu, rowOf, saveButton, serveEntities } from "#testing/entities.ts";
import { press } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";
import { setField } from "#testing/quick-fields.ts";

const field = (name: string) => dialog().getByRole("textbox", { name, exact: true });
const password = () => dialog().getByLabelText("Password", { exact: true });
const open = (): Promise<void> => openAdmin("/user-settings", "Users");
const grace = { id: "u-1", username: "grace", email: "grace@fairway.example", groups: [{ name: "staff" }] };
const newUser = page.getByRole("button", { name: "New", exact: true });

beforeEach(() => {
  serveEntities("groups", [{ id: "g-1", name: "staff" }]);
  serveEntities("roles");
});

const valid = { username: "grace", email: "a@b.example", password: "abcd" };

async function openNew(): Promise<void> {
  serveEntities("users");
  await open();
  await newUser.click();
  await expect.element(dialog().getByRole("heading", { name: "New user" })).toBeVisible();
  await setField(field("Username"), valid.username);
  await setField(field("Email"), valid.email);
  await setField(password(), valid.password);
}

describe("a new user", () => {
  openOnce(openNew);
  const inputs = { username: () => field("Username"), email: () => field("Email"), password };
  for (const [requirement, name, tooShort, problem] of [
    ["[USERS-04]", "username", "a", "A username needs at least 2 characters."],
    ["[USERS-06]", "email", "ab", "An email needs at least 3 characters."],
    ["[USERS-09]", "password", "abc", "A password needs at least 4 characters."],
  ] as const) {
    it(`${requirement} cannot be saved with a ${name} that is too short`, async () => {
      const input = inputs[name]();
      await setField(input, tooShort);
      await field("First name").click();
      await expect.element(dialog().getByText(problem).first()).toBeVisible();
      await expect.element(saveButton()).toBeDisabled();
      await setField(input, valid[name]);
      await expect.element(saveButton()).toBeEnabled();
    });
  }

  it("[USERS-13] is advised to have groups instead of roles", async () => {
    await expect.element(dialog().getByText("Prefer groups")).toBeVisible();
  });

  it("[USERS-10][USERS-12] gets groups and a password that has to be changed", async () => {
    await dialog().getByRole("checkbox", { name: "Require a password change at the next login" }).click();
    await dialog().getByRole("combobox", { name: "Groups" }).click();
    await page.getByRole("option", { name: "staff" }).click();
    await press("Escape");
    await expectAccessible({ within: ["[role=dialog]"] });
    await saveButton().click();
    await expect.element(dialog()).not.toBeInTheDocument();
    expect(gateway.received(entityDefinitions.users.routes.create).map(({ body }) => body)).toEqual([
      {
        username: "grace",
        email: "a@b.example",
        firstName: "",
        lastName: "",
        groups: [{ name: "staff" }],
        roles: [],
        password: { setPassword: true, value: "abcd", requirePasswordChange: true },
      },
    ]);
    await expect.element(rowOf("grace")).toHaveTextContent("staff");
  });
});

it("[USERS-20] a failed save shows why, and can be tried again", async () => {
  await openNew();
  const { create } = entityDefinitions.users.routes;
  gateway.refuse(create, "name-taken", "There is a user of this name.", { path: "username", times: 1 });
  await saveButton().click();
  await expect.element(dialog().getByRole("alert")).toHaveTextContent("User Save Failed");
  await saveButton().click();
  await expect.element(dialog()).not.toBeInTheDocument();
  const [first, second] = gateway.received(create).map(({ body }) => body);
  expect(second).toEqual(first);
});

it("[USERS-02][USERS-05] users are neither exported nor imported, the username is fixed, and groups that failed to load can be retried", async () => {
  serveEntities("users", [grace]);
  const { routes } = serveEntities("groups", [{ id: "g-1", name: "staff" }]);
  gateway.refuse(routes.list, "internal", "The groups rest.", { times: 1 });
  await open();
  for (const name of ["Import", "Export All"]) await expect.element(page.getByRole("button", { name })).not.toBeInTheDocument();
  await openRowMenu("grace");
  await expectTexts(page.getByRole("menuitem"), ["Edit", "Copy", "Toggle Enabled", "Security Activity", "Revisions", "Delete"]);
  gateway.answer(userAdministration.securityEvents, [{ id: "1", atMs: 0, kind: "password-changed", subject: null, by: "root" }]);
  await page.getByRole("menuitem", { name: "Security Activity" }).click();
  await expect.element(dialog().getByRole("listitem")).toHaveTextContent(/^Password changed.* · administrator root$/);
  await press("Escape");
  await expect.element(dialog()).not.toBeInTheDocument();
  await chooseInRow("grace", "Edit");
  await expect.element(field("Username")).toBeDisabled();
  await expect.element(dialog().getByRole("alert")).toHaveTextContent("Error Loading GroupsThe groups rest.");
  await dialogButton("Retry").click();
  await expect.element(dialog().getByText("staff", { exact: true })).toBeVisible();
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
