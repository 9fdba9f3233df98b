import { breakdowns } from "@fairway/contract/breakdowns";
import { page } from "vitest/browser";
import { days, graphsLink, openGraphs } from "#testing/graphs.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { button, failing, loading, type ScreenState, text } from "#testing/screen-state.ts";
import { serveSummaries } from "#testing/summaries.ts";

const open = () => openGraphs(graphsLink(days));
const editor = () => page.getByRole("form", { name: "Edit summary" });
const summarize = () => button("Summarize").click();
const by =
  (...groupings: readonly string[]) =>
  async () => {
    for (const grouping of groupings) await editor().getByLabelText("Add grouping").selectOptions(grouping);
  };
const save = () => editor().getByRole("button", { name: "Save graph", exact: true }).click();
const byName = {
  measures: [{ aggregation: "count", column: "*" }],
  by: [{ kind: "value", column: "name", top: { count: 5, other: true } }],
};
/** Of a dataset that has no graphs view. */
const openInDialog = () => openScreen(graphsLink(days, { graphs: [{ breakdown: byName }] }));
const table = () => page.getByRole("table");
const picture = () => page.getByRole("img").first();

export const states: readonly ScreenState[] = [
  { name: "summary-editor", answers: serveSummaries, open, steps: [summarize, by("name")], shows: editor, phone: true },
  { name: "summary-number", answers: serveSummaries, open, steps: [summarize, save], shows: text(/^All .* rows$/) },
  { name: "summary-ranked", answers: serveSummaries, open, steps: [summarize, by("name"), save], shows: table, phone: true },
  { name: "summary-steps", answers: serveSummaries, open, steps: [summarize, by("time by day"), save], shows: picture, phone: true },
  { name: "summary-heatmap", answers: serveSummaries, open, steps: [summarize, by("name", "status"), save], shows: table, phone: true },
  {
    name: "summary-menu",
    answers: serveSummaries,
    open,
    steps: [
      summarize,
      by("name"),
      save,
      () =>
        page
          .getByRole("button", { name: /, # Occurences \d+$/ })
          .first()
          .click(),
    ],
    shows: () => page.getByRole("menu"),
    phone: true,
  },
  {
    name: "summary-dialog",
    answers: () => serveSummaries({ hasNumbers: false }),
    open: openInDialog,
    shows: () => page.getByRole("dialog").getByRole("table"),
    phone: true,
  },
  {
    name: "summary-no-group",
    answers: serveSummaries,
    open,
    steps: [summarize, by("name"), () => editor().getByRole("button", { name: "Add condition" }).click()],
    shows: text("No name has at least 100 rows."),
  },
  { ...loading("summary-loading", open, breakdowns.run, text("Computing"), serveSummaries), steps: [summarize] },
  { ...failing("summary-failed", open, breakdowns.run, serveSummaries), steps: [summarize] },
  {
    name: "summary-too-large",
    answers: () => {
      serveSummaries();
      gateway.refuse(breakdowns.run, "too-large", "This breakdown has 220 × 720 = 158,400 cells; one answer holds 50,000.");
    },
    open,
    steps: [summarize, by("time by day")],
    shows: () => button("By week"),
  },
];
