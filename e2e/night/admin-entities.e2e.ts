import {
  chooseInRow,
  createEntity,
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
import { adminHeaders } from "../support/own-account.ts";

const type = "flowEnvironments";
const environment = (name: string) => ({ name, displayName: `Desk ${name}`, baseUrl: "https://nifi.example.org", enabled: true });

test("an administrator creates, edits, restores, exports, imports, disables and deletes entities, and sees a version that another one saved meanwhile", async ({
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
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await expect(dialog).toHaveCount(0);
    await expect(await rowOf(page, name)).toBeVisible();
    expect(await findEntity(name)).toMatchObject({ ...environment(name), version: 1 });
  });

  await test.step("edits it in the tree", async () => {
    await chooseInRow(page, name, "Edit");
    await dialog.getByText("Tree", { exact: true }).click();
    const display = dialog.getByRole("textbox", { name: "Value of displayName" });
    await display.fill("Night desk");
    await display.press("Enter");
    await dialog.getByText("Text", { exact: true }).click();
    await expect(jsonEditor(dialog)).toContainText('"displayName": "Night desk"');
    const theirs = { ...environment(name), displayName: "Their desk", version: 1 };
    const saved = await request.put(`/api/admin/${type}`, { headers: await adminHeaders(request), data: theirs });
    expect(saved.status()).toBe(200);
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await expect(dialog.getByRole("alert")).toContainText("Changed by someone else");
    const both = dialog.getByRole("region", { name: "Both versions", exact: true });
    await expect(both.getByRole("deletion")).toContainText(["Their desk"]);
    await expect(both.getByRole("insertion")).toContainText(["Night desk"]);
    await dialog.getByRole("button", { name: "Keep mine and continue" }).click();
    await expect(jsonEditor(dialog)).toContainText('"displayName": "Night desk"');
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await expect((await rowOf(page, name)).getByRole("gridcell", { name: "Night desk" })).toBeVisible();
    expect(await findEntity(name)).toMatchObject({ displayName: "Night desk", version: 3 });
  });

  await test.step("restores the overwritten version from the revisions, and the newer one again", async () => {
    for (const [index, display] of [
      [1, "Their desk"],
      [1, "Night desk"],
    ] as const) {
      await chooseInRow(page, name, "Revisions");
      const revisions = page.getByRole("dialog", { name: `Revisions of ${name}` });
      await revisions.getByRole("listitem").nth(index).getByRole("button").click();
      await expect(revisions.getByRole("insertion").filter({ hasText: display })).toBeVisible();
      await revisions.getByRole("button", { name: "Restore this version" }).click();
      await page.getByRole("dialog", { name: "Restore this version?" }).getByRole("button", { name: "Restore", exact: true }).click();
      await expect((await rowOf(page, name)).getByRole("gridcell", { name: display })).toBeVisible();
    }
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
    await dialog.getByRole("button", { name: "Import and Merge" }).click();
    await expect((await rowOf(page, name)).getByRole("gridcell", { name: "Day desk" })).toBeVisible();
    await expect(await rowOf(page, other)).toBeVisible();
  });

  await test.step("disables one and deletes the other", async () => {
    await chooseInRow(page, name, "Toggle Enabled");
    await expect((await rowOf(page, name)).getByText("disabled", { exact: true })).toBeVisible();
    await chooseInRow(page, other, "Delete");
    await dialog.getByRole("button", { name: "Delete" }).click();
    await expect(dialog).toHaveCount(0);
    expect(await findEntity(name)).toMatchObject({ enabled: false });
    await rowOf(page, other);
    await expect(page.getByText(`No flow environment matches “${other}”.`)).toBeVisible();
    expect(await findEntity(other)).toBeUndefined();
  });
  await test.step("a disabled external dataset disappears from the datasets", async () => {
    const [external, api] = [uniqueName("live"), uniqueName("api")];
    const apis = [{ name: api, path: "/rows", method: 0, filters: [] }];
    await createEntity(request, "datasets/external", { name: external, baseRoute: "https://api.example.org", apis });
    const listed = async () => JSON.stringify(await (await request.get("/api/datasets", { headers: await adminHeaders(request) })).json());
    expect(await listed()).toContain(api);
    await page.getByRole("navigation", { name: "Power" }).getByRole("link", { name: "External Datasets", exact: true }).click();
    await chooseInRow(page, external, "Toggle Enabled");
    await expect((await rowOf(page, external)).getByText("disabled", { exact: true })).toBeVisible();
    expect(await listed()).not.toContain(api);
    await deleteEntity(request, "datasets/external", external);
  });
  await deleteEntity(request, type, name);
});
