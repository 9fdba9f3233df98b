import { type Board, boards } from "@fairway/contract/boards";
import { search } from "@fairway/contract/search";
import { expect } from "vitest";
import { page } from "vitest/browser";
import { boardOf } from "./board-panels.ts";
import { demoDataset, serveDatasets } from "./demo-datasets.ts";
import { serveAggregates } from "./graphs.ts";
import { gateway, openScreen } from "./open-screen.tsx";
import { stormsOf2005 } from "#features/search/boards/boards-states.ts";

export const board: Board = { ...boardOf(...stormsOf2005.panels), description: "The storms of 2005.", version: 3, content: stormsOf2005 };

/** Makes the gateway serve the board and what its panels show. */
export function serveBoard(): void {
  serveDatasets(gateway);
  serveAggregates();
  gateway.answer(boards.list, [board]);
  gateway.answer(boards.read, board);
  gateway.answer(search.run, ({ params }) => ({ results: demoDataset(params.datasetId).rows.slice(0, 25) }));
}

export const panel = (name: string) => page.getByRole("region", { name, exact: true });

export async function openBoard(): Promise<void> {
  await openScreen("/boards/season");
  await expect.element(page.getByRole("heading", { level: 1, name: "Season" })).toBeVisible();
  await expect.element(panel("By day").getByRole("img")).toBeVisible();
}
