import { search } from "@fairway/contract/search";
import { page } from "vitest/browser";
import { press } from "#testing/keyboard.ts";
import { openScreen } from "#testing/open-screen.tsx";
import { gateway } from "#testing/open-screen.tsx";
import { cell, countries, fewRows, grid, header, katrina, openResults, searchLink, unemployment } from "#testing/results.ts";
import { button, failure, type ScreenState, text } from "#testing/screen-state.ts";

const firstCell = () => grid().getByRole("gridcell").first();
const open = () => openScreen(searchLink(katrina));

export const states: readonly ScreenState[] = [
  { name: "results-table", open: () => openResults(katrina), shows: firstCell, phone: true },
  { name: "results-table-few", open: () => openResults(fewRows), shows: firstCell },
  { name: "results-table-uncounted", open: () => openResults(unemployment), shows: firstCell },
  { name: "results-table-without-pages", open: () => openResults(countries), shows: firstCell },
  { name: "results-sample", open: () => openResults({ ...countries, isSample: true }), shows: firstCell },
  {
    name: "results-table-arranged",
    open: () => openResults(katrina),
    steps: [
      () => button("name column menu").click(),
      () => page.getByRole("menuitem", { name: "Pin column", exact: true }).click(),
      () => press("Shift+ArrowRight", header("season")),
      () => press("Alt+ArrowRight", header("season")),
      () => press(" ", cell(2, "season")),
      () => press("Control+End", cell(2, "season")),
    ],
    shows: () => cell(25, "name"),
    phone: true,
  },
  {
    name: "results-raw",
    open: () => openResults(fewRows),
    steps: [() => page.getByText("Raw", { exact: true }).click()],
    shows: () => page.getByRole("treegrid", { name: "Raw results" }),
    phone: true,
  },
  { name: "results-row-details", open: () => openResults(fewRows), steps: [() => cell(1, "season").click()], shows: firstCell },
  {
    name: "results-compared",
    open: () => openResults(fewRows),
    steps: [() => press(" ", cell(1, "season")), () => press(" ", cell(3, "season")), () => button("Compare").click()],
    shows: () => page.getByRole("region", { name: "Compared rows" }),
    phone: true,
  },
  { name: "results-none", answers: () => gateway.answer(search.run, { results: [] }), open, shows: text(/no (?:rows|results)/i) },
  { name: "results-loading", answers: () => void gateway.hold(search.run), open, shows: text("storm-tracks") },
  {
    name: "results-failed",
    answers: () => gateway.refuse(search.run, "engine-busy", "Every engine slot is taken."),
    open,
    shows: failure,
    phone: true,
  },
];
