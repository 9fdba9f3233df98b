import { axeViolations } from "../support/accessibility.ts";
import {
  chooseInRow,
  deleteEntity,
  downloaded,
  listEntities,
  jsonEditor,
  openAdmin,
  uniqueName,
  rowOf,
  writeJson,
} from "../support/administration.ts";
import { expect, test } from "../support/fixtures.ts";

const type = "flowEnvironments";
const environment = (name: string) => ({ name, displayName: `Desk ${name}`, baseUrl: "https://nifi.example.org", enabled: true });

test("[ADMIN-09][ADMIN-12][ADMIN-25][ADMIN-31][ADMIN-33][ADMIN-41] an administrator creates, edits, exports, imports, disables and deletes entities", async ({
  page,
  request,
  signIn,
}) => {
  const [name, other] = [uniqueName("env"), uniqueName("copy")];
  const dialog = page.getByRole("dialog");
  const findEntity = async (wanted: string) => (await listEntities(request, type)).find((entity) => entity["name"] === wanted);
  await signIn("admin");
  await openAdmin(page, "/flowenvironment-settings", "Flow Environments");

  await test.step("creates an entity as JSON", async () => {
    await page.getByRole("button", { name: "New", exact: true }).click();
    await writeJson(page, dialog, environment(name));
    expect(await axeViolations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await expect(dialog).toHaveCount(0);
    await expect(await rowOf(page, name)).toBeVisible();
    expect(await axeViolations(page)).toEqual([]);
    expect(await findEntity(name)).toMatchObject({ ...environment(name), version: 1 });
  });

  await test.step("edits it in the tree", async () => {
    await chooseInRow(page, name, "Edit");
    await dialog.getByText("Tree", { exact: true }).click();
    const display = dialog.getByRole("textbox", { name: "Value of displayName" });
    await display.fill("Night desk");
    await display.press("Enter");
    expect(await axeViolations(page)).toEqual([]);
    await dialog.getByText("Text", { exact: true }).click();
    await expect(jsonEditor(dialog)).toContainText('"displayName": "Night desk"');
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await expect((await rowOf(page, name)).getByRole("gridcell", { name: "Night desk" })).toBeVisible();
    expect(await findEntity(name)).toMatchObject({ displayName: "Night desk", version: 2 });
  });

  await test.step("exports it, and imports it together with a second one", async () => {
    const { name: fileName, json } = await downloaded(page, () => chooseInRow(page, name, "Export"));
    expect(fileName).toMatch(/^flowEnvironments-\d{5,8}\.json$/);
    expect(json).toMatchObject([{ name, displayName: "Night desk" }]);
    const entities = [{ ...environment(name), displayName: "Day desk" }, environment(other)];
    await page.getByRole("button", { name: "Import", exact: true }).click();
    const buffer = Buffer.from(JSON.stringify({ entities }));
    await dialog.getByLabel("File to import").setInputFiles({ name: "desks.json", mimeType: "application/json", buffer });
    const preview = dialog.getByRole("region", { name: "Preview" });
    await expect(preview).toContainText("Added: 1");
    await expect(preview).toContainText("Changed: 1");
    await dialog.getByText("Show the file").click();
    expect(await axeViolations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Import and Merge" }).click();
    await expect((await rowOf(page, name)).getByRole("gridcell", { name: "Day desk" })).toBeVisible();
    await expect(await rowOf(page, other)).toBeVisible();
  });

  await test.step("disables one and deletes the other, which persists after a reload", async () => {
    await chooseInRow(page, name, "Toggle Enabled");
    await expect((await rowOf(page, name)).getByText("disabled", { exact: true })).toBeVisible();
    await chooseInRow(page, other, "Delete");
    await dialog.getByRole("button", { name: "Delete" }).click();
    await expect(dialog).toHaveCount(0);
    await page.reload();
    await expect((await rowOf(page, name)).getByText("disabled", { exact: true })).toBeVisible();
    await rowOf(page, other);
    await expect(page.getByText(`No flow environment matches “${other}”.`)).toBeVisible();
    expect(await findEntity(other)).toBeUndefined();
  });
  await deleteEntity(request, type, name);
});
