import { columnValues } from "@fairway/contract/column-values";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectText } from "#testing/assertions.ts";
import { expectAccessible } from "#testing/accessibility.ts";
import {
  batchRequests,
  choose,
  editor,
  graph,
  graphsLink,
  newGraph,
  openGraphs,
  save,
  serveAggregates,
  shownValues,
  stormRows,
  table,
} from "#testing/graphs.ts";
import { gateway } from "#testing/open-screen.tsx";
import { skipPauses } from "#testing/pauses.ts";
import { searches } from "#testing/results.ts";
import { serveProfiles, season } from "#testing/graph-columns.ts";

const preview = () => page.getByRole("region", { name: "Preview", exact: true });
const filling = () => editor().getByRole("group", { name: "Create groups from a column" });

beforeEach(() => {
  skipPauses(400);
  serveAggregates();
  serveProfiles();
});

it("fills custom groups with a column's top values and one for the rest, drawn in one call; the legend hides a group", async () => {
  await openGraphs(graphsLink(season));
  const form = await newGraph();
  await choose(form, "Doughnut");
  await form.getByLabelText("Group by").selectOptions("Custom");
  await filling().getByLabelText("Column to create groups from").selectOptions("category");
  await filling().getByLabelText("How to group").selectOptions("Top values");
  await filling().getByLabelText("Number of groups").selectOptions("3");
  await filling().getByRole("button", { name: "Create groups" }).click();
  const profile = gateway.received(columnValues.profile).at(-1);
  expect(profile).toMatchObject({ params: { column: "category" }, body: { filters: [] } });
  await expectText(form.getByRole("status"), "4 groups");
  await expect.element(form.getByText("Rows that are in none of the other groups")).toBeVisible();
  await expect.element(preview().getByRole("img", { name: /in 4 groups/ })).toBeVisible();
  await form.getByLabelText("Title").fill("Names");
  await save();

  const rows = stormRows(season);
  const lines = await shownValues("Names");
  expect(lines.map(([label]) => label).at(-1)).toBe("Other");
  expect(lines.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(rows.length);
  for (const [label, count] of lines.slice(0, 3))
    expect(rows.filter(({ category }) => String(category) === label)).toHaveLength(Number(count));
  expect(batchRequests()).toHaveLength(1);
  expect(batchRequests()[0]?.body.groups.at(-1)?.filters).toEqual(
    lines.slice(0, 3).map(([value]) => ({ name: "category", operator: "<>", value: Number(value) })),
  );

  const [first = ""] = lines[0] ?? [];
  const total = table("Names").css("tfoot td").first();
  await expect.element(total).toHaveTextContent(rows.length.toLocaleString("en-US"));
  const key = table("Names").getByRole("button", { name: first, exact: true });
  await key.click();
  await expect.element(key).toHaveAttribute("aria-pressed", "false");
  await expect.element(total).toHaveTextContent((rows.length - Number(lines[0]?.[1])).toLocaleString("en-US"));
  await choose(graph("Names"), "Chart");
  await expectAccessible({ within: ["main"] });

  await table("Names").getByRole("button", { name: "Search the rows of Other" }).click();
  await expect.poll(() => searches().at(-1)?.filters).toHaveLength(3);
});

it("fills a group of its own for the rows without a value, apart from Other", async () => {
  const top = [{ value: "hurricane", rows: 20 }];
  gateway.answer(columnValues.profile, () => ({ rows: 30, empty: 7, distinct: 3, min: "a", max: "z", top, histogram: [] }));
  await openGraphs(graphsLink(season));
  const form = await newGraph();
  await choose(form, "Doughnut");
  await form.getByLabelText("Group by").selectOptions("Custom");
  await filling().getByLabelText("Column to create groups from").selectOptions("status");
  await filling().getByRole("button", { name: "Create groups" }).click();
  await expectText(form.getByRole("status"), "3 groups");
  const empty = form.getByRole("group", { name: "Empty", exact: true });
  await expect.element(empty.getByRole("textbox", { name: "Value of condition 1" })).toHaveValue("empty");
  expect([...(empty.getByLabelText("Operator of condition 1").element() as HTMLSelectElement).options].map(({ value }) => value)).toEqual([
    "=",
    "<>",
  ]);
  await expectAccessible({ within: ["form"] });
  await form.getByLabelText("Title").fill("Status");
  await save();
  const is = { name: "status", operator: "=" };
  const isNot = { name: "status", operator: "<>" };
  expect(
    batchRequests()
      .at(-1)
      ?.body.groups.map(({ filters }) => filters),
  ).toEqual([
    [{ ...is, value: "hurricane" }],
    [{ ...is, value: null }],
    [
      { ...isNot, value: "hurricane" },
      { ...isNot, value: null },
    ],
  ]);
  expect((await shownValues("Status")).map(([label]) => label)).toEqual(["hurricane", "Empty", "Other"]);
  await table("Status").getByRole("button", { name: "Search the rows of Empty" }).click();
  await expect.poll(() => searches().at(-1)?.filters).toEqual([{ ...is, value: null }]);
});

it("fills ranges of a number, says why a column could not be read, and fills again", async () => {
  await openGraphs(graphsLink(season));
  const form = await newGraph();
  await form.getByLabelText("Group by").selectOptions("Custom");
  gateway.refuse(columnValues.profile, "engine-busy", "Every engine slot is taken.", { times: 1 });
  await filling().getByLabelText("Column to create groups from").selectOptions("wind");
  await expect.element(filling().getByLabelText("How to group")).toHaveValue("ranges");
  await filling().getByRole("button", { name: "Create groups" }).click();
  await expectText(filling().getByRole("alert"), "The values of wind could not be read. Every engine slot is taken.");
  await filling().getByRole("button", { name: "Create groups" }).click();
  await expectText(form.getByRole("status"), "7 groups");
  await expect.element(filling().getByRole("alert")).not.toBeInTheDocument();
  await expect.element(form.getByLabelText("Title")).toHaveValue("# Occurences by wind");
  await expect.element(preview().getByRole("img", { name: /from 20 – 39 to 140 – 159/ })).toBeVisible();
});
