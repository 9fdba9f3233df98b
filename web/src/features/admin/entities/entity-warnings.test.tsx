import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { isWithinWindow } from "#testing/assertions.ts";
import { dialog, dialogButton, jsonText, openAdmin, rowOf, saveButton, serveEntities, writeJson } from "#testing/entities.ts";
import { chooseFile } from "#testing/files.ts";
import { press } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";

const warnings = [{ code: "unknown-role", message: "There is no role 'ghost'.", path: "roles.0" }];
const shut = { name: "shut", enabled: true, roles: [{ roleName: "ghost" }] };

it("warnings are shown in the list, in the editor, after a save and in the preview of an import", async () => {
  const { routes, stored } = serveEntities("ecosystems", [{ name: "open" }]);
  const entity = { ...shut, version: 1, warnings };
  stored.push(entity);
  gateway.answer(routes.edit, { ...entity, version: 2 }, { times: 1 });
  await openAdmin("/ecosysystem-settings", "Ecosystems");
  const mark = rowOf("shut").getByRole("button", { name: "1 warning: shut", exact: true });
  await expect.element(mark).toBeVisible();
  await page.getByRole("button", { name: /with warnings$/ }).click();
  await expect.element(rowOf("shut")).toBeVisible();
  await expect.element(rowOf("open")).not.toBeInTheDocument();
  await page.getByRole("button", { name: "Show all" }).click();
  await expect.element(rowOf("open")).toBeVisible();

  await page.viewport(390, 844);
  await press("Enter", mark);
  const note = dialog().getByRole("note", { name: "Does not work yet" });
  await expect.element(note).toHaveTextContent("There is no role 'ghost'.");
  await expect.poll(() => isWithinWindow(note)).toBe(true);
  await expect.element(jsonText()).not.toHaveTextContent("warnings");
  await page.viewport(1440, 900);
  await saveButton().click();
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.element(page.getByText("shut does not work yet")).toBeVisible();

  gateway.answer(routes.previewImport, {
    added: [],
    changed: ["shut"],
    unchanged: [],
    removed: [],
    refused: [],
    warned: [{ id: "shut", warnings }],
  });
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await chooseFile(dialog().getByLabelText("File to import"), "ecosystems.json", JSON.stringify([shut]));
  await expect.element(dialog().getByRole("region", { name: "Preview" })).toHaveTextContent("Does not work yet: 1");
  await dialogButton("Cancel").click();
  await expect.element(dialog()).not.toBeInTheDocument();

  await mark.click();
  await expect.element(note).toBeVisible();
  await writeJson({ ...shut, roles: [] });
  // The toast of the first save may cover the button.
  await press("Enter", saveButton());
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.element(mark).not.toBeInTheDocument();
});
