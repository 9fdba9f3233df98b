import { type Board, boards } from "@fairway/contract/boards";
import { expect } from "vitest";
import { page } from "vitest/browser";
import { gateway, openScreen } from "./open-screen.tsx";
import { search } from "@fairway/contract/search";
import { demoDataset } from "./demo-datasets.ts";
import { serveAggregates } from "./graphs.ts";

export const storms = { datasetCategory: "Tropical weather", datasetId: "storm-tracks" };
export const katrina = { filters: [{ name: "name", value: "Katrina", operator: "=" }] };
export const inPanel = (x: number, w: number) => ({ x, y: 0, w, h: 4 });
export const number = {
  id: "number",
  kind: "number" as const,
  title: "Observations",
  dataset: storms,
  query: katrina,
  value: { aggregation: "count" as const, column: "*" },
  place: inPanel(0, 3),
};

export const boardOf = (...panels: Board["content"]["panels"]): Board => ({
  id: "season",
  name: "Season",
  description: "",
  owner: "ada",
  ownerState: "active",
  isOwn: true,
  can: "own",
  shares: [],
  sharedWithRoles: [],
  panels: panels.length,
  version: 1,
  createdDateMs: 0,
  updatedDateMs: 0,
  content: { refreshMinutes: null, panels },
});

export async function openBoard(...panels: Board["content"]["panels"]): Promise<void> {
  gateway.answer(boards.read, boardOf(...panels));
  await openScreen("/boards/season");
  await expect.element(page.getByRole("heading", { level: 1, name: "Season" })).toBeVisible();
}

export const countries = { datasetCategory: "People & economy", datasetId: "country-development" };

export const panel = (name: string) => page.getByRole("region", { name, exact: true });

export const button = (name: string) => page.getByRole("button", { name, exact: true });

export const dialog = () => page.getByRole("dialog", { name: "Add Panel", exact: true });

export const radio = (name: string | RegExp) => dialog().getByRole("radio", { name });

export function servePanelData(): void {
  serveAggregates();
  gateway.answer(search.run, ({ params }) => ({ results: demoDataset(params.datasetId).rows.slice(0, 25) }));
}
