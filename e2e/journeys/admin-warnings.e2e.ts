import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { axeViolations } from "../support/accessibility.ts";
import { createAccount } from "../support/accounts.ts";
import { createEntity, deleteEntity, entitiesOf, jsonText, openAdmin, ownName, rowOf, writeJson } from "../support/administration.ts";
import { expect, test } from "../support/fixtures.ts";
import { homeFolder } from "../support/platform.ts";
import { adminHeaders } from "../support/own-account.ts";
import { isNear, pixelsAt } from "../support/pixels.ts";

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

test("a file with unreadable values says which ones before it is saved and on the dataset, and can be searched", async ({
  page,
  request,
  signIn,
}) => {
  const id = ownName("readings");
  const folder = join(homeFolder, "datasets", id);
  await mkdir(folder);
  await writeFile(join(folder, `${id}.csv`), "id,value\n1,10\n2,n/a\n3,30,4\n4,40\n");
  const badValue = "1 value of column 'value' is not a number (line 3: 'n/a'); it is read as empty.";
  const badLine = "1 of 4 lines could not be read (line 4: 3 values where 2 are expected).";
  await signIn("admin");
  await openAdmin(page, "/internal-dataset-settings", "Internal Datasets");
  await page.getByRole("button", { name: "New from data" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: id, exact: true }).click();
  await dialog.getByRole("button", { name: `${id}.csv`, exact: true }).click();
  await expect(dialog.getByRole("list", { name: "What cannot be read" }).getByRole("listitem")).toHaveText([badLine, badValue]);
  await expect(dialog.getByRole("region", { name: "Sample" }).getByRole("row")).toHaveCount(4);
  expect(await axeViolations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect(dialog).toHaveCount(0);

  await (await rowOf(page, id)).getByRole("button", { name: `2 warnings: ${id}`, exact: true }).click();
  await expect(dialog).toContainText(badValue);
  await expect(dialog).toContainText(badLine);
  const dataset = (await entitiesOf(request, "datasets/internal")).find((one) => one["id"] === id);
  const found = await request.post(`/api/datasets/${encodeURIComponent(String(dataset?.["category"]))}/${id}/search`, {
    headers: await adminHeaders(request),
    data: { paging: { offset: 0, max: 10 } },
  });
  expect(await found.json()).toMatchObject({ results: [{ value: 10 }, { value: null }, { value: 40 }] });
  await deleteEntity(request, "datasets/internal", id);
  await rm(folder, { recursive: true });
});

test("a list of warnings that goes on below its edge shows so on a phone, until its end", async ({ page, request, signIn }) => {
  const name = ownName("shut");
  const roles = Array.from({ length: 12 }, (_, index) => ({ roleName: `${ownName("ghost")}-${index}` }));
  await createEntity(request, type, { name, enabled: true, roles });
  await signIn("admin");
  await page.setViewportSize({ width: 390, height: 844 });
  await openAdmin(page, "/ecosysystem-settings", "Ecosystems");
  await (await rowOf(page, name)).getByRole("button", { name: `12 warnings: ${name}`, exact: true }).click();
  const note = page.getByRole("dialog").getByRole("note", { name: "Does not work yet" });
  await expect(note).toBeInViewport({ ratio: 1 });
  const { x, y, width, height } = (await note.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  // Beside the text: just within the lower edge, and in the middle.
  const colors = () =>
    pixelsAt(page, [
      [x + width - 4, y + height - 4],
      [x + width - 4, y + height / 2],
    ]);
  const [edge, middle] = await colors();
  expect(middle && isNear(edge, middle)).toBe(false);
  await note.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await expect
    .poll(async () => {
      const [end, within] = await colors();
      return within && isNear(end, within);
    })
    .toBe(true);
  await deleteEntity(request, type, name);
});

test("usernames that look alike say so in the list and in the form, as accounts that work", async ({ page, signIn }) => {
  const name = ownName("anna");
  const other = name.replace("a", "\u0430");
  await createAccount({ username: name });
  await createAccount({ username: other });
  await signIn("admin");
  await openAdmin(page, "/user-settings", "Users");
  await page.getByRole("textbox", { name: "Filter", exact: true }).fill(other);
  await page.getByRole("button", { name: `1 warning: ${other}`, exact: true }).click();
  const dialog = page.getByRole("dialog");
  const note = dialog.getByRole("note", { name: "Easily mistaken" });
  await expect(note).toContainText(`This username looks like '${name}'. It works, but people may take one for the other.`);
  expect(await axeViolations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText(`${other} saved`)).toBeVisible();
  await expect(page.getByText("does not work yet")).toHaveCount(0);
});
