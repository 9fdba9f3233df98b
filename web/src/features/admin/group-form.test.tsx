import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectTexts } from "#testing/assertions.ts";
import { dialog, dialogButton, openAdmin, openRowMenu, rowOf, saveButton, serveEntities } from "#testing/entities.ts";
import { gateway } from "#testing/open-screen.tsx";

it("[USERS-19][GROUPS-02][GROUPS-04][GROUPS-05] a group can be given existing and new roles", async () => {
  const groups = serveEntities("groups");
  const roles = serveEntities("roles");
  await openAdmin("/group-settings", "Groups");
  for (const name of ["Import", "Export All"]) await expect.element(page.getByRole("button", { name })).not.toBeInTheDocument();

  gateway.refuse(roles.routes.list, "internal", "The roles rest.", { times: 1 });
  await page.getByRole("button", { name: "New", exact: true }).click();
  await expect.element(dialog().getByRole("alert")).toHaveTextContent("Error Loading Roles");
  await dialogButton("Retry").click();
  await expect.element(saveButton()).toBeEnabled();
  await saveButton().click();
  await expect.element(dialog().getByRole("alert")).toHaveTextContent("Group Save Failed");
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
