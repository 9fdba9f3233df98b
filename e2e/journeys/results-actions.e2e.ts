import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { SearchAnswer } from "@fairway/contract/search";
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { exportedRows } from "../support/results-export.ts";
import { chooseAction, type SearchParams, katrina, openResults, portalApi } from "../support/results.ts";

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
const sampleSearch: SearchParams = { category: katrina.category, dataset: katrina.dataset, isSample: true };

const searches = [
  [
    "a search with quotes in its filter and a sort",
    { ...katrina, filters: [["name", "<>", "O'Neil $HOME `x`"]], sort: [["wind", "desc"]] },
  ],
  ["a search without paging", { category: "People & economy", dataset: "country-development", filters: [["country", "=", "Brazil"]] }],
  ["a sample", sampleSearch],
] as const satisfies [string, SearchParams][];

test("[RESULT-38] a copied cURL command runs in a shell and returns the rows on the screen", async ({ page, request, signIn }) => {
  await signIn();
  for (const [title, search] of searches) {
    await test.step(title, async () => {
      await openResults(page, search);
      await chooseAction(page, "Copy cURL Command");
      await expect(page.getByText("cURL command copied")).toBeVisible();
      const command = await clipboard(page);
      expect(command).toMatch(/^curl /);
      const { token } = await portalApi(request);
      expect(command).not.toContain(token);
      const { stdout } = await promisify(execFile)("bash", ["-c", command], { env: { ...process.env, FAIRWAY_API_KEY: token } });
      const { results } = JSON.parse(stdout) as SearchAnswer;
      expect(results.length).toBeGreaterThan(0);
      expect(results).toEqual(await exportedRows(page));
    });
  }
});
