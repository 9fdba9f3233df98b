import { graphs } from "@fairway/contract/graphs";
import { page } from "vitest/browser";
import {
  choose,
  days,
  editor,
  graph,
  graphsLink,
  newGraph,
  openGraphs,
  picture,
  save,
  serveAggregates,
  setColumn,
} from "#testing/graphs.ts";
import { gateway } from "#testing/open-screen.tsx";
import type { ScreenState } from "#testing/screen-state.ts";

const open = () => openGraphs(graphsLink(days));

async function fillIn(): Promise<void> {
  await choose(editor(), "Line");
  await editor().getByLabelText("Group by").selectOptions("Temporal (Day)");
  await setColumn(editor(), 1, "max", "wind");
  await editor().getByLabelText("Title").fill("Winds");
}

export const states: readonly ScreenState[] = [
  {
    name: "graphs-none",
    answers: serveAggregates,
    open,
    shows: () => page.getByRole("button", { name: "Create graph", exact: true }),
    phone: true,
  },
  { name: "graphs-editor", answers: serveAggregates, open, steps: [newGraph, fillIn], shows: editor },
  { name: "graphs-line", answers: serveAggregates, open, steps: [newGraph, fillIn, save], shows: () => picture("Winds") },
  {
    name: "graphs-table",
    answers: serveAggregates,
    open,
    steps: [newGraph, fillIn, save, () => choose(graph("Winds"), "Table")],
    shows: () => graph("Winds").getByRole("table"),
  },
  {
    name: "graphs-shares",
    answers: serveAggregates,
    open,
    steps: [
      newGraph,
      async () => {
        await choose(editor(), "Pie");
        await editor().getByLabelText("Group by").selectOptions("Temporal (Day)");
        await editor().getByLabelText("Title").fill("Shares");
      },
      save,
    ],
    shows: () => graph("Shares").getByRole("table"),
    phone: true,
  },
  {
    name: "graphs-failed",
    answers: () => {
      serveAggregates();
      gateway.refuse(graphs.batch, "engine-busy", "Every engine slot is taken.");
    },
    open,
    steps: [newGraph, fillIn, save],
    shows: () => graph("Winds"),
  },
];
