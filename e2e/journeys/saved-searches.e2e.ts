import { AxeBuilder } from "@axe-core/playwright";
import type { APIRequestContext, Page } from "@playwright/test";
import { createAccount } from "../support/accounts.ts";
import { breakAnswer, openForm, searchButton, storms } from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";
import { act, bodyOf, katrina, nextSearch, openResults, searchLink } from "../support/results.ts";
import { visitAs } from "../support/sign-in.ts";

const path = "/api/favorite/queries";
const [datasetCategory, datasetId] = storms;
const query = JSON.stringify({ filters: [{ name: "name", value: "Katrina", operator: "=" }] });

const saveDialog = (page: Page) => page.getByRole("dialog", { name: "Save Search Filters", exact: true });
const savedDialog = (page: Page) => page.getByRole("dialog", { name: "Saved search filters", exact: true });
const savedButton = (page: Page) => page.getByRole("button", { name: "Saved search filters", exact: true });
const choice = (page: Page, name: string) => savedDialog(page).getByRole("radio", { name, exact: true });
const inDialog = (page: Page, name: string) => savedDialog(page).getByRole("button", { name, exact: true });

/** An account of the journey's own that has saved searches of these names, signed in. */
async function visitSaved(page: Page, request: APIRequestContext, names: readonly string[]): Promise<void> {
  const { username, password } = await createAccount();
  const login = await request.post("/api/auth/login", { data: { username, password } });
  const { token } = (await login.json()) as { token: { access_token: string } };
  for (const queryName of names) {
    const answer = await request.post(path, {
      headers: { authorization: `Bearer ${token.access_token}` },
      data: { datasetCategory, datasetId, queryName, query },
    });
    expect(answer.status()).toBe(201);
  }
  await visitAs(page, username, password);
}

test("[SAVED-02][SAVED-06][SAVED-08][SAVED-09][SAVED-10] filters are saved under a name from the results and loaded into the form", async ({
  page,
  request,
}) => {
  await visitSaved(page, request, []);
  await openResults(page, katrina);
  await act(page, "Save Search Filters");
  const save = saveDialog(page).getByRole("button", { name: "Save", exact: true });
  await expect(saveDialog(page).getByRole("textbox", { name: "Name" })).toBeFocused();
  await expect(save).toBeDisabled();
  await saveDialog(page).getByRole("textbox", { name: "Name" }).fill("  The big one ");

  const mend = await breakAnswer(page, path, "The disk is full.");
  await save.click();
  await expect(saveDialog(page).getByRole("alert")).toHaveText("Save failed: The disk is full.");
  await mend();
  const saving = page.waitForRequest((asked) => asked.method() === "POST" && new URL(asked.url()).pathname === path);
  await save.click();
  const body = (await saving).postDataJSON() as { query: string };
  expect(body).toMatchObject({ datasetCategory, datasetId, queryName: "The big one" });
  expect(JSON.parse(body.query)).toEqual({ filters: [{ name: "name", value: "Katrina", operator: "=" }] });
  await expect(saveDialog(page)).toHaveCount(0);

  await openForm(page, storms);
  await expect(searchButton(page)).toBeVisible();
  await savedButton(page).click();
  await expect(inDialog(page, "Load")).toBeDisabled();
  await expect(inDialog(page, "Delete")).toBeDisabled();
  await choice(page, "The big one").check();
  expect((await new AxeBuilder({ page }).include("[role=dialog]").analyze()).violations).toEqual([]);
  await inDialog(page, "Load").click();
  await expect(savedDialog(page)).toHaveCount(0);
  const searching = nextSearch(page);
  await searchButton(page).click();
  expect(bodyOf(await searching)).toMatchObject({ filters: [{ name: "name", value: "Katrina", operator: "=" }] });
});

test("[SAVED-09][SAVED-11][SAVED-12] a saved search is deleted after a question, at once, and comes back when the server refuses", async ({
  page,
  request,
}) => {
  await visitSaved(page, request, ["Katrina", "Rita"]);
  await openForm(page, storms);
  await savedButton(page).click();
  await expect(savedDialog(page).getByRole("radio")).toHaveCount(2);
  await savedDialog(page).getByRole("searchbox").fill("kat");
  await expect(savedDialog(page).getByRole("radio")).toHaveCount(1);
  await choice(page, "Katrina").check();
  const question = page.getByRole("dialog", { name: "Delete Saved Search?" });
  await inDialog(page, "Delete").click();
  await question.getByRole("button", { name: "Cancel", exact: true }).click();
  await expect(choice(page, "Katrina")).toBeVisible();

  let refuse: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    refuse = resolve;
  });
  await page.route(
    (url) => url.pathname === path,
    async (route) => {
      if (route.request().method() !== "DELETE") return route.continue();
      await asked;
      return route.fulfill({ status: 500, json: { errors: [{ code: "internal", message: "The disk is full." }] } });
    },
  );
  await inDialog(page, "Delete").click();
  await question.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(choice(page, "Katrina")).toHaveCount(0);
  refuse();
  await expect(savedDialog(page).getByRole("alert")).toHaveText("Delete failed: The disk is full.");
  await expect(choice(page, "Katrina")).toBeVisible();

  await page.unrouteAll();
  const deleting = page.waitForRequest((call) => call.method() === "DELETE" && new URL(call.url()).pathname === path);
  await inDialog(page, "Delete").click();
  await question.getByRole("button", { name: "Delete", exact: true }).click();
  expect((await deleting).postDataJSON()).toEqual({ datasetCategory, datasetId, queryName: "Katrina", query });
  await expect(choice(page, "Katrina")).toHaveCount(0);
  await savedDialog(page).getByRole("searchbox").fill("");
  await expect(choice(page, "Rita")).toBeVisible();
  await inDialog(page, "Cancel").click();
  await expect(savedDialog(page)).toHaveCount(0);
});

test("[RESULT-45] a sample has no filters to save", async ({ page, signIn }) => {
  await signIn();
  await page.goto(searchLink({ category: katrina.category, dataset: katrina.dataset, isSample: true }));
  await page.getByRole("button", { name: "Actions", exact: true }).click();
  await expect(page.getByRole("menuitem", { name: "Rerun Search", exact: true })).toBeEnabled();
  await expect(page.getByRole("menuitem", { name: "Save Search Filters", exact: true })).toBeDisabled();
});

test("[SESSION-22][SESSION-23] saved searches and graph templates are fetched with the login; a failure is only logged", async ({
  page,
  signIn,
}) => {
  await signIn();
  await breakAnswer(page, path, "No searches today.");
  await breakAnswer(page, "/api/favorite/graphTemplates", "No templates today.");
  const logged: string[] = [];
  page.on("console", (message) => logged.push(message.text()));
  await page.goto("/search");
  await expect.poll(() => logged.join("\n")).toContain("The saved searches could not be loaded");
  await expect.poll(() => logged.join("\n")).toContain("The graph templates could not be loaded");
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(page.getByText(/No (searches|templates) today/)).toHaveCount(0);
});
