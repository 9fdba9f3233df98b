import { datasets } from "@fairway/contract/datasets";
import { startPage } from "@fairway/contract/start-page";
import { page } from "vitest/browser";
import { serveGroups } from "#testing/dataset-groups.ts";
import { airports, earthquakes, expectForm, formOf, openForm, pick, storms } from "#testing/datasets-screen.ts";
import { gateway } from "#testing/open-screen.tsx";
import { fewRows, searchLink } from "#testing/results.ts";
import { failure, type ScreenState, text, title, failing, loading } from "#testing/screen-state.ts";

const [datasetCategory, datasetId] = storms;

export const states: readonly ScreenState[] = [
  {
    name: "start",
    answers: () => {
      const [, search = ""] = searchLink(fewRows).split("#");
      gateway.answer(startPage.read, {
        line: "",
        questions: [{ title: "Where was Katrina?", dataset: { datasetCategory, datasetId }, search, graph: null }],
      });
    },
    open: "/search",
    shows: () => page.getByRole("button", { name: /^Where was Katrina/ }),
    phone: true,
  },
  { name: "datasets-none", answers: () => gateway.answer(datasets.list, []), open: "/search", shows: title("Datasets") },
  loading("datasets-loading", "/search", datasets.list, title("Datasets")),
  failing("datasets-failed", "/search", datasets.list),
  { name: "dataset-form", open: () => openForm(earthquakes), shows: () => formOf("earthquakes"), phone: true },
  {
    name: "dataset-form-loading",
    answers: () => void gateway.hold(datasets.describe),
    open: `/search?${new URLSearchParams({ category: "Aviation", dataset: "airports" })}`,
    shows: title("Datasets"),
  },
  {
    name: "dataset-form-failed",
    answers: () => gateway.refuse(datasets.describe, "not-found", "There is no such dataset."),
    open: `/search?${new URLSearchParams({ category: "Aviation", dataset: "airports" })}`,
    shows: failure,
  },
  {
    name: "dataset-form-of-another",
    open: () => openForm(earthquakes),
    steps: [() => pick("airports"), () => expectForm(airports)],
    shows: () => formOf("airports"),
  },
  { name: "dataset-groups-none", answers: () => serveGroups(), open: "/search?tab=groups", shows: text("New Dataset Group") },
  {
    name: "dataset-groups",
    answers: () => serveGroups([{ name: "Hazards", description: "What may break.", datasets: [storms, earthquakes] }]),
    open: "/search?tab=groups",
    shows: text("Hazards"),
    phone: true,
  },
];
