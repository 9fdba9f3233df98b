import { axeViolations } from "../support/accessibility.ts";
import { createEntity, deleteEntity, jsonText, openAdmin, ownName, rowOf, writeJson } from "../support/administration.ts";
import { expect, test } from "../support/fixtures.ts";
import { isNear, pixelsAt } from "../support/pixels.ts";

const type = "ecosystems";

test("an entity that names unknown roles says so on a phone, where a list of warnings shows that it goes on, until it is mended", async ({
  page,
  request,
  signIn,
}) => {
  const name = ownName("shut");
  const roles = Array.from({ length: 12 }, (_, index) => ({ roleName: `${ownName("ghost")}-${index}` }));
  await createEntity(request, type, { name, enabled: true, roles });
  await signIn("admin");
  await page.setViewportSize({ width: 390, height: 844 });
  await openAdmin(page, "/ecosysystem-settings", "Ecosystems");
  const mark = (await rowOf(page, name)).getByRole("button", { name: `12 warnings: ${name}`, exact: true });
  await expect(mark).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
  await mark.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  const note = dialog.getByRole("note", { name: "Does not work yet" });
  await expect(note).toContainText(`There is no role '${roles[0]?.roleName}'.`);
  await expect(note).toBeInViewport({ ratio: 1 });
  expect(await axeViolations(page)).toEqual([]);

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

  await expect(jsonText(dialog)).not.toContainText("warnings");
  await writeJson(page, dialog, { name, enabled: true, roles: [] });
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(mark).toHaveCount(0);
  await deleteEntity(request, type, name);
});
