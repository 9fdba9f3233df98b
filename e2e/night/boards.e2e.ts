import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { createAccount } from "../support/accounts.ts";
import { expect, test } from "../support/fixtures.ts";
import { signInAsNewAccount } from "../support/own-account.ts";
import { chooseAction, katrina, openResults } from "../support/results.ts";
import { expectLogin, logIn } from "../support/sign-in.ts";

const addDialog = (page: Page) => page.getByRole("dialog", { name: "Add to Board", exact: true });
const panel = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

test("the results on the screen are put on a board by keyboard, arranged, shared with a role, and read by another person on a phone", async ({
  page,
}) => {
  const role = `desk-${randomUUID()}`;
  await signInAsNewAccount(page, [role]);
  const reader = await createAccount({ roles: [role] });
  let address = "";

  await test.step("the owner adds a table and a number of one search to a new board", async () => {
    await openResults(page, katrina);
    await chooseAction(page, "Add to Board");
    await addDialog(page).getByRole("textbox", { name: "Title" }).fill("Katrina, hour by hour");
    await addDialog(page).getByRole("textbox", { name: "Name" }).fill("Season");
    // Boards are loaded first.
    await expect(addDialog(page).getByRole("button", { name: "Save", exact: true })).toBeEnabled();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1, name: "Season" })).toBeVisible();
    await expect(panel(page, "Katrina, hour by hour").getByRole("row")).toHaveCount(26);
    await page.goBack();
    await chooseAction(page, "Add to Board");
    await addDialog(page).getByRole("radio", { name: "Number of rows" }).check();
    await addDialog(page).getByRole("textbox", { name: "Title" }).fill("Observations");
    await page.keyboard.press("Enter");
    await expect(panel(page, "Observations").getByRole("paragraph")).toHaveText("68");
    address = new URL(page.url()).pathname;
  });

  await test.step("the owner changes the size of a panel with the arrow keys and shares the board", async () => {
    await page.getByRole("button", { name: "Edit", exact: true }).press("Enter");
    const handle = page.getByRole("button", { name: "Move Observations", exact: true });
    const before = await panel(page, "Observations").boundingBox();
    await handle.press("Shift+ArrowRight");
    await expect.poll(async () => (await panel(page, "Observations").boundingBox())?.width).toBeGreaterThan((before?.width ?? 0) + 40);
    await page.getByRole("button", { name: "Save board", exact: true }).press("Enter");
    await page.getByRole("button", { name: "Share", exact: true }).press("Enter");
    const sharing = page.getByRole("dialog", { name: /^Share / });
    await sharing.getByRole("combobox", { name: "Share with", exact: true }).fill(role);
    await expect(sharing.getByRole("listbox").getByRole("option")).toHaveCount(1);
    await sharing.getByRole("combobox", { name: "Share with", exact: true }).press("Enter");
    await sharing.getByRole("button", { name: "Save", exact: true }).click();
    await expect(sharing).toHaveCount(0);
    await page.getByRole("button", { name: "More actions", exact: true }).press("Enter");
    await page.getByRole("menuitem", { name: "Name and description", exact: true }).press("Enter");
    const naming = page.getByRole("dialog", { name: "Name and Description", exact: true });
    await naming.getByRole("textbox", { name: "Name" }).fill("Season of 2005");
    await naming.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Season of 2005" })).toBeVisible();
  });

  await test.step("another person reads it on a phone, and opens its rows", async () => {
    await page.getByRole("button", { name: "Logout" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Logout" }).click();
    await expectLogin(page);
    await logIn(page, reader.username, reader.password);
    await expect(page.getByRole("heading", { level: 1 })).not.toHaveText("Login");
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto("/boards");
    await page.getByRole("link", { name: /^Season of 2005/ }).click();
    await expect(page).toHaveURL((url) => url.pathname === address);
    await expect(page.getByRole("button", { name: "Edit", exact: true })).toHaveCount(0);
    await expect(panel(page, "Observations").getByRole("paragraph")).toHaveText("68");
    await panel(page, "Katrina, hour by hour").getByRole("button", { name: "Menu of Katrina, hour by hour" }).press("Enter");
    await page.getByRole("menuitem", { name: "Open rows" }).press("Enter");
    await expect(page.getByRole("heading", { level: 1, name: "storm-tracks" })).toBeVisible();
    await expect(page.getByText("name = Katrina", { exact: true })).toBeVisible();
  });
});
