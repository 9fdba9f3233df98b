import { describe, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectTexts } from "#testing/assertions.ts";
import { openOnce } from "#testing/open-once.tsx";
import { dialog, dialogButton, openAdmin, openRowMenu, rowOf, saveButton, serveEntities } from "#testing/entities.ts";
import { gateway } from "#testing/open-screen.tsx";

describe("a new group", () => {
  openOnce(async () => {
    serveEntities("groups");
    const roles = serveEntities("roles");
    await openAdmin("/group-settings", "Groups");
    gateway.refuse(roles.routes.list, "internal", "The roles rest.", { times: 1 });
    await page.getByRole("button", { name: "New", exact: true }).click();
  });

  it("[USERS-19] shows that the roles failed to load, and loads them by Retry", async () => {
    await expect.element(dialog().getByRole("alert")).toHaveTextContent("Error Loading Roles");
    await dialogButton("Retry").click();
    await expect.element(dialog().getByRole("combobox", { name: "Roles" })).toBeVisible();
  });

  it("[GROUPS-04][GROUPS-05] can always be saved, and shows why the gateway refuses it", async () => {
    await expect.element(saveButton()).toBeEnabled();
    await saveButton().click();
    await expect.element(dialog().getByText("Group Save Failed")).toBeVisible();
  });
});

it("a group can be given existing and new roles", async () => {
  const groups = serveEntities("groups");
  const roles = serveEntities("roles");
  await openAdmin("/group-settings", "Groups");
  await page.getByRole("button", { name: "New", exact: true }).click();
  await dialog().getByRole("textbox", { name: "Name" }).fill("staff");
  await dialog().getByRole("combobox", { name: "Roles" }).fill("reader");
  await page.getByRole("option", { name: "Create role “reader”" }).click();
  await expect.element(dialog().getByText("reader", { exact: true })).toBeVisible();
  expect(gateway.received(roles.routes.create).map(({ body }) => body)).toEqual([{ name: "reader" }]);
  // A click outside closes the list of roles.
  await dialog().getByRole("textbox", { name: "Name" }).click();
  await saveButton().click();
  await expect.element(dialog()).not.toBeInTheDocument();
  expect(groups.stored).toEqual([expect.objectContaining({ name: "staff", realmRoles: ["reader"] })]);
  await expect.element(rowOf("staff")).toHaveTextContent("reader");
});

it("[GROUPS-02] groups are not disabled, exported or imported", async () => {
  serveEntities("roles");
  serveEntities("groups", [{ id: "g-1", name: "staff" }]);
  await openAdmin("/group-settings", "Groups");
  for (const name of ["Import", "Export All"]) await expect.element(page.getByRole("button", { name })).not.toBeInTheDocument();
  await openRowMenu("staff");
  await expectTexts(page.getByRole("menuitem"), ["Edit", "Copy", "Revisions", "Delete"]);
});

it("[ROLES-02] roles are read-only", async () => {
  serveEntities("roles", [{ name: "reader" }]);
  await openAdmin("/role-settings", "Roles");
  await expect.element(rowOf("reader")).toBeVisible();
  for (const name of ["New", "Import", "Export All"]) {
    await expect.element(page.getByRole("button", { name, exact: true })).not.toBeInTheDocument();
  }
  await expect.element(page.getByRole("button", { name: /^Actions/ })).not.toBeInTheDocument();
});
