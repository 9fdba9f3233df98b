import { catalog } from "@fairway/contract/catalog";
import { descriptionSuggestions } from "@fairway/contract/description-suggestions";
import { expect } from "vitest";
import { type Locator, page } from "vitest/browser";
import { newGraph, openGraphs, choose, days, graphsLink, save, serveAggregates, setColumn, editor, graph } from "./graphs.ts";
import { prepareMaps, openMap } from "./maps.ts";
import { gateway, openScreen } from "./open-screen.tsx";
import { fewRows, header, openResults } from "./results.ts";
import { textAddress } from "./flow-request.ts";
import { openAlerts, openBoard, openDatasets, openEmails, openRequest, schemaAddress } from "./opened-screens.ts";

/** A button whose menu or popover the sweep opens. */
export interface SweptMenu {
  /** The source file of the menu. */
  readonly file: string;
  readonly screen: () => Promise<unknown>;
  readonly button: () => Locator;
  /** Focused element before and after; default the button. */
  readonly opener?: () => Locator;
  /** Default Enter. */
  readonly key?: string;
  /** The browser closes it itself, which it does only for keys that are really pressed. */
  readonly isNative?: true;
}

const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
const inMain = (name: string | RegExp) => page.getByRole("main").getByRole("button", { name, exact: true });

const entry = {
  dataset: { datasetCategory: "Tropical weather", datasetId: "storm-tracks" },
  description: "Tracks.",
  communityDescription: "",
  containsLocationData: false,
  supportsMapResults: false,
};

async function openCatalog(): Promise<void> {
  gateway.answer(catalog.entries, [entry]);
  gateway.answer(descriptionSuggestions.counts, [{ dataset: entry.dataset, suggestions: 3, newestMs: 1 }]);
  await openScreen("/data-catalog");
}

async function openGraphEditor(): Promise<void> {
  serveAggregates();
  await openGraphs(graphsLink(days));
  await newGraph();
}

async function openGraph(): Promise<void> {
  await openGraphEditor();
  await choose(editor(), "Line");
  await editor().getByLabelText("Group by").selectOptions("Temporal (Day)");
  await setColumn(editor(), 1, "max", "wind");
  await editor().getByLabelText("Title").fill("Winds");
  await save();
  // A new graph takes the focus.
  await expect.element(graph("Winds")).toHaveFocus();
}

async function openMapOf(): Promise<void> {
  prepareMaps();
  await openMap();
}

export const sweptMenus: readonly SweptMenu[] = [
  { file: "shell/frame/more-menu.tsx", screen: () => openScreen("/faq"), button: () => button("More"), isNative: true },
  { file: "features/catalog/schema/schema-menu.tsx", screen: () => openScreen(schemaAddress), button: () => inMain("More") },
  {
    file: "features/catalog/descriptions/edit-menu.tsx",
    screen: () => openScreen(schemaAddress, { roles: ["schema-edit"] }),
    button: () => inMain("Edit"),
  },
  { file: "features/catalog/facts/card-menu.tsx", screen: openCatalog, button: () => inMain(/^(More|Actions)/) },
  { file: "features/catalog/list/sort-menu.tsx", screen: openCatalog, button: () => page.getByRole("button", { name: /^Sort:/ }) },
  {
    file: "features/catalog/suggestions/catalog-suggestions.tsx",
    screen: openCatalog,
    button: () => page.getByRole("button", { name: /suggestions? of yours$/ }),
  },
  { file: "features/admin/entities/entity-menu.tsx", screen: openDatasets, button: () => button("Actions: airports") },
  { file: "features/admin/entities/columns-popover.tsx", screen: openDatasets, button: () => button("Columns") },
  { file: "features/search/graphs/graph-menu.tsx", screen: openGraph, button: () => button("Graph menu: Winds") },
  {
    file: "features/search/graphs/color-menu.tsx",
    screen: openGraphEditor,
    button: () =>
      editor()
        .getByRole("button", { name: /^Color of/ })
        .first(),
  },
  {
    file: "features/search/results/table/column-menu.tsx",
    screen: () => openResults(fewRows),
    button: () => button("name column menu"),
    opener: () => header("name"),
    key: "Alt+ArrowDown",
  },
  { file: "features/search/results/actions-menu.tsx", screen: () => openResults(fewRows), button: () => button("Actions") },
  { file: "features/search/boards/board-actions.tsx", screen: openBoard, button: () => button("More actions") },
  { file: "features/search/map/mark-options.tsx", screen: openMapOf, button: () => button("Color and size") },
  { file: "features/search/map/export-menu.tsx", screen: openMapOf, button: () => button("Export") },
  { file: "features/search/alerts/alert-list.tsx", screen: openAlerts, button: () => button("Actions for Rain") },
  { file: "features/search/subscriptions/email-list.tsx", screen: openEmails, button: () => button("Actions for Season") },
  { file: "features/flows/request/actions-menu.tsx", screen: () => openRequest(), button: () => button("Actions") },
  { file: "parts/text-difference/view-options.tsx", screen: () => openRequest(textAddress), button: () => button("View options") },
];
