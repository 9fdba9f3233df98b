import { axeViolations } from "../support/accessibility.ts";
import { createEntity, deleteEntity, jsonText, openAdmin, ownName, rowOf, writeJson } from "../support/administration.ts";
import { expect, test } from "../support/fixtures.ts";

const type = "ecosystems";

test("an entity that names unknown roles says so in the list, in its editor, after a save and in an import's preview", async ({
  page,
  request,
  signIn,
}) => {
  const [name, role] = [ownName("shut"), ownName("ghost")];
  const ecosystem = { name, enabled: true, roles: [{ roleName: role }] };
  await createEntity(request, type, ecosystem);
  await signIn("admin");
  await openAdmin(page, "/ecosysystem-settings", "Ecosystems");
  const row = await rowOf(page, name);
  const mark = row.getByRole("button", { name: `1 warning: ${name}`, exact: true });
  await expect(mark).toBeVisible();
  await page.getByRole("button", { name: /with warnings$/ }).click();
  await expect(row).toBeVisible();
  await page.getByRole("button", { name: "Show all again" }).click();
  expect(await axeViolations(page)).toEqual([]);

  await page.setViewportSize({ width: 390, height: 844 });
  await expect(mark).toBeVisible();
  await mark.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  const note = dialog.getByRole("note", { name: "Does not work yet" });
  await expect(note).toContainText(`There is no role '${role}'.`);
  await expect(note).toBeInViewport({ ratio: 1 });
  await expect(jsonText(dialog)).not.toContainText("warnings");
  expect(await axeViolations(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText(`${name} does not work yet`)).toBeVisible();

  await page.getByRole("button", { name: "Import", exact: true }).click();
  const file = { name: "ecosystems.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify([ecosystem])) };
  await dialog.getByLabel("File to import").setInputFiles(file);
  await expect(dialog.getByRole("region", { name: "Preview" })).toContainText("Does not work yet: 1");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toHaveCount(0);

  await mark.click();
  await expect(note).toBeVisible();
  await writeJson(page, dialog, { ...ecosystem, roles: [] });
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(mark).toHaveCount(0);
  await deleteEntity(request, type, name);
});
