import { beforeEach, describe, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { days, graphsLink, openGraphs } from "#testing/graphs.ts";
import { press } from "#testing/keyboard.ts";
import { skipPauses } from "#testing/pauses.ts";
import { breakdownRequests, serveSummaries } from "#testing/summaries.ts";
import { editor, openColumnMenu, rows, rowsOf, summary } from "#testing/summary-views.ts";
import { setField } from "#testing/quick-fields.ts";

beforeEach(async () => {
  skipPauses(400);
  serveSummaries();
  // All columns of the table have room.
  await page.viewport(2560, 900);
});

describe("a summary of a column", () => {
  it("crosses it with a second grouping, in cells that keys move through", async () => {
    await openGraphs(graphsLink(days));
    await openColumnMenu("name");
    await page.getByRole("menuitem", { name: "Summarize by name" }).click();
    await editor().getByLabelText("Add grouping").selectOptions("status");
    const title = "# Occurences by name and status";
    const first = summary(title)
      .getByRole("button", { name: /^.+, .+, # Occurences \d+$/ })
      .first();
    await expect.element(first).toBeVisible();
    expect(breakdownRequests().at(-1)).toMatchObject({ by: [{ column: "name" }, { column: "status" }], totals: true });
    first.element().focus();
    await press("ArrowRight");
    await press("Enter");
    await expect.element(page.getByRole("menuitem", { name: /^Show \d+ rows?$/ })).toBeVisible();
    await press("Escape");
    await expectAccessible();
  });
});

it("groups times by the day of the week, named in full", async () => {
  await openGraphs(graphsLink(days));
  await page.getByRole("button", { name: "Summarize", exact: true }).click();
  await editor().getByLabelText("Add grouping").selectOptions("time by day of week");
  await expect.poll(() => breakdownRequests().at(-1)?.by).toEqual([{ kind: "part", column: "time", part: "dayOfWeek" }]);
  await expect.element(summary("# Occurences by day of week").getByRole("button", { name: /^Monday, # Occurences \d+$/ })).toBeVisible();
  await expect.element(summary("# Occurences by day of week")).toHaveTextContent(`All ${rows.length} rows, times in UTC`);
});

it("keeps a bound on figures that the table was searched for as a condition", async () => {
  await openGraphs(graphsLink(days));
  await page.getByRole("button", { name: "Summarize", exact: true }).click();
  await editor().getByLabelText("Add grouping").selectOptions("time");
  const title = "# Occurences by time";
  await summary(title)
    .getByRole("textbox", { name: `Find in ${title}` })
    .fill("at least 1");
  await expect.element(summary(title)).toHaveTextContent("groups with # Occurences >= 1");
  await page.getByRole("button", { name: "Keep as condition" }).click();
  await expect.poll(() => breakdownRequests().at(-1)?.having).toEqual([{ measure: "count(*)", operator: ">=", value: 1 }]);
});

it("says which condition no group meets, and takes it away", async () => {
  await openGraphs(graphsLink(days));
  await openColumnMenu("name");
  await page.getByRole("menuitem", { name: "Summarize by name" }).click();
  await setField(editor().getByRole("combobox", { name: "Aggregation" }), "avg");
  await editor().getByRole("button", { name: "Add condition" }).click();
  // The number of rows becomes a measure, as conditions are on measures.
  await expect
    .poll(() =>
      breakdownRequests()
        .at(-1)
        ?.measures.map(({ aggregation }) => aggregation),
    )
    .toEqual(["avg", "count"]);
  await expect.element(page.getByText("No name has at least 100 rows.")).toBeVisible();
  await page.getByRole("button", { name: "Remove condition", exact: true }).click();
  await expect.element(page.getByText("No name has at least 100 rows.")).not.toBeInTheDocument();
  await editor().getByRole("button", { name: "Cancel", exact: true }).click();
  await expect.element(page.getByRole("button", { name: "Create graph", exact: true })).toBeVisible();
});

it("draws steps of time above their table, with a menu for the group that keys reach", async () => {
  await openGraphs(graphsLink(days));
  await page.getByRole("button", { name: "Summarize", exact: true }).click();
  await editor().getByLabelText("Add grouping").selectOptions("time by day");
  const card = summary("# Occurences by day");
  const chart = card.getByRole("img");
  await expect.element(chart).toHaveAccessibleName(/^# Occurences by day\. Columns of 4 groups, from 08\/26\/2005 to 08\/29\/2005\./);
  expect(rowsOf("# Occurences by day")).toHaveLength(5);
  chart.element().focus();
  await press("ArrowRight");
  await press("Enter");
  await expect.element(page.getByRole("menuitem", { name: /^Show \d+ rows$/ })).toBeVisible();
  await press("Escape");
  await expect.element(page.getByRole("menuitem", { name: /^Show \d+ rows$/ })).not.toBeInTheDocument();
  card.element().focus();
  await press("t");
  await expect.element(chart).not.toBeInTheDocument();
  await expectAccessible();
});
