import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ApiKey } from "@fairway/contract/api-keys";
import type { APIRequestContext, Page } from "@playwright/test";
import { ageSignIns } from "../support/accounts.ts";
import { breakAnswer } from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";
import { adminHeaders, signInAsNewcomer, signInByCall } from "../support/own-account.ts";

const storms = { datasetCategory: "Tropical weather", datasetId: "storm-tracks" };

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
