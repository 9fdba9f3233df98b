import { chooseInRow, listEntities, openAdmin, openRowMenu } from "../support/administration.ts";
import { failCalls } from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";

test("a dialog opened from a row of an administration screen returns the focus to the row's button", async ({ page, signIn }) => {
  await signIn("admin");
  await openAdmin(page, "/group-settings", "Groups");
  const button = page.getByRole("button", { name: "Actions: Viewers", exact: true });
  for (const time of ["first", "second"]) {
    for (const entry of ["Revisions", "Delete"]) {
      await openRowMenu(page, "Viewers");
      await page.getByRole("menu", { name: "Actions: Viewers", exact: true }).getByRole("menuitem", { name: entry, exact: true }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await expect(button, `${entry}, the ${time} time`).toBeFocused();
    }
  }
});

test("an entity that fails to load in its editor can be retried, and closing the editor returns the focus", async ({
  page,
  request,
  signIn,
}) => {
  const group = (await listEntities(request, "groups")).find(({ name }) => name === "Viewers");
  await signIn("admin");
  await openAdmin(page, "/group-settings", "Groups");
  const restore = await failCalls(page, `/api/admin/groups/${String(group?.["id"])}/current`, "The database rests.");
  await chooseInRow(page, "Viewers", "Edit");
  const dialog = page.getByRole("dialog");
  const failure = dialog.getByRole("alert");
  await expect(failure).toContainText("The group could not be loaded.");
  await expect(failure).toContainText("The database rests.");
  await restore();
  await failure.getByRole("button", { name: "Retry", exact: true }).click();
  await expect(dialog.getByRole("button", { name: "Save", exact: true })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Actions: Viewers", exact: true })).toBeFocused();
});
