import type { Alert, AlertHistory } from "@fairway/contract/alerts";
import { type BoardPanel, boards } from "@fairway/contract/boards";
import type { APIRequestContext, Page } from "@playwright/test";
import { ageAlertChecks, createAccount, type TestAccount } from "../support/accounts.ts";
import { createEntity, deleteEntity, listEntities, uniqueName } from "../support/administration.ts";
import { expect, test } from "../support/fixtures.ts";
import { bearer, tokenOf } from "../support/gateway.ts";
import { adminHeaders, signInTab } from "../support/own-account.ts";
import { type ProductionPortal, startSecondGateway } from "../support/production-portal.ts";

// Both journeys share one second gateway.
test.describe.configure({ mode: "serial" });

let second: ProductionPortal;
test.beforeAll(async () => {
  second = await startSecondGateway();
});
test.afterAll(() => second.stop());

const category = "Natural hazards";
const panel = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const item = (page: Page, name: string) =>
  page.getByRole("list", { name: "Alerts", exact: true }).getByRole("listitem").filter({ hasText: name });

/** A dataset of the demo's earthquakes that only these roles may read. */
async function createDataset(request: APIRequestContext, roles: readonly string[]): Promise<string> {
  const id = uniqueName("quakes");
  const { version: _, ...earthquakes } =
    (await listEntities(request, "datasets/internal")).find((one) => one["id"] === "earthquakes") ?? {};
  for (const name of roles) await createEntity(request, "roles", { name });
  await createEntity(request, "datasets/internal", { ...earthquakes, id, roles });
  return id;
}

async function setRolesOfDataset(request: APIRequestContext, id: string, roles: readonly string[]): Promise<void> {
  const stored = (await listEntities(request, "datasets/internal")).find((one) => one["id"] === id);
  const answer = await request.put("/api/admin/datasets/internal", {
    headers: await adminHeaders(request),
    data: { ...stored, roles },
  });
  expect(answer.status()).toBe(200);
}

async function setRolesOfAccount(request: APIRequestContext, { username }: TestAccount, roles: readonly string[]): Promise<void> {
  const { id, email, firstName, lastName } = (await listEntities(request, "users")).find((one) => one["username"] === username) ?? {};
  const answer = await request.put("/api/admin/users", {
    headers: await adminHeaders(request),
    data: { id, username, email, firstName, lastName, roles: roles.map((name) => ({ name })) },
  });
  expect(answer.status()).toBe(200);
}

/** Waits until both gateways answer the account so about the dataset. */
async function waitForAccess(request: APIRequestContext, account: TestAccount, dataset: string, status: number): Promise<void> {
  const headers = bearer(await tokenOf(request, account.username, account.password));
  const path = `/api/datasets/${encodeURIComponent(category)}/${dataset}/describe`;
  for (const origin of ["", second.address]) {
    await expect.poll(async () => (await request.get(`${origin}${path}`, headers)).status()).toBe(status);
  }
}

test("a reader on another gateway loses a dataset while a board is open: its panel says so at the next refresh, the rest goes on", async ({
  page,
  browser,
  request,
}) => {
  const [desk, plans] = [uniqueName("desk"), uniqueName("plans")];
  const dataset = await createDataset(request, [plans]);
  const [owner, reader] = [await createAccount({ roles: [desk, plans] }), await createAccount({ roles: [desk, plans] })];
  const place = (x: number) => ({ x, y: 0, w: 6, h: 4 });
  const strong = [{ name: "mag", operator: ">", value: 5 }];
  const shown = { kind: "number" as const, query: { filters: strong }, value: { aggregation: "count" as const, column: "*" } };
  const panels: BoardPanel[] = [
    { ...shown, id: "secret", title: "Quakes in secret", dataset: { datasetCategory: category, datasetId: dataset }, place: place(0) },
    { ...shown, id: "open", title: "Quakes", dataset: { datasetCategory: category, datasetId: "earthquakes" }, place: place(6) },
  ];
  const created = await request.post("/api/boards", {
    ...bearer(await tokenOf(request, owner.username, owner.password)),
    data: { name: uniqueName("Quakes"), sharedWithRoles: [desk], content: { panels } },
  });
  const board = boards.create.response.parse(await created.json());

  const context = await browser.newContext();
  const readers = await context.newPage();
  await signInTab(readers, reader);
  await signInTab(page, owner);
  await readers.goto(`${second.address}/boards/${board.id}`);
  await page.goto(`/boards/${board.id}`);
  for (const tab of [page, readers]) {
    for (const title of ["Quakes in secret", "Quakes"]) await expect(panel(tab, title).getByRole("paragraph")).toHaveText(/^[\d,]+$/);
  }

  await setRolesOfAccount(request, reader, [desk]);
  await waitForAccess(request, reader, dataset, 404);
  for (const tab of [page, readers]) {
    const counted = tab.waitForResponse((response) => /earthquakes\/aggregate/.test(response.url()) && response.ok());
    await tab.getByRole("button", { name: "Refresh now", exact: true }).press("Enter");
    await counted;
    await expect(panel(tab, "Quakes").getByRole("paragraph")).toHaveText(/^[\d,]+$/);
  }
  await expect(panel(readers, "Quakes in secret").getByRole("alert")).toContainText("you don't have access to it");
  await expect(
    panel(readers, "Quakes in secret")
      .getByRole("paragraph")
      .filter({ hasText: /^[\d,]+$/ }),
  ).toHaveCount(0);
  await expect(panel(page, "Quakes in secret").getByRole("paragraph")).toHaveText(/^[\d,]+$/);

  await readers.reload();
  await expect(panel(readers, "Hidden panel")).toContainText("You don’t have access to this panel’s dataset.");
  await expect(panel(readers, "Quakes").getByRole("paragraph")).toHaveText(/^[\d,]+$/);
  await context.close();
  await deleteEntity(request, "datasets/internal", dataset);
});

