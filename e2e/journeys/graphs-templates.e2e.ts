import { expect, test } from "../support/fixtures.ts";
import { createAccount } from "../support/accounts.ts";
import { choose, graphMenu, graphsLink, newGraph, openGraphs, picture, save, setColumn, tableValues } from "../support/graphs.ts";
import { visitAs } from "../support/sign-in.ts";
import type { Page } from "@playwright/test";

const days = { from: "2005-08-26T06:00:00", to: "2005-08-29T18:00:00" };
const later = { from: "2005-09-18T00:00:00", to: "2005-09-21T12:00:00" };

const saveDialog = (page: Page) => page.getByRole("dialog", { name: "Save graph template", exact: true });
const templates = (page: Page) => page.getByRole("dialog", { name: "Graph templates", exact: true });
const openTemplates = (page: Page) => page.getByRole("button", { name: "Templates", exact: true }).click();
async function visitAsNewAccount(page: Page): Promise<void> {
  const { username, password } = await createAccount();
  await visitAs(page, username, password);
}

async function draw(page: Page): Promise<void> {
  const form = await newGraph(page);
  await choose(form, "Line");
  await form.getByLabel("Group by").selectOption({ label: "Temporal (Day)" });
  await setColumn(form, 1, "max", "wind");
  await form.getByLabel("Title").fill("Peaks");
  await save(page);
  await expect(picture(page, "Peaks")).toBeVisible();
}

test("[GRAPH-05][GRAPH-06][GRAPH-08][SAVED-14][SAVED-15] a user saves a graph as a template with a unique name, loads it for another search, and deletes it", async ({
  page,
}) => {
  await visitAsNewAccount(page);
  await openGraphs(page, graphsLink(days));
  await draw(page);
  const name = saveDialog(page).getByRole("textbox", { name: "Name" });
  const saving = saveDialog(page).getByRole("button", { name: "Save", exact: true });
  await test.step("saves it under a unique name", async () => {
    await graphMenu(page, "Peaks", "Save as template");
    await name.fill("Peak winds");
    await saving.click();
    await expect(saveDialog(page)).toHaveCount(0);
    await graphMenu(page, "Peaks", "Save as template");
    await name.fill("PEAK WINDS");
    await saving.click();
    await expect(saveDialog(page).getByRole("alert")).toContainText(/^Save failed: .+/);
    await saveDialog(page).getByRole("button", { name: "Cancel", exact: true }).click();
  });
  await test.step("loads it for another search", async () => {
    await openGraphs(page, graphsLink(later));
    await openTemplates(page);
    await templates(page).getByRole("radio", { name: "Peak winds" }).check();
    await templates(page).getByRole("button", { name: "Load" }).click();
    await expect(picture(page, "Peaks")).toBeVisible();
    expect((await tableValues(page, "Peaks")).map(([label]) => label)).toEqual(["09/18/2005", "09/19/2005", "09/20/2005", "09/21/2005"]);
  });
  await test.step("deletes it permanently", async () => {
    await openTemplates(page);
    await templates(page).getByRole("radio", { name: "Peak winds" }).check();
    await templates(page).getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog", { name: "Delete Graph Template?" }).getByRole("button", { name: "Delete" }).click();
    await expect(templates(page).getByText("No graph templates of this dataset yet.")).toBeVisible();
    await page.reload();
    await openTemplates(page);
    await expect(templates(page).getByText("No graph templates of this dataset yet.")).toBeVisible();
  });
});
