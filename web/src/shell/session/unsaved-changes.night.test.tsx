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

it("Escape asks again each time the question was canceled", async () => {
  await openScreen("/keys");
  await page.getByRole("button", { name: "Submit Feedback" }).click();
  const dialog = page.getByRole("dialog", { name: "Submit Feedback" });
  const comment = dialog.getByRole("textbox", { name: "Comment" });
  await comment.fill("The map is slow.");
  await press("Escape");
  await keepEditing();
  await expect.element(comment).toHaveFocus();
  await press("Escape");
  await expect.element(confirmation).toBeVisible();
  await press("Escape");
  await expect.element(confirmation).not.toBeInTheDocument();
  await expect.element(comment).toHaveFocus();
  await press("Escape");
  await confirmation.getByRole("button", { name: "Discard" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
});
