import { axeViolations } from "../support/accessibility.ts";
import { createEntity, deleteEntity, jsonEditor, openAdmin, uniqueName, rowOf, writeJson } from "../support/administration.ts";
import { expect, test } from "../support/fixtures.ts";
import { isSimilarColor, pixelsAt } from "../support/pixels.ts";

const type = "ecosystems";

test("an entity with unknown roles shows warnings until it is fixed, in a list that indicates on a phone that it scrolls", async ({
  page,
  request,
  signIn,
}) => {
  const name = uniqueName("shut");
  const roles = Array.from({ length: 12 }, (_, index) => ({ roleName: `${uniqueName("ghost")}-${index}` }));
  await createEntity(request, type, { name, enabled: true, roles });
  await signIn("admin");
  await page.setViewportSize({ width: 390, height: 844 });
  await openAdmin(page, "/ecosysystem-settings", "Ecosystems");
  const warningButton = (await rowOf(page, name)).getByRole("button", { name: `12 warnings: ${name}`, exact: true });
  await expect(warningButton).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
  await warningButton.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  const note = dialog.getByRole("note", { name: "Does not work yet" });
  await expect(note).toContainText(`There is no role '${roles[0]?.roleName}'.`);
  await expect(note).toBeInViewport({ ratio: 1 });
  expect(await axeViolations(page)).toEqual([]);

  const { x, y, width, height } = (await note.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  // Next to the text: just inside the lower edge, and in the middle.
  const colors = () =>
    pixelsAt(page, [
      [x + width - 4, y + height - 4],
      [x + width - 4, y + height / 2],
    ]);
  const [edge, middle] = await colors();
  expect(middle && isSimilarColor(edge, middle)).toBe(false);
  await note.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await expect
    .poll(async () => {
      const [end, within] = await colors();
      return within && isSimilarColor(end, within);
    })
    .toBe(true);

  await expect(jsonEditor(dialog)).not.toContainText("warnings");
  await writeJson(page, dialog, { name, enabled: true, roles: [] });
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(warningButton).toHaveCount(0);
  await deleteEntity(request, type, name);
});
