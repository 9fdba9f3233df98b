import { alertAdministration } from "@fairway/contract/alerts";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { editorDialogs } from "#testing/editors.ts";
import { openAdmin, serveEntities } from "#testing/entities.ts";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen, reloadScreen } from "#testing/open-screen.tsx";
import { openBoardEditing } from "#testing/opened-screens.ts";
import { open } from "#testing/kept-drafts.ts";

const restored = "Restored what you typed before the page was reloaded.";
const note = page.getByText(restored);
const stored = (): string => JSON.stringify(Object.entries(sessionStorage));

it("a reason that was sent is not offered again", async () => {
  gateway.answer(alertAdministration.end, undefined);
  const editor = editorDialogs.find(({ file }) => file === "features/admin/accounts/all-alerts-page.tsx");
  if (!editor) throw new Error("There is no such editor.");
  await editor.screen();
  await (await open(editor)).fill("Costs too much.");
  await editor.screen();
  await open(editor);
  await editor.dialog().getByRole("button", { name: "End alert" }).click();
  await expect.element(editor.dialog()).not.toBeInTheDocument();
  await editor.screen();
  await expect.element(await open(editor)).toHaveValue("");
  await expect.element(note).not.toBeInTheDocument();
});

it("goes on with a board that was being edited", async () => {
  await openBoardEditing();
  await press("Enter", page.getByRole("button", { name: "Edit Notes", exact: true }));
  const dialog = page.getByRole("dialog", { name: "Text Panel", exact: true });
  await dialog.getByRole("textbox", { name: "Text" }).fill("Read that.");
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await reloadScreen();
  await expect.element(page.getByText("Read that.", { exact: true })).toBeVisible();
  await expect.element(note).toBeVisible();
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await expect.element(page.getByText("Read this.", { exact: true })).toBeVisible();
  await reloadScreen();
  await expect.element(page.getByText("Read this.", { exact: true })).toBeVisible();
  await expect.element(page.getByText("Editing", { exact: true })).not.toBeInTheDocument();
});

it("a type with secrets leaves nothing of its JSON", async () => {
  serveEntities("datasets/external", []);
  await openAdmin("/external-dataset-settings", "External Datasets");
  await page.getByRole("button", { name: "New", exact: true }).first().click();
  await page.getByRole("dialog").getByRole("textbox", { name: "JSON" }).fill('{ "apiKeyCredential": { "key": "s3cret" } }');
  dispatchEvent(new Event("pagehide"));
  expect(stored()).not.toContain("s3cret");
  await openScreen("/faq");
  expect(stored()).not.toContain("s3cret");
});
