import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { SearchAnswer } from "@fairway/contract/search";
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { exportedRows } from "../support/results-export.ts";
import { act, type Asked, katrina, openResults, portalApi } from "../support/results.ts";

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
const sampled: Asked = { category: katrina.category, dataset: katrina.dataset, isSample: true };

const copied = [
  [
    "a search with quotes in its filter and an order",
    { ...katrina, filters: [["name", "<>", "O'Neil $HOME `x`"]], sort: [["wind", "desc"]] },
  ],
  ["a search that does not page", { category: "People & economy", dataset: "country-development", filters: [["country", "=", "Brazil"]] }],
  ["a sample", sampled],
] as const satisfies [string, Asked][];

test("[RESULT-38] a copied cURL command runs in a shell and answers the rows on the screen", async ({ page, request, signIn }) => {
  await signIn();
  for (const [what, asked] of copied) {
    await test.step(what, async () => {
      await openResults(page, asked);
      await act(page, "Copy cURL Command");
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
