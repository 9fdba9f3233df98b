import { search } from "@fairway/contract/search";
import { page } from "vitest/browser";
import { type DemoDataset, demoDataset, serveDatasets } from "./demo-datasets.ts";
import { gateway } from "./open-screen.tsx";

/** Every search on these datasets returns rows. */
export function serve(served: readonly DemoDataset[]): void {
  serveDatasets(gateway, served);
  gateway.answer(search.run, ({ params }) => ({ results: demoDataset(params.datasetId).rows.slice(0, 25) }));
}

export const links = () => page.getByRole("region", { name: "Linked datasets", exact: true });

export const searchLinks = () => links().getByRole("button", { name: "Search linked datasets", exact: true });

export const rowLinks = () => page.getByRole("group", { name: "Linked datasets", exact: true });
