import { axeViolations } from "../support/accessibility.ts";
import { chooseInRow, createEntity, deleteEntity, jsonEditor, openAdmin, uniqueName, rowOf, writeJson } from "../support/administration.ts";
import { expect, test } from "../support/fixtures.ts";

const type = "ecosystems";
const ecosystem = (name: string, roles: string[] = []) => ({ name, enabled: true, roles: roles.map((roleName) => ({ roleName })) });

test("[ENTITY-04] two administrators edit at once: the second sees both versions and loses nothing, and an external dataset disabled by one disappears for the other", async ({
  page,
  browser,
  request,
  signIn,
}) => {
  const [name, external, api] = [uniqueName("shared"), uniqueName("live"), uniqueName("api")];
  const apis = [{ name: api, path: "/rows", method: 0, filters: [] }];
  await createEntity(request, type, ecosystem(name));
  await createEntity(request, "datasets/external", { name: external, baseRoute: "https://api.example.org", apis });
  const second = await browser.newContext();
  const other = await second.newPage();
  await signIn("admin");
  await signIn("admin", other);

  await test.step("both change the same field", async () => {
    for (const one of [page, other]) {
      await openAdmin(one, "/ecosysystem-settings", "Ecosystems");
      await chooseInRow(one, name, "Edit");
      await expect(jsonEditor(one.getByRole("dialog"))).toContainText(name);
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
    await expect(jsonEditor(dialog)).toContainText("mine");
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await expect(dialog).toHaveCount(0);
    await expect((await rowOf(page, name)).getByRole("gridcell", { name: "mine" })).toBeVisible();
  });

  await test.step("the overwritten version is among the revisions and can be restored", async () => {
    await chooseInRow(page, name, "Revisions");
    const revisions = page.getByRole("dialog", { name: `Revisions of ${name}` });
    await expect(revisions.getByRole("listitem")).toHaveCount(3);
    await revisions.getByRole("listitem").nth(1).getByRole("button").click();
    await expect(revisions.getByRole("insertion").filter({ hasText: "theirs" })).toBeVisible();
    expect(await axeViolations(page)).toEqual([]);
    await revisions.getByRole("button", { name: "Restore this state" }).click();
    await page.getByRole("dialog", { name: "Restore this state?" }).getByRole("button", { name: "Restore", exact: true }).click();
    await expect((await rowOf(page, name)).getByRole("gridcell", { name: "theirs" })).toBeVisible();
  });

  await test.step("an external dataset disabled by one disappears for the other", async () => {
    const find = async () => {
      await other.goto("/search");
      await other.locator("input[data-page-filter], [data-page-filter] input").fill(api);
    };
    await find();
    await expect(other.getByRole("grid", { name: "Datasets" }).getByRole("button", { name: api, exact: true })).toBeVisible();
    await openAdmin(page, "/external-dataset-settings", "External Datasets");
    await chooseInRow(page, external, "Toggle Enabled");
    await expect((await rowOf(page, external)).getByText("disabled", { exact: true })).toBeVisible();
    await find();
    await expect(other.getByText("No dataset", { exact: false })).toBeVisible();
    await expect(other.getByText(api, { exact: true })).toHaveCount(0);
  });
  await second.close();
  await deleteEntity(request, type, name);
  await deleteEntity(request, "datasets/external", external);
});
