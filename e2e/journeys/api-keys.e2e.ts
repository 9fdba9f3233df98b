import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ApiKey } from "@fairway/contract/api-keys";
import type { APIRequestContext, Page } from "@playwright/test";
import { ageSignIns } from "../support/accounts.ts";
import { breakAnswer } from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";
import { adminHeaders, expectToastFor, failNext, signInAsNewcomer, signInByCall } from "../support/own-account.ts";
import { stopClock } from "../support/page-clock.ts";
import { alterAnswer } from "../support/results.ts";

const keyCalls = "**/api/apiKeys";
const storms = { datasetCategory: "Tropical weather", datasetId: "storm-tracks" };
const times = /\d\d-\d\d-\d{4}, \d{1,2}:\d\d:\d\d [ap]m/;

const editor = (page: Page, title: "Create Key" | "Edit Key" = "Create Key") => page.getByRole("dialog", { name: title });
const row = (page: Page, name: string) => page.getByRole("row").filter({ has: page.getByRole("rowheader", { name }) });
const copied = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

/** An account of its own with a key for storm-tracks. */
async function withKey(page: Page, request: APIRequestContext, name = "Nightly", more: object = {}) {
  const account = await signInAsNewcomer(page);
  const { access_token: token } = await signInByCall(request, account);
  const headers = { authorization: `Bearer ${token}` };
  const response = await request.post("/api/apiKeys", { headers, data: { name, datasets: [storms], ...more } });
  expect(response.status()).toBe(201);
  return { account, headers, made: (await response.json()) as ApiKey };
}

const sampleWith = (request: APIRequestContext, key: string, dataset = "Tropical%20weather/storm-tracks") =>
  request.get(`/api/datasets/${dataset}/sample`, { headers: { authorization: `Bearer ${key}` } });

test("[ROUTE-31][KEYS-01][KEYS-04][KEYS-09][KEYS-12][KEYS-14][KEYS-25] /keys makes a key for chosen datasets once it has a name and something to open", async ({
  page,
  request,
}) => {
  await page.clock.install();
  await signInAsNewcomer(page);
  await page.goto("/keys");
  await expect(page.getByRole("heading", { level: 1, name: "API Keys" })).toBeVisible();
  await page.getByRole("button", { name: "Create Key" }).click();
  const name = editor(page).getByRole("textbox", { name: "Name" });
  const save = editor(page).getByRole("button", { name: "Save" });
  await expect(name).toBeFocused();
  await expect(save).toBeDisabled();
  await expect(save).toHaveAccessibleDescription(/^Enter a name and choose at least one dataset/);
  await name.fill("Nightly");
  await expect(save).toBeDisabled();
  await expect(save).toHaveAccessibleDescription(/^Choose at least one dataset/);
  await editor(page).getByRole("checkbox", { name: "storm-tracks" }).check();
  await editor(page).getByRole("checkbox", { name: "Natural hazards", exact: true }).check();
  await expect(save).toBeEnabled();
  await name.fill("   ");
  await expect(save).toBeDisabled();
  await name.fill(" Nightly ");
  await stopClock(page);
  const [sent] = await Promise.all([page.waitForRequest((one) => one.method() === "POST" && one.url().endsWith("/apiKeys")), save.click()]);
  const body = sent.postDataJSON() as { datasets: { datasetCategory: string }[] };
  expect(body).toMatchObject({ name: "Nightly", filesetIds: [], ecosystemNames: [] });
  expect(body.datasets).toContainEqual(storms);
  expect(body.datasets.filter(({ datasetCategory }) => datasetCategory === "Natural hazards").length).toBeGreaterThan(0);
  await expectToastFor(page, "API key created", 2000);
  const shown = page.getByRole("dialog", { name: "Key of Nightly" });
  const value = await shown.getByRole("textbox", { name: "API key" }).inputValue();
  expect(value).toMatch(/^fwk_[\w-]{43}$/);
  expect((await sampleWith(request, value)).status()).toBe(200);
  expect((await sampleWith(request, value, "Aviation/airports")).status()).toBe(404);
  await shown.getByRole("button", { name: "Done" }).click();
  await expect(row(page, "Nightly")).toContainText(`fwk_…${value.slice(-4)}`);
  await page.clock.resume();
  await page.reload();
  await expect(row(page, "Nightly")).toContainText(`fwk_…${value.slice(-4)}`);
  await expect(page.getByText(value)).toHaveCount(0);
});

