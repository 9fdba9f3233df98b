import { axeViolations } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { choose, graph, graphsLink, newGraph, openGraphs, picture, save, table } from "../support/graphs.ts";

const days = { from: "2005-08-26T06:00:00", to: "2005-08-29T18:00:00" };

test.use({ colorScheme: "dark", viewport: { width: 390, height: 844 } });

test("on a phone in the dark theme, graphs, their tables and their editor have no axe violations and no horizontal scrolling", async ({
  page,
  signIn,
}) => {
  await signIn();
  await openGraphs(page, graphsLink(days));
  const expectClean = async () => {
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
  };
  const form = await newGraph(page);
  await choose(form, "Pie");
  await form.getByLabel("Group by").selectOption({ label: "Temporal (Day)" });
  await form.getByRole("button", { name: "Add derived column" }).click();
  await form.getByPlaceholder("Label").fill("Mean");
  await form.getByLabel("Title").fill("Shares");
  await expect(form.getByRole("button", { name: "Save graph" })).toBeEnabled();
  await expectClean();
  await save(page);
  await expect(picture(page, "Shares")).toBeVisible();
  await expectClean();
  await choose(graph(page, "Shares"), "Table");
  await expect(table(page, "Shares")).toBeVisible();
  await expectClean();
});
