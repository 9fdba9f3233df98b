import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { openAdmin, serveEntities } from "#testing/entities.ts";
import { press } from "#testing/keyboard.ts";
import { openScreen, reloadScreen } from "#testing/open-screen.tsx";
import { openBoardEditing } from "#testing/opened-screens.ts";

const restored = "Restored what you typed before the page was reloaded.";
const note = page.getByText(restored);
const stored = (): string => JSON.stringify(Object.entries(sessionStorage));

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
