import { breakdowns } from "@fairway/contract/breakdowns";
import { beforeEach, describe, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { avgOf, days, graphsLink, openGraphs, winds } from "#testing/graphs.ts";
import { gateway } from "#testing/open-screen.tsx";
import { skipPauses } from "#testing/pauses.ts";
import { searches } from "#testing/results.ts";
import { serveSummaries } from "#testing/summaries.ts";
import { editor, openColumnMenu, rows, rowsOf, summary } from "#testing/summary-views.ts";

const byStorm = Map.groupBy(rows, ({ name }) => String(name));

const ranking = [...byStorm]
  .map(([name, of]) => ({ name, average: avgOf(winds(of)) ?? 0, count: of.length }))
  .toSorted((a, b) => b.average - a.average);

const total = { average: avgOf(winds(rows)) ?? 0, count: rows.length };

beforeEach(async () => {
  skipPauses(400);
  serveSummaries();
  // All columns of the table have room.
  await page.viewport(2560, 900);
});

describe("a summary of a column", () => {
  it("ranks the groups of an average from the menu of its column, with a press on a group for its rows", async () => {
    await openGraphs(graphsLink(days));
    await openColumnMenu("wind");
    await page.getByRole("menuitem", { name: "Average of wind by …" }).click();
    await expect.element(editor().getByLabelText("Add grouping")).toHaveFocus();
    await editor().getByLabelText("Add grouping").selectOptions("name");
    const title = "Average of wind by name";
    await expect.element(summary(title)).toHaveTextContent(`Top ${ranking.length} of ${ranking.length} names by Average of wind`);
    const line = (name: string, { average, count }: typeof total) => [name, average.toFixed(2), String(count)];
    expect(rowsOf(title)).toEqual([...ranking.map(({ name, ...of }) => line(name, of)), line("All rows", total)]);
    await expectAccessible();
    const [best] = ranking;
    await summary(title)
      .getByRole("button", { name: new RegExp(`^${best?.name}, Average of wind .* kt, # Occurences ${best?.count}$`) })
      .click();
    await page.getByRole("menuitem", { name: `Show ${best?.count} rows` }).click();
    await expect.poll(() => searches().at(-1)?.filters).toEqual([{ name: "name", operator: "=", value: best?.name }]);
    history.back();
    await expect.element(summary(title)).toBeVisible();
  });
});

it("says why a summary failed, and tries again", async () => {
  gateway.refuse(breakdowns.run, "engine-busy", "Every engine slot is taken.", { times: 1 });
  await openGraphs(graphsLink(days));
  await page.getByRole("button", { name: "Summarize", exact: true }).click();
  await expect.element(page.getByText("Error loading graph.")).toBeVisible();
  await expect.element(page.getByText("Every engine slot is taken.")).toBeVisible();
  await page.getByRole("button", { name: "Retry" }).click();
  await expect.element(summary("# Occurences").getByText(String(rows.length), { exact: true })).toBeVisible();
});
