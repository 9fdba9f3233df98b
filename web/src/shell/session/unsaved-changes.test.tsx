import { apiKeys } from "@fairway/contract/api-keys";
import { feedback } from "@fairway/contract/feedback";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { confirmation, keepEditing } from "#testing/unsaved-dialogs.ts";

beforeEach(() => {
  gateway.answer(apiKeys.list, []);
  gateway.answer(feedback.own, []);
});

it("Escape, the close button and a click outside ask before a dialog loses typed text, and only then; Cancel does not ask", async () => {
  await openScreen("/keys");
  const open = page.getByRole("button", { name: "Submit Feedback" });
  await open.click();
  const dialog = page.getByRole("dialog", { name: "Submit Feedback" });
  const comment = dialog.getByRole("textbox", { name: "Comment" });
  await expect.element(comment).toBeVisible();
  await press("Escape");
  await expect.element(dialog).not.toBeInTheDocument();
  await open.click();
  await comment.fill("The map is slow.");
  await press("Escape");
  await keepEditing();
  await expect.element(comment).toHaveValue("The map is slow.");
  await dialog.getByRole("button", { name: "Close", exact: true }).click();
  await confirmation.getByRole("button", { name: "Discard" }).click();
  await expect.element(dialog).not.toBeInTheDocument();

  await page.getByRole("button", { name: "Create Key" }).first().click();
  const editor = page.getByRole("dialog", { name: "Create Key" });
  const name = editor.getByRole("textbox", { name: "Name" });
  await name.fill("batch");
  await page.elementLocator(document.body).click({ position: { x: 5, y: 5 } });
  await keepEditing();
  await expect.element(name).toHaveValue("batch");
  await editor.getByRole("button", { name: "Cancel" }).click();
  await expect.element(editor).not.toBeInTheDocument();
});