test("[KEYS-05][KEYS-10][KEYS-13][KEYS-15][KEYS-25] a key is edited, its name stays, and a second of its name cannot be made", async ({
  page,
  request,
}) => {
  await page.clock.install();
  await withKey(page, request);
  await page.goto("/keys");
  await page.getByRole("button", { name: "Create Key" }).click();
  await editor(page).getByRole("checkbox", { name: "airports" }).check();
  await editor(page).getByRole("textbox", { name: "Name" }).fill(" NIGHTLY ");
  await expect(editor(page).getByText("An API key with this name already exists.")).toBeVisible();
  await expect(editor(page).getByRole("button", { name: "Save" })).toBeDisabled();
  await editor(page).getByRole("button", { name: "Cancel" }).click();

  await row(page, "Nightly").getByRole("button", { name: "Edit Nightly" }).click();
  const edit = editor(page, "Edit Key");
  await expect(edit.getByRole("textbox", { name: "Name" })).not.toBeEditable();
  await expect(edit.getByRole("checkbox", { name: "storm-tracks" })).toBeChecked();
  await edit.getByRole("checkbox", { name: "airports" }).check();
  await edit.getByRole("combobox", { name: "Ends" }).click();
  await page.getByRole("option", { name: "In 30 days" }).click();
  await stopClock(page);
  const [sent] = await Promise.all([
    page.waitForRequest((one) => one.method() === "PUT"),
    edit.getByRole("button", { name: "Save" }).click(),
  ]);
  expect(new URL(sent.url()).pathname).toBe("/api/apiKeys");
  expect(sent.postDataJSON()).toMatchObject({
    name: "Nightly",
    datasets: [storms, { datasetCategory: "Aviation", datasetId: "airports" }],
    filesetIds: [],
    ecosystemNames: [],
    expiresAtMs: expect.any(Number),
  });
  await expectToastFor(page, "API key updated", 1200);
  await expect(row(page, "Nightly")).toContainText("2 datasets");
});

test("[KEYS-06][KEYS-08][KEYS-11][KEYS-22][KEYS-25] a key says when it was made and used, and is deleted after a question", async ({
  page,
  request,
}) => {
  await page.clock.install();
  const { made } = await withKey(page, request, "Old 50% & done");
  await page.goto("/keys");
  await expect(row(page, made.name).getByRole("cell").nth(2)).toHaveText(times);
  await expect(row(page, made.name).getByRole("cell").nth(3)).toHaveText("Never");
  expect((await sampleWith(request, made.key)).status()).toBe(200);
  await page.reload();
  await expect(row(page, made.name).getByRole("cell").nth(3)).toHaveText(times);

  const remove = row(page, made.name).getByRole("button", { name: `Delete ${made.name}` });
  const question = page.getByRole("dialog", { name: "Delete API Key?" });
  await failNext(page, "**/api/apiKeys/*", "DELETE");
  await remove.click();
  await question.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Delete Failed" })).toBeVisible();
  await remove.click();
  await stopClock(page);
  const [sent] = await Promise.all([
    page.waitForRequest((one) => one.method() === "DELETE"),
    question.getByRole("button", { name: "Delete" }).click(),
  ]);
  expect(new URL(sent.url()).pathname).toBe(`/api/apiKeys/${encodeURIComponent(made.name)}`);
  await expectToastFor(page, "API key deleted", 1200);
  await expect(page.getByText("No API keys yet")).toBeVisible();
  expect((await sampleWith(request, made.key)).status()).toBe(401);
});

