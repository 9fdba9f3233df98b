import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectText } from "#testing/assertions.ts";
import { demoDataset } from "#testing/demo-datasets.ts";
import { copied, press } from "#testing/keyboard.ts";
import { alterRows, katrina, openResults } from "#testing/results.ts";
import { openRaw, raw } from "#testing/raw-results.ts";

const line = (number: number) => raw().css(`[role=row][aria-rowindex="${number}"]`);

it("[RESULT-21] shows the rows as pretty-printed JSON", async () => {
  await openRaw();
  const rows = demoDataset("storm-tracks").rows.slice(0, 25);
  const expected = JSON.stringify(rows, null, 2).split("\n");
  await expect.element(raw()).toHaveAttribute("aria-rowcount", String(expected.length));
  for (const number of [1, 2, 3, 6, 17, 18]) await expect.element(line(number)).toHaveTextContent(expected[number - 1]?.trim() ?? "");
  raw().element().scrollTo({ top: raw().element().scrollHeight });
  await expect.element(line(expected.length - 2)).toHaveTextContent(expected.at(-3)?.trim() ?? "");
  await page.getByRole("button", { name: "Copy all" }).click();
  await expect.poll(copied).toBe(expected.join("\n"));
});

it("highlights matches in the table and scrolls to them", async () => {
  alterRows((rows) => rows.map((row, index) => (index === 24 ? { ...row, track_path: "a needle" } : row)));
  await openResults(katrina);
  await press("/");
  const find = page.getByRole("textbox", { name: "Find in loaded rows" });
  await expect.element(find).toHaveFocus();
  await find.fill("needle");
  await expectText(page.getByRole("search").getByRole("status"), /^1 of \d$/);
  await expect.element(page.getByRole("grid").css("mark").filter({ hasText: "needle" }).first()).toBeInViewport();
});
