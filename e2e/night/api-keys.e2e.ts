import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ageSignIns } from "../support/accounts.ts";
import { expect, test } from "../support/fixtures.ts";
import { signInAsNewAccount } from "../support/own-account.ts";

const run = promisify(execFile);

test("creating a key long after the sign-in asks for the password; the key is shown once, opens the chosen dataset and runs the programs in Help, and after a rotation the old value works as long as chosen", async ({
  page,
  request,
  baseURL,
}) => {
  const path = "/api/datasets/People%20%26%20economy/industry-unemployment";
  const account = await signInAsNewAccount(page);
  await ageSignIns(account);
  await page.goto("/keys");
  const editor = page.getByRole("dialog", { name: "Create Key" });
  const shown = page.getByRole("dialog", { name: "Key of Nightly" });
  const row = page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: "Nightly" }) });
  const readValue = async (): Promise<string> => {
    const value = await shown.getByRole("textbox", { name: "API key" }).inputValue();
    expect(value).toMatch(/^fwk_[\w-]{43}$/);
    await shown.getByRole("button", { name: "Done" }).click();
    await expect(row).toContainText(`fwk_…${value.slice(-4)}`);
    await expect(page.getByText(value)).toHaveCount(0);
    return value;
  };
  const statusOf = async (key: string, dataset = path) =>
    (await request.get(`${dataset}/sample`, { headers: { authorization: `Bearer ${key}` } })).status();

  const first = await test.step("creates a key after confirming the password", async () => {
    const save = editor.getByRole("button", { name: "Save" });
    const confirmation = page.getByRole("dialog", { name: "Confirm It's You" });
    const current = confirmation.getByRole("textbox", { name: "Current password" });
    await page.getByRole("button", { name: "Create Key" }).click();
    await editor.getByRole("checkbox", { name: "industry-unemployment" }).check();
    await editor.getByRole("textbox", { name: "Name" }).fill("Nightly");
    await save.focus();
    await page.keyboard.press("Enter");
    await expect(current).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(confirmation).toBeHidden();
    await expect(save).toBeFocused();
    await page.keyboard.press("Enter");
    await current.fill(account.password);
    await page.keyboard.press("Enter");
    const value = await readValue();
    expect([await statusOf(value), await statusOf(value, "/api/datasets/Aviation/airports")]).toEqual([200, 404]);
    await expect(row).toContainText("1 dataset");
    return value;
  });

  await test.step("runs the programs in Help", async () => {
    await page.getByRole("button", { name: "Help", exact: true }).click();
    const help = page.getByRole("dialog", { name: "Using API Keys" });
    const env = { ...process.env, FAIRWAY_API_KEY: first };
    const copyProgram = async (language: "cURL" | "Python" | "JavaScript"): Promise<string> => {
      await help.getByText(language, { exact: true }).click();
      const program = await help.getByRole("region", { name: `${language} program` }).innerText();
      await help.getByRole("button", { name: `Copy ${language} program` }).click();
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(program);
      return program;
    };
    const curl = await copyProgram("cURL");
    expect(curl).toContain(`${baseURL}${path}/search`);
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
    await page.keyboard.press("Escape");
    await expect(help).toHaveCount(0);
  });

  const rotate = async (overlap: string): Promise<string> => {
    await row.getByRole("button", { name: "Rotate Nightly" }).click();
    const dialog = page.getByRole("dialog", { name: "Rotate Nightly" });
    await dialog.getByRole("radio", { name: overlap }).check();
    await dialog.getByRole("button", { name: "Rotate" }).click();
    return readValue();
  };
  await test.step("rotates it", async () => {
    const second = await rotate("Works for 24 more hours");
    await expect(row).toContainText("Old value works until");
    expect([await statusOf(first), await statusOf(second)]).toEqual([200, 200]);
    const third = await rotate("Stops immediately");
    expect([await statusOf(first), await statusOf(second), await statusOf(third)]).toEqual([401, 401, 200]);
  });
});
