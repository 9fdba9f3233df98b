import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { noteNotRun } from "@fairway/gateway/testing/not-run";
import { expect, test } from "../support/fixtures.ts";
import { adminHeaders } from "../support/own-account.ts";
import { uniqueName } from "../support/administration.ts";

const run = promisify(execFile);

test("code copied from a dataset's page gets its rows and a file of all of them in a shell, as the key allows", async ({
  page,
  request,
  signIn,
}) => {
  if (!(await run("curl", ["--version"]).then(Boolean, () => false))) {
    noteNotRun("the journey with code for other programs", "cURL is not installed");
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), "fairway-e2e-use-"));
  const shell = (code: string, key: string) =>
    run("bash", ["-e", "-o", "pipefail", "-c", code], { cwd: folder, env: { ...process.env, FAIRWAY_API_KEY: key } });
  const headers = await adminHeaders(request);
  const name = uniqueName("elsewhere");
  const dataset = { datasetCategory: "Tropical weather", datasetId: "storm-tracks" };
  const created = await request.post("/api/apiKeys", { headers, data: { name, datasets: [dataset], filesetIds: [] } });
  const { key } = (await created.json()) as { key: string };
  const copied = async (title: string): Promise<string> => {
    await page.getByRole("button", { name: `Copy cURL: ${title}` }).click();
    return page.evaluate(() => navigator.clipboard.readText());
  };

  await signIn();
  await page.goto("/data-catalog/Tropical%20weather/storm-tracks");
  await page.getByRole("main").getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Use It Elsewhere" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Use storm-tracks elsewhere" })).toBeVisible();
  const { stdout } = await shell(await copied("The first 1,000 rows"), key);
  const { results } = JSON.parse(stdout) as { results: Record<string, unknown>[] };
  expect(results.length).toBeGreaterThan(0);
  await shell(await copied("All rows as a CSV file"), key);
  const [header = "", ...lines] = (await readFile(join(folder, "rows.csv"), "utf8")).trim().split("\r\n");
  expect(header.split(",")).toEqual(expect.arrayContaining(Object.keys(results[0] ?? {})));
  expect(lines.length).toBeGreaterThanOrEqual(results.length);

  // A key opens its datasets only.
  await page.goto("/data-catalog/Natural%20hazards/earthquakes/use");
  const code = await copied("The first 1,000 rows");
  const refused = await shell(code, key).then(
    ({ stdout: answered }) => answered,
    (error: unknown) => (error as { stdout: string }).stdout,
  );
  expect(JSON.parse(refused)).toMatchObject({ errors: [{ code: "not-found" }] });
  await request.delete(`/api/apiKeys/${encodeURIComponent(name)}`, { headers });
  await rm(folder, { recursive: true });
});
