import { accessList } from "@fairway/contract/datasets";
import { createAccount } from "../support/accounts.ts";
import {
  alterAnswer,
  alterDescription,
  breakAnswer,
  countRequests,
  expectForm,
  flights,
  holdAnswer,
  pick,
  picker,
  storms,
} from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectDatasets, visitAs } from "../support/sign-in.ts";

const list = "/api/datasets";
const favourites = "/api/favorite/datasets";

test("[PICKER-01][PICKER-05][SEARCH-02] categories stand as headers above their datasets, in the server's order, and cannot be selected", async ({
  page,
  signIn,
}) => {
  await signIn();
  const [answer] = await Promise.all([page.waitForResponse((response) => new URL(response.url()).pathname === list), page.goto("/search")]);
  const categories = accessList.parse(await answer.json());
  const groups = picker(page).getByRole("rowgroup");
  await expect(groups).toHaveCount(categories.length);
  expect(categories.map(({ id }) => id)).toContain("Tropical weather");
  for (const [at, { id, datasets }] of categories.entries()) {
    const group = groups.nth(at);
    await expect(group.getByRole("row").first()).toHaveText(id);
    await expect(group.getByRole("button").and(group.locator(":not([aria-pressed])"))).toHaveText(
      datasets.map(({ datasetId }) => datasetId),
    );
    // A header that is no control: neither a click nor a key selects anything.
    const header = group.getByRole("rowheader", { name: id, exact: true });
    await expect(header.getByRole("button")).toHaveCount(0);
    await header.click();
  }
  await expect(picker(page).getByRole("row", { selected: true })).toHaveCount(0);
  await expect(page).toHaveURL("/search");
  await pick(page, "storm-tracks");
  await expectForm(page, storms);
  await expect(picker(page).getByRole("row", { selected: true }).getByRole("button", { name: "storm-tracks", exact: true })).toBeVisible();
});

test("[PICKER-02] a globe marks the datasets that support map results, and only those", async ({ page, signIn }) => {
  await signIn();
  const [answer] = await Promise.all([page.waitForResponse((response) => new URL(response.url()).pathname === list), page.goto("/search")]);
  const datasets = accessList.parse(await answer.json()).flatMap((category) => category.datasets);
  expect(new Set(datasets.map(({ supportsMapResults }) => supportsMapResults)).size).toBe(2);
  for (const { datasetId, supportsMapResults } of datasets) {
    const row = picker(page)
      .getByRole("row")
      .filter({ has: page.getByRole("button", { name: datasetId, exact: true }) });
    await expect(row.getByRole("img", { name: "Supports map results" })).toHaveCount(supportsMapResults ? 1 : 0);
  }
});

test("[PICKER-03][PICKER-08][PICKER-09][PICKER-10][PICKER-11] a favourite is marked at once, then saved, then read again; unmarked likewise", async ({
  page,
}) => {
  const { username, password } = await createAccount();
  await visitAs(page, username, password);
  const star = picker(page).getByRole("button", { name: "Favourite flights", exact: true });
  const footer = page.getByText(/^\d+ datasets/);
  await expect(star).toHaveAttribute("aria-pressed", "false");
  await expect(footer).toHaveText("10 datasets");

  for (const [method, pressed, count] of [
    ["POST", "true", "10 datasets, 1 favourite"],
    ["DELETE", "false", "10 datasets"],
  ] as const) {
    const calls: string[] = [];
    page.on("request", (request) => {
      if (new URL(request.url()).pathname === favourites) calls.push(request.method());
    });
    // The server's answer is held back: the mark does not wait for it.
    const release = await holdAnswer(page, favourites);
    const [change] = await Promise.all([
      page.waitForRequest((request) => request.method() === method && request.url().endsWith(favourites)),
      star.click(),
    ]);
    expect(change.postDataJSON()).toEqual({ datasetCategory: "Aviation", datasetId: "flights" });
    await expect(star).toHaveAttribute("aria-pressed", pressed);
    await expect(footer).toHaveText(count);
    expect(calls).toEqual([method]);
    const reload = page.waitForResponse((response) => response.request().method() === "GET" && response.url().endsWith(favourites));
    release();
    expect(await (await reload).json()).toEqual(method === "POST" ? [{ datasetCategory: "Aviation", datasetId: "flights" }] : []);
    expect(calls).toEqual([method, "GET"]);
    await expect(star).toHaveAttribute("aria-pressed", pressed);
    await page.unrouteAll({ behavior: "wait" });
    page.removeAllListeners("request");
  }
});

test("a change that the server refuses is taken back", async ({ page }) => {
  const { username, password } = await createAccount();
  await visitAs(page, username, password);
  const star = picker(page).getByRole("button", { name: "Favourite airports", exact: true });
  await expect(star).toHaveAttribute("aria-pressed", "false");
  const release = await holdAnswer(page, favourites, (route) =>
    route.fulfill({ status: 500, json: { errors: [{ code: "internal", message: "Broken." }] } }),
  );
  await star.click();
  await expect(star).toHaveAttribute("aria-pressed", "true");
  release();
  await expect(star).toHaveAttribute("aria-pressed", "false");
});

