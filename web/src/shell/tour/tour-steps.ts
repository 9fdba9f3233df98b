import { control } from "../frame/modifier-keys.ts";

export interface TourStep {
  /** The elements with this `data-tour` are what the step is about. */
  readonly target: string;
  /** The screen where they are; the last steps are about what is on every screen. */
  readonly screen: "start" | "form" | "results";
  readonly title: string;
  readonly text: string;
}

export const tourSteps: readonly TourStep[] = [
  {
    target: "datasets",
    screen: "start",
    title: "Choose a dataset",
    text: "Search, map and chart any dataset here. Star the ones you use often to keep them at hand.",
  },
  {
    target: "filters",
    screen: "form",
    title: "Say what to look for",
    text: "Set a time range, an area or the values of columns, then press Search. Sample shows a few rows without any filter.",
  },
  {
    target: "rows",
    screen: "results",
    title: "Read the rows",
    text: "Bars show the rows over time: drag across them to narrow the range. Each column’s menu sorts, filters and summarizes it.",
  },
  {
    target: "views",
    screen: "results",
    title: "Map, graphs and raw",
    text: "See what you found on a map, as graphs or as raw records. The views depend on the dataset.",
  },
  {
    target: "actions",
    screen: "results",
    title: "Keep, share, export",
    text: "Actions saves the search, copies a link to it, and exports its rows to a file.",
  },
  {
    target: "everything",
    screen: "results",
    title: "Find everything",
    text: `${control} K searches datasets, screens and actions. Press ? for all keyboard shortcuts, and to take this tour again.`,
  },
];
