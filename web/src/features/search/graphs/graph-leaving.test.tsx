import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { choose, days, editor, graphsLink, newGraph, openGraphs, serveAggregates } from "#testing/graphs.ts";
import { gateway } from "#testing/open-screen.tsx";
import { expectQuestion, question, title } from "#testing/graph-leaving.ts";

beforeEach(() => {
  serveDatasets(gateway);
  serveAggregates();
});

it("the editor of a graph asks before a close, a link or Back loses what was typed; an unchanged one closes at once", async () => {
  await openGraphs(graphsLink(days));
  await newGraph();
  await editor().getByRole("button", { name: "Close editor" }).click();
  await expect.element(editor()).not.toBeInTheDocument();
  await newGraph();
  await title().fill("Typed");
  await editor().getByRole("button", { name: "Close editor" }).click();
  await expectQuestion();
  await page.getByRole("link", { name: "Filesets", exact: true }).click();
  await expectQuestion();
  await choose(page.getByRole("radiogroup", { name: "View" }), "Table");
  await expect.element(editor()).not.toBeInTheDocument();
  // The changes are kept meanwhile, and asked about.
  await page.getByRole("link", { name: "Filesets", exact: true }).click();
  await question().getByRole("button", { name: "Keep editing" }).click();
  await choose(page.getByRole("radiogroup", { name: "View" }), "Graphs");
  await expect.element(title()).toHaveValue("Typed");
  await editor().getByRole("button", { name: "Close editor" }).click();
  await question().getByRole("button", { name: "Discard" }).click();
  await expect.element(editor()).not.toBeInTheDocument();
});
