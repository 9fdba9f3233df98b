import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import {
  choose,
  days,
  editor,
  graph,
  graphMenu,
  graphsLink,
  newGraph,
  openGraphs,
  picture,
  save,
  serveAggregates,
  setColumn,
} from "#testing/graphs.ts";
import { press } from "#testing/keyboard.ts";

const question = () => page.getByRole("dialog", { name: "Discard your changes?", exact: true });
const title = () => editor().getByLabelText("Title");

beforeEach(serveAggregates);

async function draw(name: string): Promise<void> {
  const form = await newGraph();
  await choose(form, "Line");
  await form.getByLabelText("Group by").selectOptions("Temporal (Day)");
  await setColumn(form, 1, "max", "wind");
  await title().fill(name);
  await save();
  await expect.element(picture(name)).toBeVisible();
}

async function expectQuestion(): Promise<void> {
  await expect.element(question().getByText(/^The graph in the editor, Typed, has changes/)).toBeVisible();
  await question().getByRole("button", { name: "Keep editing" }).click();
  await expect.element(question()).not.toBeInTheDocument();
  await expect.element(title()).toHaveValue("Typed");
}

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

it("as a drawer, the editor asks when Escape or a click outside would close it; Cancel discards", async () => {
  await page.viewport(1000, 800);
  await openGraphs(graphsLink(days));
  await newGraph();
  await title().fill("Typed");
  await press("Escape");
  await expectQuestion();
  await page.elementLocator(document.body).click({ position: { x: 5, y: 300 } });
  await expectQuestion();
  await editor().getByRole("button", { name: "Cancel" }).click();
  await expect.element(editor()).not.toBeInTheDocument();
});

it("the focus returns to the menu of the graph after Cancel and Close, and goes to the next graph after Remove", async () => {
  await openGraphs(graphsLink(days));
  await draw("One");
  await draw("Two");
  for (const name of ["Cancel", "Close editor"]) {
    await graphMenu("One", "Edit graph");
    await title().click();
    await editor().getByRole("button", { name, exact: true }).click();
    await expect.element(editor()).not.toBeInTheDocument();
    await expect.poll(() => graph("One").element().contains(document.activeElement)).toBe(true);
    expect(document.activeElement?.tagName).toBe("BUTTON");
  }
  await graphMenu("One", "Remove graph");
  await expect.element(graph("Two")).toHaveFocus();
  await graphMenu("Two", "Remove graph");
  await expect.element(page.getByRole("button", { name: "Create graph" })).toHaveFocus();
});
