import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { choose, days, editor, graph, graphsLink, openGraphs, picture, serveAggregates } from "#testing/graphs.ts";
import { press } from "#testing/keyboard.ts";
import { skipPauses } from "#testing/pauses.ts";
import { header } from "#testing/results.ts";
import { serveProfiles } from "#testing/graph-columns.ts";

const preview = () => page.getByRole("region", { name: "Preview", exact: true });
const viewSwitch = () => page.getByRole("radiogroup", { name: "View" });

async function graphColumn(name: string): Promise<void> {
  await header(name).hover();
  await page.getByRole("button", { name: `${name} column menu` }).click();
  await page.getByRole("menuitem", { name: "Graph this column" }).click();
}

beforeEach(() => {
  skipPauses(400);
  serveAggregates();
  serveProfiles();
});

it("graphs a column from its menu: a number over time, a text by its top values", async () => {
  await page.viewport(2560, 700);
  await openGraphs(graphsLink(days));
  await choose(viewSwitch(), "Table");
  await graphColumn("wind");
  await expect.element(editor().getByLabelText("Title")).toHaveFocus();
  await expect.element(editor().getByLabelText("Title")).toHaveValue("avg of wind by day");
  await expect.element(preview().getByRole("img", { name: /^avg of wind by day\. Line graph of avg of wind in 4 groups/ })).toBeVisible();
  await editor().getByRole("button", { name: "Cancel", exact: true }).click();
  await choose(viewSwitch(), "Table");
  await graphColumn("name");
  await expect.element(preview().getByRole("img", { name: /^# Occurences by name\. Bar graph/ })).toBeVisible();
  await editor().getByLabelText("Title").fill("Names");
  await press("Enter");
  await expect.element(picture("Names")).toBeVisible();
  await expect.element(graph("Names")).toHaveFocus();
});
