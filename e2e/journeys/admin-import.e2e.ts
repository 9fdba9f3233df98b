import type { Page } from "@playwright/test";
import { axeViolations } from "../support/accessibility.ts";
import { deleteEntity, downloaded, createEntity, entitiesOf, openAdmin, ownName, rowOf } from "../support/administration.ts";
import { breakAnswer } from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectToastFor } from "../support/own-account.ts";
import { stopClock } from "../support/page-clock.ts";

const type = "flowGroups";
const group = (name: string, description = "") => ({ name, displayName: `Group ${name}`, description });

const importDialog = (page: Page) => page.getByRole("dialog", { name: "Import flow groups", exact: true });

// One after the other, and no other journey keeps flow groups: a replacing import takes away what others made.
test.describe.configure({ mode: "default" });

async function choose(page: Page, content: unknown, name = "groups.json"): Promise<void> {
  const buffer = Buffer.from(typeof content === "string" ? content : JSON.stringify(content));
  await importDialog(page).getByLabel("File to import").setInputFiles({ name, mimeType: "application/json", buffer });
}

async function openImport(page: Page): Promise<void> {
  await openAdmin(page, "/flowgroup-settings", "Flow Groups");
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await expect(importDialog(page)).toBeVisible();
}

test("[ADMIN-36][ADMIN-37][ADMIN-41][ADMIN-42][ADMIN-45][ENTITY-12] a file is previewed, then merged without a question", async ({
  page,
  request,
  signIn,
}) => {
  const [kept, fresh] = [ownName("kept"), ownName("fresh")];
  await createEntity(request, type, group(kept));
  await page.clock.install();
  await signIn("admin");
  await openImport(page);
  const dialog = importDialog(page);
  await expect(dialog.getByRole("button", { name: /Drop a JSON file here/ })).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Import and Replace" })).toBeDisabled();
  const entities = [group(kept, "Now described"), group(fresh)];
  await choose(page, { entities });
  const preview = dialog.getByRole("region", { name: "Preview" });
  await expect(preview).toContainText("Added: 1");
  await expect(preview).toContainText("Changed: 1");
  await expect(preview).not.toContainText("Removed");
  await dialog.getByText("Show the file").click();
  await expect(dialog.getByRole("region", { name: "File", exact: true })).toContainText("Now described");
  expect(await axeViolations(page)).toEqual([]);
  await stopClock(page);
  const sent = page.waitForRequest((call) => call.method() === "PUT" && call.url().endsWith(`/api/admin/${type}/import`));
  await dialog.getByRole("button", { name: "Import and Merge" }).click();
  expect((await sent).postDataJSON()).toEqual({ entities, isReplace: false });
  await expectToastFor(page, "2 entities imported", 2000);
  await page.clock.resume();
  await expect((await rowOf(page, fresh)).getByRole("gridcell")).toHaveText(["", fresh, `Group ${fresh}`, "", "enabled", ""]);
  await expect((await rowOf(page, kept)).getByRole("gridcell", { name: "Now described" })).toBeVisible();
  await Promise.all([kept, fresh].map((name) => deleteEntity(request, type, name)));
});

test("[ADMIN-40][ADMIN-43] a replacing import shows what would go, offers a backup and asks; declining stores nothing", async ({
  page,
  request,
  signIn,
}) => {
  const [kept, fresh] = [ownName("kept"), ownName("fresh")];
  await createEntity(request, type, group(kept));
  await signIn("admin");
  await openImport(page);
  const dialog = importDialog(page);
  await choose(page, [group(fresh)]);
  await dialog.getByText("By replacing").click();
  await expect(dialog.getByRole("region", { name: "Preview" })).toContainText("Removed");
  const backup = await downloaded(page, () => dialog.getByRole("button", { name: "Save a backup first" }).click());
  expect((backup.json as { name: string }[]).map(({ name }) => name)).toContain(kept);

  const question = page.getByRole("dialog", { name: "Import and Replace?" });
  await dialog.getByRole("button", { name: "Import and Replace" }).click();
  await expect(question).toContainText("This will replace all existing entities with the new data. This action cannot be undone.");
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeVisible();
  expect((await entitiesOf(request, type)).map(({ name }) => name)).toContain(kept);

  // What others keep meanwhile stays out of it: the answer is the gateway's, for all that is there plus what is new.
  const all = (await entitiesOf(request, type)).filter(({ name }) => name !== kept).map(({ version: _version, ...body }) => body);
  await choose(page, [...all, group(fresh)]);
  const sent = page.waitForRequest((call) => call.method() === "PUT" && call.url().endsWith(`/api/admin/${type}/import`));
  await dialog.getByRole("button", { name: "Import and Replace" }).click();
  await question.getByRole("button", { name: "Replace", exact: true }).click();
  expect((await sent).postDataJSON()).toMatchObject({ isReplace: true });
  await expect(dialog).toHaveCount(0);
  await expect(await rowOf(page, fresh)).toBeVisible();
  await expect(await rowOf(page, kept)).toHaveCount(0);
  await deleteEntity(request, type, fresh);
});

test("[ADMIN-38][ADMIN-39][ADMIN-46] a file that is too large, no JSON, or refused says why and changes nothing", async ({
  page,
  signIn,
}) => {
  await signIn("admin");
  await openImport(page);
  const dialog = importDialog(page);
  await choose(page, " ".repeat(2_000_001), "huge.json");
  await expect(dialog.getByRole("alert")).toHaveText('Large FileThe file "huge.json" is too large, files must be under 2MB.');
  await choose(page, "{ not json");
  await expect(dialog.getByRole("alert")).toContainText("Import Failed");
  await expect(dialog.getByRole("alert")).toContainText('Ensure the file "groups.json" is valid');
  await expect(dialog.getByRole("button", { name: "Import and Merge" })).toBeDisabled();

  await choose(page, [{ name: ownName("bad"), displayName: 5 }, 7]);
  await expect(dialog.getByRole("region", { name: "Preview" })).toContainText("Refused: 2");
  await dialog.getByRole("button", { name: "Import and Merge" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Import Failed");
  await expect(dialog.getByRole("alert")).toContainText("displayName");

  await choose(page, [group(ownName("fine"))]);
  await breakAnswer(page, `/api/admin/${type}/import`, "The disk is full.");
  await dialog.getByRole("button", { name: "Import and Merge" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("Import FailedThe disk is full.");
});
