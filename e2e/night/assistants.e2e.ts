import { readFileSync } from "node:fs";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { APIRequestContext } from "@playwright/test";
import { uniqueName } from "../support/administration.ts";
import { expect, test } from "../support/fixtures.ts";
import { adminHeaders } from "../support/own-account.ts";

interface Fact {
  readonly at: string;
  readonly is: string | number;
}

interface Question {
  readonly tool: string;
  readonly arguments: Record<string, unknown>;
  /** All of them hold. */
  readonly answer: Fact | readonly Fact[];
}

/** Those of the documentation, by their text. */
function questions(): [string, Question][] {
  const text = readFileSync(new URL("../../docs/assistants.md", import.meta.url), "utf8");
  const found = text.matchAll(/^### \d+\. (.+)\n\n```json\n([\s\S]+?)\n```$/gm);
  return Array.from(found, ([, title = "", json = ""]) => [title, JSON.parse(json) as Question]);
}

const valueAt = (answer: unknown, path: string): unknown =>
  path.split(".").reduce((value: unknown, step) => (value as Record<string, unknown> | undefined)?.[step], answer);

async function createKey(request: APIRequestContext, name: string): Promise<string> {
  const headers = await adminHeaders(request);
  const list = (await (await request.get("/api/datasets", { headers })).json()) as {
    datasets: { datasetCategory: string; datasetId: string }[];
  }[];
  const filesets = (await (await request.get("/api/filesets", { headers })).json()) as { id: string }[];
  const datasets = list.flatMap((category) => category.datasets.map(({ datasetCategory, datasetId }) => ({ datasetCategory, datasetId })));
  const created = await request.post("/api/apiKeys", { headers, data: { name, datasets, filesetIds: filesets.map(({ id }) => id) } });
  expect(created.status()).toBe(201);
  return ((await created.json()) as { key: string }).key;
}

test.afterEach(async ({ request }) => {
  await request.put("/api/admin/assistants", { headers: await adminHeaders(request), data: { enabled: true } });
});

test("an assistant answers thirty questions with a key, its links open the same searches, and an administrator sees its use and ends it", async ({
  page,
  request,
  signIn,
  baseURL,
}) => {
  if (baseURL === undefined) throw new Error("no portal");
  const name = uniqueName("assistant");
  const key = await createKey(request, name);
  const client = new Client({ name: "journey", version: "1.0.0" });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${baseURL}/api/mcp`), { requestInit }));
  const ask = async (tool: string, input: Record<string, unknown>) =>
    (await client.callTool({ name: tool, arguments: input })).structuredContent;

  await test.step("the questions of the documentation", async () => {
    const all = questions();
    expect(all).toHaveLength(30);
    for (const [text, { tool, arguments: input, answer }] of all) {
      const answered = await ask(tool, input);
      for (const { at, is } of [answer].flat()) {
        const value = valueAt(answered, at);
        if (typeof is === "number") expect(value, `${text} ${at}`).toBeCloseTo(is, 6);
        else expect(value, `${text} ${at}`).toBe(is);
      }
    }
  });

  await test.step("a link of an answer", async () => {
    const strong = { column: "mag", operator: ">", value: 5 };
    const answer = await ask("search_rows", { category: "Natural hazards", dataset: "earthquakes", filters: [strong], limit: 1 });
    await signIn("viewer");
    await page.goto(valueAt(answer, "portal_link") as string);
    await expect(page.getByText("25 of 35 results")).toBeVisible();
  });

  await test.step("a link of a summary, which opens it drawn", async () => {
    const may = { start: "2001-05-01", end: "2001-05-31" };
    const latest = { by: [{ column: "origin" }], measures: ["avg(delay)"], top: 3 };
    const answer = await ask("summarize", { category: "Aviation", dataset: "flights", time_range: may, ...latest });
    await page.goto(valueAt(answer, "portal_link") as string);
    const row = page.getByRole("row").filter({ hasText: "SBP" });
    await expect(row).toContainText("21.98");
    await expect(row).toContainText("207");
  });

  await test.step("an administrator, by keyboard and on a phone", async () => {
    const admin = await page
      .context()
      .browser()
      ?.newPage({ baseURL, viewport: { width: 390, height: 844 } });
    if (admin === undefined) throw new Error("no browser");
    await signIn("admin", admin);
    await admin.goto("/assistants");
    await expect(admin.getByRole("heading", { level: 1, name: "Assistants" })).toBeVisible();
    await expect(admin.getByRole("region", { name: "Server configuration" })).toContainText(`${baseURL}/api/mcp`);
    await expect(admin.getByRole("region", { name: "Assistant usage" }).getByRole("row").filter({ hasText: name })).toContainText(
      "aggregate 1",
    );
    const allow = admin.getByRole("switch", { name: "Allow assistants to use this portal" });
    await allow.focus();
    await admin.keyboard.press("Space");
    await expect(admin.getByRole("note")).toHaveText("An administrator has turned off assistants for this portal.");
    // Another gateway may allow them for some seconds more.
    await expect(async () => expect(ask("list_datasets", {})).rejects.toThrow("has turned off assistants")).toPass();
    await expect(allow).toBeEnabled();
    await allow.focus();
    await admin.keyboard.press("Space");
    await expect(admin.getByRole("note")).toHaveCount(0);
    await expect(allow).toBeChecked();
    expect(await admin.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await admin.close();
  });
  await client.close();
});