test("an alert is paused when its owner loses the dataset and watches on when it is back and resumed, whichever gateway looks", async ({
  page,
  browser,
  request,
}) => {
  const plans = uniqueName("plans");
  const dataset = await createDataset(request, [plans]);
  const owner = await createAccount({ roles: [plans] });
  const name = uniqueName("Strong quakes");
  const headers = bearer(await tokenOf(request, owner.username, owner.password));
  const query = JSON.stringify({ filters: [{ name: "mag", operator: ">", value: 5 }] });
  const saved = await request.post("/api/favorite/queries", {
    ...headers,
    data: { datasetCategory: category, datasetId: dataset, queryName: name, query },
  });
  const { id: savedSearchId } = (await saved.json()) as { id: string };
  const draft = { name, savedSearchId, condition: { kind: "above", rows: 10 }, everyMinutes: 60 };
  const { id } = (await (await request.post(`${second.address}/api/alerts`, { ...headers, data: draft })).json()) as Alert;

  // The owner's tab of either gateway shows the same, without a reload.
  const context = await browser.newContext();
  const others = await context.newPage();
  for (const [tab, origin] of [
    [page, ""],
    [others, second.address],
  ] as const) {
    await signInTab(tab, owner);
    await tab.goto(`${origin}/alerts`);
    await expect(item(tab, name)).toContainText("Firing");
    await expect(item(tab, name)).toContainText("35 rows");
  }
  const choose = async (tab: Page, action: string) => {
    await tab.getByRole("button", { name: `Actions for ${name}`, exact: true }).press("Enter");
    await tab.getByRole("menuitem", { name: action, exact: true }).press("Enter");
  };

  const kinds = async () => {
    const answer = await request.get(`/api/alerts/${id}/history?changes=false`, headers);
    return ((await answer.json()) as AlertHistory).checks.map(({ kind }) => kind);
  };

  await test.step("access is taken away on one gateway, and the look that the other one is asked for pauses the alert", async () => {
    await setRolesOfDataset(request, dataset, [uniqueName("others")]);
    await waitForAccess(request, owner, dataset, 404);
    await ageAlertChecks(owner);
    await choose(others, "Check now");
    for (const tab of [page, others]) {
      await expect(item(tab, name)).toContainText("Paused");
      await expect(item(tab, name)).toContainText("The dataset no longer exists, or you no longer have access to it.");
      await expect(item(tab, name)).not.toContainText("35 rows");
    }
  });

  await test.step("it is back, and one gateway has stopped", async () => {
    await setRolesOfDataset(request, dataset, [plans]);
    await waitForAccess(request, owner, dataset, 200);
    await choose(others, "Resume");
    for (const tab of [page, others]) await expect(item(tab, name)).toContainText("35 rows");
    await expect.poll(kinds).toEqual(["firing", "paused", "firing"]);
    await context.close();
    await second.stop();
    await ageAlertChecks(owner);
    await choose(page, "Check now");
    await expect.poll(kinds).toEqual(["firing", "firing", "paused", "firing"]);
    await page.getByRole("button", { name: /^Notifications, / }).press("Enter");
    // Told once, however often it was found.
    for (const title of [`${name}: 35 rows`, `${name} is paused`]) {
      await expect(page.getByRole("link", { name: title, exact: true })).toHaveCount(1);
    }
  });
  await deleteEntity(request, "datasets/internal", dataset);
});
