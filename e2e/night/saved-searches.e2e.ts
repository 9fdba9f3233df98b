import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { createAccount } from "../support/accounts.ts";
import { pick } from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";
import { signInAsNewAccount } from "../support/own-account.ts";
import { chooseAction, katrina, openResults } from "../support/results.ts";
import { expectDatasets, expectLogin, logIn } from "../support/sign-in.ts";

const path = "/api/favorite/queries";

const saveDialog = (page: Page) => page.getByRole("dialog", { name: "Save Search Filters", exact: true });
const savedDialog = (page: Page) => page.getByRole("dialog", { name: "Saved search filters", exact: true });
const choice = (page: Page, name: string) => savedDialog(page).getByRole("radio", { name, exact: true });
const inDialog = (page: Page, name: string) => savedDialog(page).getByRole("button", { name, exact: true });

/** Opens the saved searches in the form of storm-tracks, from the datasets screen. */
async function openSaved(page: Page): Promise<void> {
  await pick(page, "storm-tracks");
  await page.getByRole("button", { name: "Saved search filters", exact: true }).click();
  await expect(savedDialog(page)).toBeVisible();
}

test("a user saves, shares, renames and deletes searches; at login the next user gets what is shared with them, and nothing else of the previous user remains", async ({
  page,
}) => {
  const role = `desk-${randomUUID()}`;
  const owner = await signInAsNewAccount(page, [role]);
  const reader = await createAccount({ roles: [role] });
  const fetched: string[] = [];
  page.on("request", (sent) => {
    const { pathname } = new URL(sent.url());
    if (/^\/api\/favorite\/(queries|graphTemplates)$/.test(pathname) && sent.method() === "GET") fetched.push(pathname);
  });
  await test.step("the owner saves a search, and another one after its name was refused", async () => {
    await openResults(page, katrina);
    await expect.poll(() => fetched.toSorted()).toEqual(["/api/favorite/graphTemplates", path]);
    await chooseAction(page, "Save Search Filters");
    const name = saveDialog(page).getByRole("textbox", { name: "Name" });
    await name.fill("For the desk");
    await saveDialog(page).getByRole("button", { name: "Save", exact: true }).click();
    await expect(saveDialog(page)).toHaveCount(0);
    await chooseAction(page, "Save Search Filters");
    await name.fill("FOR THE DESK");
    await name.press("Enter");
    await expect(saveDialog(page).getByRole("alert")).toHaveText(
      "Save failed: A saved search with this name already exists for this dataset.",
    );
    await name.fill("The big one");
    await name.press("Enter");
    await expect(saveDialog(page)).toHaveCount(0);
  });
  await test.step("the owner shares the first with the role, and renames, describes and deletes the other one", async () => {
    await page.getByRole("link", { name: "Datasets", exact: true }).click();
    await openSaved(page);
    await savedDialog(page).getByRole("button", { name: "Share For the desk", exact: true }).click();
    const sharing = page.getByRole("dialog", { name: "Share For the desk", exact: true });
    await sharing.getByRole("combobox", { name: "Share with", exact: true }).fill(role);
    await sharing.getByRole("listbox").getByRole("option").first().click();
    await sharing.getByRole("button", { name: "Save", exact: true }).click();
    await expect(savedDialog(page).getByText(`Shared with ${role}`, { exact: true })).toBeVisible();
    await savedDialog(page).getByRole("button", { name: "Edit The big one", exact: true }).click();
    const editing = page.getByRole("dialog", { name: "Edit Saved Search", exact: true });
    await editing.getByRole("textbox", { name: "Name" }).fill("Of 2005");
    await editing.getByRole("textbox", { name: "Description" }).fill("August");
    await editing.getByRole("button", { name: "Save", exact: true }).click();
    await expect(savedDialog(page).getByText("August", { exact: true })).toBeVisible();
    await choice(page, "Of 2005").check();
    await inDialog(page, "Delete").click();
    const removed = page.waitForResponse((response) => response.request().method() === "DELETE");
    await page.getByRole("dialog", { name: "Delete Saved Search?" }).getByRole("button", { name: "Delete", exact: true }).click();
    expect((await removed).ok()).toBe(true);
    await expect(choice(page, "Of 2005")).toHaveCount(0);
    await page.keyboard.press("Escape");
    await expect(savedDialog(page)).toHaveCount(0);
  });
  await test.step("a holder of the role loads the shared search after logging in, and finds its rows", async () => {
    await page.getByRole("button", { name: "Logout" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Logout" }).click();
    await expectLogin(page);
    fetched.length = 0;
    await logIn(page, reader.username, reader.password);
    await expectDatasets(page);
    await expect.poll(() => fetched.toSorted()).toEqual(["/api/favorite/graphTemplates", path]);
    await openSaved(page);
    await expect(savedDialog(page).getByRole("radio")).toHaveCount(1);
    await choice(page, "For the desk").check();
    await expect(savedDialog(page).getByText(`Shared by ${owner.username} · view only`, { exact: true })).toBeVisible();
    await inDialog(page, "Load").click();
    await expect(page.getByRole("textbox", { name: "Storm name", exact: true })).toHaveValue("Katrina");
    await page.getByRole("main").getByRole("button", { name: "Search", exact: true }).click();
    await expect(page.getByText("1 – 25 of 68 results", { exact: true })).toBeVisible();
  });
});
