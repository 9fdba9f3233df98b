import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { demoDataset } from "#testing/demo-datasets.ts";
import { copied } from "#testing/keyboard.ts";
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
