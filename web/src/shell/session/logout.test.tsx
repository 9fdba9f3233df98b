import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectRows, sample } from "#testing/datasets-screen.ts";
import { press } from "#testing/keyboard.ts";
import { openScreen } from "#testing/open-screen.tsx";

it("[SHELL-34][SHELL-35] Logout asks for confirmation; Cancel and Escape stay on the screen, signed in", async () => {
  const opened = await openScreen("/search");
  await sample("storm-tracks");
  const address = location.href;
  const logout = page.getByRole("navigation", { name: "Main" }).getByRole("button", { name: "Logout" });
  const dialog = page.getByRole("dialog", { name: "Logout?", exact: true });
  for (const cancel of [() => dialog.getByRole("button", { name: "Cancel" }).click(), () => press("Escape")]) {
    await logout.click();
    const question = "Are you sure you want to logout? Any open searches will be lost.";
    await expect.element(dialog.getByText(question, { exact: true })).toBeVisible();
    await cancel();
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(logout).toHaveFocus();
  }
  expect(location.href).toBe(address);
  await expectRows("storm-tracks");
  expect(opened.ended).toBeNull();
});
