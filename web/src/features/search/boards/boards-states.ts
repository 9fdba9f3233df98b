import { type Board, type BoardContent, boards } from "@fairway/contract/boards";
import { search } from "@fairway/contract/search";
import { sharing } from "@fairway/contract/sharing";
import { page } from "vitest/browser";
import { demoDataset } from "#testing/demo-datasets.ts";
import { serveAggregates } from "#testing/graphs.ts";
import { gateway } from "#testing/open-screen.tsx";
import { board } from "#testing/opened-screens.ts";
import { button, dialog, type ScreenState, title, failing, loading } from "#testing/screen-state.ts";

const storms = { datasetCategory: "Tropical weather", datasetId: "storm-tracks" };
const countries = { datasetCategory: "People & economy", datasetId: "country-development" };
export const katrina = { filters: [{ name: "name", value: "Katrina", operator: "=" }] };
export const at = (x: number, y: number, w: number, h: number) => ({ x, y, w, h });

export const stormsOf2005: BoardContent = {
  timeRange: { start: "2005-08-28T00:00:00Z", end: "2005-08-31T23:59:59Z" },
  refreshMinutes: null,
  panels: [
    {
      id: "number",
      kind: "number",
      title: "Observations",
      dataset: storms,
      query: katrina,
      value: { aggregation: "count", column: "*" },
      place: at(0, 0, 3, 3),
    },
    { id: "notes", kind: "text", title: "Notes", text: "**Read** this first.", place: at(3, 0, 3, 3) },
    { id: "hidden", kind: "hidden", place: at(6, 0, 6, 3) },
    {
      id: "graph",
      kind: "graph",
      title: "By day",
      dataset: storms,
      query: katrina,
      graph: {
        title: "By day",
        type: "bar",
        groupingType: "day",
        groupings: [],
        columns: [{ id: "rows", model: "*", aggregation: "count", color: "#099bf1" }],
      },
      place: at(0, 3, 6, 6),
    },
    {
      id: "table",
      kind: "table",
      title: "Countries",
      dataset: countries,
      query: { filters: [], columns: ["country", "year"] },
      place: at(6, 3, 6, 6),
    },
  ],
};

const full: Board = { ...board, description: "The storms of 2005.", panels: 5, content: stormsOf2005 };

const serve = (served: Board) => () => {
  serveAggregates();
  gateway.answer(boards.list, [served]);
  gateway.answer(boards.read, served);
  gateway.answer(search.run, ({ params }) => ({ results: demoDataset(params.datasetId).rows.slice(0, 25) }));
};
const shares: Board["shares"] = [
  { to: { kind: "user", id: "u-bob", name: "bob" }, can: "edit" },
  { to: { kind: "group", id: "g-1", name: "Boats" }, can: "view" },
];
const graph = () => page.getByRole("region", { name: "By day", exact: true }).getByRole("img");

export const states: readonly ScreenState[] = [
  { name: "boards", answers: serve(full), open: "/boards", shows: title("Boards"), phone: true },
  { name: "boards-none", open: "/boards", shows: title("Boards") },
  loading("boards-loading", "/boards", boards.list, title("Boards")),
  failing("boards-failed", "/boards", boards.list),
  { name: "board", answers: serve(full), open: "/boards/season", shows: graph, phone: true },
  {
    name: "board-edited",
    answers: serve(full),
    open: "/boards/season",
    steps: [() => button("Edit").click()],
    shows: () => button("Add panel"),
  },
  {
    name: "board-share",
    answers: serve({ ...full, shares }),
    open: "/boards/season",
    steps: [() => button("Share").click()],
    shows: () => dialog("Share Season"),
    phone: true,
  },
  {
    name: "board-give",
    answers: () => {
      serve({ ...full, shares })();
      gateway.answer(sharing.candidates, [{ kind: "user", id: "u-bob", name: "bob" }]);
    },
    open: "/boards/season",
    steps: [
      () => button("More actions").click(),
      () => page.getByRole("menuitem", { name: "Give away" }).click(),
      () => page.getByRole("combobox", { name: "New owner" }).fill("bob"),
      () => page.getByRole("option", { name: /^bob/ }).click(),
    ],
    shows: () => dialog("Give away Season"),
    phone: true,
  },
  {
    name: "board-without-panels",
    answers: serve({ ...board, panels: 0, content: { refreshMinutes: null, panels: [] } }),
    open: "/boards/season",
    shows: title("Season"),
  },
  {
    name: "board-unknown",
    answers: () => gateway.refuse(boards.read, "not-found", "There is no such board."),
    open: "/boards/season",
    shows: () => page.getByRole("main"),
  },
  {
    name: "board-panels-failed",
    answers: () => {
      serve(full)();
      gateway.refuse(search.run, "engine-busy", "Every engine slot is taken.");
    },
    open: "/boards/season",
    shows: graph,
  },
];
