import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ApiKey } from "@fairway/contract/api-keys";
import type { APIRequestContext, Page } from "@playwright/test";
import { ageSignIns } from "../support/accounts.ts";
import { failCalls } from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";
import { signInAsNewAccount, signInByCall } from "../support/own-account.ts";

const storms = { datasetCategory: "Tropical weather", datasetId: "storm-tracks" };

const editor = (page: Page) => page.getByRole("dialog", { name: "Create Key" });
const row = (page: Page, name: string) => page.getByRole("row").filter({ has: page.getByRole("rowheader", { name }) });
const readClipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

/** Signs in as a new account with a key for storm-tracks. */
async function signInWithKey(page: Page, request: APIRequestContext, name = "Nightly", fields: object = {}) {
  const account = await signInAsNewAccount(page);
  const { access_token: token } = await signInByCall(request, account);
  const headers = { authorization: `Bearer ${token}` };
  const response = await request.post("/api/apiKeys", { headers, data: { name, datasets: [storms], ...fields } });
  expect(response.status()).toBe(201);
  return { account, headers, key: (await response.json()) as ApiKey };
}

const sampleWith = (request: APIRequestContext, key: string, dataset = "Tropical%20weather/storm-tracks") =>
  request.get(`/api/datasets/${dataset}/sample`, { headers: { authorization: `Bearer ${key}` } });

test("[KEYS-02][KEYS-03] Help explains how to use a key, and its programs run when copyProgram", async ({ page, request, baseURL }) => {
  const { key } = await signInWithKey(page, request, "Programs", {
    datasets: [{ datasetCategory: "People & economy", datasetId: "industry-unemployment" }],
  });
  await page.goto("/keys");
  const restore = await failCalls(page, "/api/datasets/People%20%26%20economy/industry-unemployment/describe", "It broke.");
  await page.getByRole("button", { name: "Help", exact: true }).click();
  const help = page.getByRole("dialog", { name: "Using API Keys" });
  await expect(help.getByRole("alert")).toContainText("Failed to load the example");
  await restore();
  await help.getByRole("button", { name: "Retry" }).click();
  await expect(help).toContainText("Authorization: Bearer YOUR_KEY");
  await expect(help).toContainText("600 calls a minute");
  await expect(help).toContainText("export FAIRWAY_API_KEY='YOUR_KEY'");
  const env = { ...process.env, FAIRWAY_API_KEY: key.key };
  const run = promisify(execFile);
  const copyProgram = async (language: "cURL" | "Python" | "JavaScript") => {
    await help.getByText(language, { exact: true }).click();
    await help.getByRole("button", { name: `Copy ${language} program` }).click();
    await expect.poll(() => readClipboard(page)).toBe(await help.getByRole("region", { name: `${language} program` }).innerText());
    return readClipboard(page);
  };
  const curl = await copyProgram("cURL");
  expect(curl).toContain(`${baseURL}/api/datasets/People%20%26%20economy/industry-unemployment/search`);
  const { stdout } = await run("sh", ["-c", curl.replace(/^curl /, "curl -sS ")], { env });
  const { results } = JSON.parse(stdout) as { results: object[] };
  expect(results).toHaveLength(25);

  const folder = await mkdtemp(join(tmpdir(), "fairway-snippet-"));
  try {
    await writeFile(join(folder, "read.mjs"), await copyProgram("JavaScript"));
    const printed = await run(process.execPath, [join(folder, "read.mjs")], { env });
    for (const column of Object.keys(results[0] ?? {})) expect(printed.stdout).toContain(column);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  expect(await copyProgram("Python")).toContain('os.environ["FAIRWAY_API_KEY"]');
});

test("creating a key long after the sign-in asks for the password; the key is shown once and opens the chosen datasets, and after a rotation the old value works as long as chosen", async ({
  page,
  request,
}) => {
  const account = await signInAsNewAccount(page);
  await ageSignIns(account);
  await page.goto("/keys");
  const save = editor(page).getByRole("button", { name: "Save" });
  const confirmation = page.getByRole("dialog", { name: "Confirm It Is You" });
  const current = confirmation.getByRole("textbox", { name: "Current password" });
  const shown = page.getByRole("dialog", { name: "Key of Nightly" });
  const readValue = async (): Promise<string> => {
    const value = await shown.getByRole("textbox", { name: "API key" }).inputValue();
    expect(value).toMatch(/^fwk_[\w-]{43}$/);
    await shown.getByRole("button", { name: "Done" }).click();
    return value;
  };
  const statusOf = async (key: string, dataset?: string) => (await sampleWith(request, key, dataset)).status();

  await page.getByRole("button", { name: "Create Key" }).click();
  await editor(page).getByRole("checkbox", { name: "storm-tracks" }).check();
  await editor(page).getByRole("textbox", { name: "Name" }).fill("Nightly");
  await save.focus();
  await page.keyboard.press("Enter");
  await expect(current).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(confirmation).toBeHidden();
  await expect(save).toBeFocused();
  await page.keyboard.press("Enter");
  await current.fill(account.password);
  await page.keyboard.press("Enter");
  const first = await readValue();
  expect([await statusOf(first), await statusOf(first, "Aviation/airports")]).toEqual([200, 404]);
  await ageSignIns(account);
  await page.reload();
  await expect(row(page, "Nightly")).toContainText("1 dataset");
  await expect(row(page, "Nightly")).toContainText(`fwk_…${first.slice(-4)}`);
  await expect(page.getByText(first)).toHaveCount(0);

  const rotate = async (overlap: string): Promise<void> => {
    await row(page, "Nightly").getByRole("button", { name: "Rotate Nightly" }).click();
    const dialog = page.getByRole("dialog", { name: "Rotate Nightly" });
    await dialog.getByRole("radio", { name: overlap }).check();
    await dialog.getByRole("button", { name: "Rotate" }).click();
  };
  await rotate("Works for 24 hours more");
  await current.fill(account.password);
  await page.keyboard.press("Enter");
  const second = await readValue();
  await expect(row(page, "Nightly")).toContainText("Old value works until");
  expect([await statusOf(first), await statusOf(second)]).toEqual([200, 200]);
  await rotate("Stops at once");
  const third = await readValue();
  expect([await statusOf(first), await statusOf(second), await statusOf(third)]).toEqual([401, 401, 200]);
});