test("[PICKER-03] favourites by keyboard: marked, found at the start and by the filter, kept over a reload, unmarked", async ({ page }) => {
  const { username, password } = await createAccount();
  await visitAs(page, username, password);
  await expect(picker(page)).toBeVisible();
  await page.keyboard.press("/");
  const search = page.getByRole("searchbox", { name: "Search datasets" });
  await expect(search).toBeFocused();
  await page.keyboard.type("storm");
  await page.keyboard.press("ArrowDown");
  await expect(picker(page).getByRole("button", { name: "storm-tracks", exact: true })).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  const star = picker(page).getByRole("button", { name: "Favourite storm-tracks", exact: true });
  await expect(star).toBeFocused();
  const saved = page.waitForResponse((response) => response.request().method() === "POST" && response.url().endsWith(favourites));
  await page.keyboard.press("Space");
  await expect(star).toHaveAttribute("aria-pressed", "true");
  expect((await saved).ok()).toBe(true);

  await page.reload();
  await expectDatasets(page);
  await expect(star).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("button", { name: "Favourites only" }).click();
  await expect(picker(page).getByRole("row")).toHaveCount(2);
  await expect(picker(page).getByRole("button", { name: "storm-tracks", exact: true })).toBeVisible();
  await expect(page.getByRole("region", { name: "Favourites" }).getByRole("button")).toHaveText(["storm-tracksTropical weather"]);

  await star.focus();
  const removed = page.waitForResponse((response) => response.request().method() === "DELETE" && response.url().endsWith(favourites));
  await page.keyboard.press("Enter");
  expect((await removed).ok()).toBe(true);
  await expect(page.getByText("No favourites yet. Mark a dataset with its star.")).toBeVisible();
  await page.reload();
  await expect(star).toHaveAttribute("aria-pressed", "false");
});

test("[PICKER-04] who may reach no dataset reads 'No Datasets Available'", async ({ page, signIn }) => {
  await signIn();
  await alterAnswer(page, list, () => []);
  await page.goto("/search");
  await expect(page.getByRole("region", { name: "Choose a dataset" }).getByText("No Datasets Available", { exact: true })).toBeVisible();
  await expect(picker(page)).toHaveCount(0);
});

test("[PICKER-12] a datasets list that fails to load says so, and Retry loads it", async ({ page, signIn }) => {
  await signIn();
  const mend = await breakAnswer(page, list, "The store is away.");
  const requests = countRequests(page, list);
  await page.goto("/search");
  const failure = page.getByRole("region", { name: "Choose a dataset" }).getByRole("alert");
  await expect(failure.getByText("Error loading datasets.", { exact: true })).toBeVisible();
  expect(requests()).toBe(1);
  // As long as it is broken, Retry ends in the same place.
  await failure.getByRole("button", { name: "Retry", exact: true }).click();
  await expect.poll(requests).toBe(2);
  await expect(failure).toBeVisible();
  await mend();
  await failure.getByRole("button", { name: "Retry", exact: true }).click();
  await expect(picker(page).getByRole("button", { name: "flights", exact: true })).toBeVisible();
  await expect(failure).toHaveCount(0);
});

test("while the datasets list is on its way a skeleton keeps its place", async ({ page, signIn }) => {
  await signIn();
  const release = await holdAnswer(page, list);
  await page.goto("/search");
  await expect(page.getByRole("status", { name: "Loading datasets" })).toBeVisible();
  release();
  await expect(picker(page)).toBeVisible();
  await expect(page.getByRole("status", { name: "Loading datasets" })).toHaveCount(0);
});

test("markup in names and descriptions is text", async ({ page, signIn }) => {
  const evil = `<img src=x onerror="document.title='owned'"><b>bold</b>`;
  await signIn();
  await alterAnswer(page, list, (answer) =>
    accessList.parse(answer).map(({ id, description, datasets }) => ({
      id: `${id}${evil}`,
      description,
      datasets: datasets.map((dataset) => ({ ...dataset, description: evil })),
    })),
  );
  await alterDescription(page, flights, (description) => ({
    ...description,
    category: { id: "Aviation", description: evil },
    description: evil,
    schema: { columns: [{ name: evil, type: "STRING", description: evil, combined: null }] },
    filterSupport: {
      ...description.filterSupport,
      requiredOrFields: [evil],
      staticFilters: [
        {
          id: "e",
          name: evil,
          display: evil,
          description: evil,
          required: false,
          type: "STRING",
          value: "",
          operator: "=",
          preFilled: false,
        },
      ],
      preFilledFilters: [
        {
          id: "p",
          name: evil,
          display: evil,
          description: evil,
          required: false,
          type: "STRING",
          value: evil,
          operator: "=",
          preFilled: true,
        },
      ],
    },
  }));
  await page.goto("/search");
  await expect(picker(page).getByRole("rowheader", { name: `Aviation${evil}`, exact: true })).toBeVisible();
  await pick(page, "flights");
  await expectForm(page, flights);
  await expect(page.getByText(evil, { exact: true }).first()).toBeVisible();
  await expect(page.getByText(`Aviation: ${evil}`, { exact: true })).toBeVisible();
  await expect(page.getByRole("textbox", { name: evil, exact: true })).toBeVisible();
  await expect(page.getByRole("main").locator("img, b")).toHaveCount(0);
  await expect(page).not.toHaveTitle("owned");
});
