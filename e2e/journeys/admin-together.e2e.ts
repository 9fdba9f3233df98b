import { axeViolations } from "../support/accessibility.ts";
import { chooseInRow, createEntity, deleteEntity, jsonText, openAdmin, ownName, rowOf, writeJson } from "../support/administration.ts";
import { expect, test } from "../support/fixtures.ts";

const type = "ecosystems";
const ecosystem = (name: string, roles: string[] = []) => ({ name, enabled: true, roles: roles.map((roleName) => ({ roleName })) });

test("two administrators at once: the second sees both versions and loses nothing", async ({ page, browser, request, signIn }) => {
  const name = ownName("shared");
  await createEntity(request, type, ecosystem(name));
  const second = await browser.newContext();
  const other = await second.newPage();
  await signIn("admin");
  await signIn("admin", other);
  for (const one of [page, other]) {
    await openAdmin(one, "/ecosysystem-settings", "Ecosystems");
    await chooseInRow(one, name, "Edit");
    await expect(jsonText(one.getByRole("dialog"))).toContainText(name);
  }
  await writeJson(other, other.getByRole("dialog"), ecosystem(name, ["theirs"]));
  await other.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click();
  await expect(other.getByRole("dialog")).toHaveCount(0);

  const dialog = page.getByRole("dialog");
  await writeJson(page, dialog, ecosystem(name, ["mine"]));
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect(dialog.getByRole("alert")).toContainText("Changed by somebody else");
  const both = dialog.getByRole("region", { name: "Both versions", exact: true });
  await expect(both.getByRole("deletion")).toContainText(["theirs"]);
  await expect(both.getByRole("insertion")).toContainText(["mine"]);
  expect(await axeViolations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Keep mine and go on" }).click();
  await expect(jsonText(dialog)).toContainText("mine");
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect((await rowOf(page, name)).getByRole("gridcell", { name: "mine" })).toBeVisible();

  // What was overwritten is among the revisions, and comes back.
  await chooseInRow(page, name, "Revisions");
  const revisions = page.getByRole("dialog", { name: `Revisions of ${name}` });
  await expect(revisions.getByRole("listitem")).toHaveCount(3);
  await revisions.getByRole("listitem").nth(1).getByRole("button").click();
  await expect(revisions.getByRole("insertion").filter({ hasText: "theirs" })).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
  await revisions.getByRole("button", { name: "Restore this state" }).click();
  await page.getByRole("dialog", { name: "Restore this state?" }).getByRole("button", { name: "Restore", exact: true }).click();
  await expect((await rowOf(page, name)).getByRole("gridcell", { name: "theirs" })).toBeVisible();
  await second.close();
  await deleteEntity(request, type, name);
});

test("two administrators who change different fields both save, and an edit begins with what stands there now", async ({
  page,
  browser,
  request,
  signIn,
}) => {
  const id = ownName("both");
  const doc = { id, name: "Guide", category: "Help", description: "", enabled: true };
  await createEntity(request, "docs", doc);
  const second = await browser.newContext();
  const other = await second.newPage();
  await signIn("admin");
  await signIn("admin", other);
  for (const one of [page, other]) await openAdmin(one, "/doc-settings", "Docs");
  await chooseInRow(other, id, "Edit");
  await writeJson(other, other.getByRole("dialog"), { ...doc, category: "Theirs" });
  await other.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click();
  await expect(other.getByRole("dialog")).toHaveCount(0);

  // The list still shows the older state.
  const dialog = page.getByRole("dialog");
  await chooseInRow(page, id, "Edit");
  await expect(jsonText(dialog)).toContainText("Theirs");
  await chooseInRow(other, id, "Edit");
  await writeJson(other, other.getByRole("dialog"), { ...doc, category: "Theirs again" });
  await other.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click();
  await expect(other.getByRole("dialog")).toHaveCount(0);
  await writeJson(page, dialog, { ...doc, category: "Theirs", description: "Mine" });
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect(dialog).toHaveCount(0);
  const row = await rowOf(page, id);
  await expect(row.getByRole("gridcell", { name: "Theirs again", exact: true })).toBeVisible();
  await expect(row.getByRole("gridcell", { name: "Mine", exact: true })).toBeVisible();
  await second.close();
  await deleteEntity(request, "docs", id);
});

test("[ENTITY-04] an external dataset that is disabled in one browser is gone from the other", async ({
  page,
  browser,
  request,
  signIn,
}) => {
  const [name, api] = [ownName("live"), ownName("api")];
  const apis = [{ name: api, path: "/rows", method: 0, filters: [] }];
  await createEntity(request, "datasets/external", { name, baseRoute: "https://api.example.org", apis });
  const second = await browser.newContext();
  const viewer = await second.newPage();
  await signIn("admin");
  await signIn("viewer", viewer);
  await viewer.goto("/search");
  await viewer.locator("input[data-page-filter], [data-page-filter] input").fill(api);
  await expect(viewer.getByRole("grid", { name: "Datasets" }).getByRole("button", { name: api, exact: true })).toBeVisible();

  await openAdmin(page, "/external-dataset-settings", "External Datasets");
  await expect((await rowOf(page, name)).getByRole("gridcell")).toHaveText([
    "",
    name,
    "",
    "https://api.example.org",
    api,
    "everyone",
    "enabled",
    "",
  ]);
  await chooseInRow(page, name, "Toggle Enabled");
  await expect((await rowOf(page, name)).getByText("disabled", { exact: true })).toBeVisible();
  await viewer.reload();
  await viewer.locator("input[data-page-filter], [data-page-filter] input").fill(api);
  await expect(viewer.getByText("No dataset", { exact: false })).toBeVisible();
  await expect(viewer.getByText(api, { exact: true })).toHaveCount(0);
  await second.close();
  await deleteEntity(request, "datasets/external", name);
});