test("[KEYS-21][KEYS-23][API-05] a failed load of the keys and a failed save say so, and work when tried again", async ({ page }) => {
  await signInAsNewcomer(page);
  await failNext(page, keyCalls, "GET");
  await page.goto("/keys");
  const failed = page.getByRole("alert").filter({ hasText: "Failed to load API Keys" });
  await expect(failed).toContainText("The gateway is starting.");
  await failed.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByText("No API keys yet")).toBeVisible();

  await page.getByRole("button", { name: "Create Key" }).click();
  await editor(page).getByRole("textbox", { name: "Name" }).fill("Nightly");
  await editor(page).getByRole("checkbox", { name: "airports" }).check();
  await failNext(page, keyCalls, "POST");
  await editor(page).getByRole("button", { name: "Save" }).click();
  await expect(editor(page).getByRole("alert")).toContainText("API Key Save Error");
  await expect(editor(page).getByRole("textbox", { name: "Name" })).toHaveValue("Nightly");
  await editor(page).getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("dialog", { name: "Key of Nightly" })).toBeVisible();
});

test("[KEYS-24] the value is copied, and where the browser refuses, 'Copy Failed' shows it to copy by hand", async ({ page }) => {
  await signInAsNewcomer(page);
  await page.goto("/keys");
  await page.getByRole("button", { name: "Create Key" }).click();
  await editor(page).getByRole("textbox", { name: "Name" }).fill("Nightly");
  await editor(page).getByRole("checkbox", { name: "airports" }).check();
  await editor(page).getByRole("button", { name: "Save" }).click();
  const shown = page.getByRole("dialog", { name: "Key of Nightly" });
  const value = await shown.getByRole("textbox", { name: "API key" }).inputValue();
  await shown.getByRole("button", { name: "Copy Key", exact: true }).click();
  await expect(page.getByRole("status").filter({ hasText: "Copied" })).toBeVisible();
  expect(await copied(page)).toBe(value);
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException("refused", "NotAllowedError"));
  });
  await shown.getByRole("button", { name: "Copy Key", exact: true }).click();
  const refused = page.getByRole("dialog", { name: "Copy Failed" });
  await expect(refused.getByRole("textbox", { name: "Text to copy" })).toHaveValue(value);
  await page.keyboard.press("Escape");
  await expect(refused).toHaveCount(0);
  await expect(shown).toBeVisible();
});

test("[KEYS-02][KEYS-03] Help says how a key is used, and its programs run as pasted", async ({ page, request, baseURL }) => {
  const { made } = await withKey(page, request, "Programs", {
    datasets: [{ datasetCategory: "People & economy", datasetId: "industry-unemployment" }],
  });
  await page.goto("/keys");
  const mend = await breakAnswer(page, "/api/datasets/People%20%26%20economy/industry-unemployment/describe", "It broke.");
  await page.getByRole("button", { name: "Help", exact: true }).click();
  const help = page.getByRole("dialog", { name: "Using API Keys" });
  await expect(help.getByRole("alert")).toContainText("Failed to load the example");
  await mend();
  await help.getByRole("button", { name: "Retry" }).click();
  await expect(help).toContainText("Authorization: Bearer YOUR_KEY");
  await expect(help).toContainText("600 calls a minute");
  await expect(help).toContainText("export FAIRWAY_API_KEY='YOUR_KEY'");
  const env = { ...process.env, FAIRWAY_API_KEY: made.key };
  const run = promisify(execFile);
  const pasted = async (language: "cURL" | "Python" | "JavaScript") => {
    await help.getByText(language, { exact: true }).click();
    await help.getByRole("button", { name: `Copy ${language} program` }).click();
    await expect.poll(() => copied(page)).toBe(await help.getByRole("region", { name: `${language} program` }).innerText());
    return copied(page);
  };
  const curl = await pasted("cURL");
  expect(curl).toContain(`${baseURL}/api/datasets/People%20%26%20economy/industry-unemployment/search`);
  const { stdout } = await run("sh", ["-c", curl.replace(/^curl /, "curl -sS ")], { env });
  const { results } = JSON.parse(stdout) as { results: object[] };
  expect(results).toHaveLength(25);

  const folder = await mkdtemp(join(tmpdir(), "fairway-snippet-"));
  try {
    await writeFile(join(folder, "read.mjs"), await pasted("JavaScript"));
    const printed = await run(process.execPath, [join(folder, "read.mjs")], { env });
    for (const column of Object.keys(results[0] ?? {})) expect(printed.stdout).toContain(column);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  expect(await pasted("Python")).toContain('os.environ["FAIRWAY_API_KEY"]');
});

test("[KEYS-16][KEYS-17][KEYS-18][KEYS-19][KEYS-20] ecosystems of one's roles are chosen where halo is available, and a lost one warns", async ({
  page,
  request,
}) => {
  const suffix = randomUUID();
  const [role, mine, others] = [`reef-role-${suffix}`, `reef-${suffix}`, `closed-${suffix}`];
  const account = await signInAsNewcomer(page, [role]);
  const headers = await adminHeaders(request);
  const closedTo = `closed-role-${suffix}`;
  for (const [name, roleName] of [
    [mine, role],
    [others, closedTo],
  ] as const) {
    await request.post("/api/admin/roles", { headers, data: { name: roleName } });
    const made = await request.post("/api/admin/ecosystems", { headers, data: { name, roles: [{ roleName }] } });
    expect(made.status()).toBe(201);
  }
  const { access_token: token } = await signInByCall(request, account);
  const listed = await request.get("/api/ecosystems", { headers: { authorization: `Bearer ${token}` } });
  const names = ((await listed.json()) as { name: string }[]).map(({ name }) => name);
  expect(names).toContain(mine);
  expect(names).not.toContain(others);

  let services = ["halo"];
  await alterAnswer(page, "**/api/ui/config", (answer) => ({ ...answer, availableTorchServices: services }));
  await page.goto("/keys");
  await page.getByRole("button", { name: "Create Key" }).click();
  const choice = editor(page).getByRole("group", { name: "Ecosystems" });
  await editor(page).getByRole("textbox", { name: "Name" }).fill("Reef");
  await expect(choice.getByRole("checkbox", { name: others })).toHaveCount(0);
  await choice.getByRole("checkbox", { name: mine }).check();
  const [sent] = await Promise.all([
    page.waitForRequest((one) => one.method() === "POST" && one.url().endsWith("/apiKeys")),
    editor(page).getByRole("button", { name: "Save" }).click(),
  ]);
  expect(sent.postDataJSON()).toMatchObject({ name: "Reef", datasets: [], filesetIds: [], ecosystemNames: [mine] });
  await page.getByRole("dialog", { name: "Key of Reef" }).getByRole("button", { name: "Done" }).click();
  await expect(row(page, "Reef")).toContainText("1 ecosystem");
  await expect(row(page, "Reef")).not.toContainText("Lost access");

  const moved = await request.put("/api/admin/ecosystems", { headers, data: { name: mine, roles: [{ roleName: closedTo }] } });
  expect(moved.status()).toBe(200);
  services = ["other"];
  await page.reload();
  await expect(row(page, "Reef")).toContainText(`Lost access: Ecosystem ${mine}`);
  await row(page, "Reef").getByRole("button", { name: "Edit Reef" }).click();
  const edit = editor(page, "Edit Key");
  await expect(edit.getByRole("group", { name: "Datasets", exact: true })).toBeVisible();
  await expect(edit.getByRole("group", { name: "Ecosystems" })).toHaveCount(0);
  await expect(edit).toContainText(`Lost access: Ecosystem ${mine}`);
  await edit.getByRole("button", { name: "Take Out" }).click();
  await expect(edit.getByRole("button", { name: "Save" })).toBeDisabled();
  await edit.getByRole("checkbox", { name: "airports" }).check();
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(row(page, "Reef")).toContainText("1 dataset");
  await expect(row(page, "Reef")).not.toContainText("Lost access");
  for (const name of [mine, others]) await request.delete(`/api/admin/ecosystems/${name}`, { headers });
});

test("a key stops at once when an administrator locks, deletes or revokes", async ({ page, request }) => {
  const { account, made, headers: own } = await withKey(page, request);
  const headers = await adminHeaders(request);
  const status = async (key = made.key) => (await sampleWith(request, key)).status();
  const users = (await (await request.get("/api/admin/users", { headers })).json()) as { id: string; username: string }[];
  const id = users.find(({ username }) => username === account.username)?.id ?? "";
  const second = await request.post("/api/apiKeys", { headers: own, data: { name: "Second", datasets: [storms] } });
  const other = (await second.json()) as ApiKey;
  expect([await status(), await status(other.key)]).toEqual([200, 200]);
  expect((await request.delete(`/api/admin/apiKeys/${other.id}`, { headers: own })).status()).toBe(403);
  expect((await request.delete(`/api/admin/apiKeys/${other.id}`, { headers })).status()).toBe(204);
  expect([await status(), await status(other.key)]).toEqual([200, 401]);
  expect((await request.put(`/api/admin/users/${id}/disable`, { headers })).status()).toBe(200);
  expect(await status()).toBe(401);
  expect((await request.put(`/api/admin/users/${id}/enable`, { headers })).status()).toBe(200);
  expect(await status()).toBe(200);
  expect((await request.delete(`/api/admin/users/${id}`, { headers })).status()).toBe(204);
  expect(await status()).toBe(401);
});

test("a rotated key gets a new value, and the old one works on for as long as was chosen", async ({ page, request }) => {
  const { made } = await withKey(page, request);
  await page.goto("/keys");
  const rotate = async (overlap: string): Promise<string> => {
    await row(page, "Nightly").getByRole("button", { name: "Rotate Nightly" }).click();
    const dialog = page.getByRole("dialog", { name: "Rotate Nightly" });
    await dialog.getByRole("radio", { name: overlap }).check();
    await dialog.getByRole("button", { name: "Rotate" }).click();
    const shown = page.getByRole("dialog", { name: "Key of Nightly" });
    const value = await shown.getByRole("textbox", { name: "API key" }).inputValue();
    await shown.getByRole("button", { name: "Done" }).click();
    return value;
  };
  const second = await rotate("Works for 24 hours more");
  await expect(row(page, "Nightly")).toContainText("Old value works until");
  expect([(await sampleWith(request, made.key)).status(), (await sampleWith(request, second)).status()]).toEqual([200, 200]);
  const third = await rotate("Stops at once");
  const statuses = await Promise.all([made.key, second, third].map(async (key) => (await sampleWith(request, key)).status()));
  expect(statuses).toEqual([401, 401, 200]);
});

test("a key after a sign-in of long ago asks for the password first; what was chosen stays, and the focus comes back", async ({ page }) => {
  const account = await signInAsNewcomer(page);
  await ageSignIns(account);
  await page.goto("/keys");
  await page.getByRole("button", { name: "Create Key" }).click();
  await editor(page).getByRole("checkbox", { name: "airports" }).check();
  await editor(page).getByRole("textbox", { name: "Name" }).fill("Nightly");
  const save = editor(page).getByRole("button", { name: "Save" });
  await save.focus();
  await page.keyboard.press("Enter");
  const again = page.getByRole("dialog", { name: "Confirm It Is You" });
  await expect(again.getByRole("textbox", { name: "Current password" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(again).toBeHidden();
  await expect(save).toBeFocused();
  await page.keyboard.press("Enter");
  await again.getByRole("textbox", { name: "Current password" }).fill(account.password);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Key of Nightly" }).getByRole("button", { name: "Done" }).click();
  await expect(row(page, "Nightly")).toContainText("1 dataset");
  await ageSignIns(account);
  await page.reload();
  await row(page, "Nightly").getByRole("button", { name: "Rotate Nightly" }).click();
  await page.getByRole("dialog", { name: "Rotate Nightly" }).getByRole("button", { name: "Rotate" }).click();
  await again.getByRole("textbox", { name: "Current password" }).fill(account.password);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Key of Nightly" })).toBeVisible();
});

test("[KEYS-26] keys of one person are neither listed, edited nor deleted by another", async ({ page, request, browser }) => {
  const { headers } = await withKey(page, request);
  const context = await browser.newContext();
  const theirs = await context.newPage();
  const other = await signInAsNewcomer(theirs);
  const { access_token: token } = await signInByCall(request, other);
  await theirs.goto("/keys");
  await expect(theirs.getByText("No API keys yet")).toBeVisible();
  const asOther = { headers: { authorization: `Bearer ${token}` } };
  expect((await request.put("/api/apiKeys", { ...asOther, data: { name: "Nightly", datasets: [storms] } })).status()).toBe(404);
  expect((await request.delete("/api/apiKeys/Nightly", asOther)).status()).toBe(404);
  expect((await request.post("/api/apiKeys/Nightly/rotate", { ...asOther, data: {} })).status()).toBe(404);
  expect(await (await request.get("/api/apiKeys", { headers })).json()).toMatchObject([{ name: "Nightly", datasets: [storms] }]);
  await context.close();
});
