import { datasets } from "@fairway/contract/datasets";
import { moreOperator } from "@fairway/contract/filters";
import { demoDataset } from "./demo-datasets.ts";
import { gateway } from "./open-screen.tsx";
import { page } from "vitest/browser";
import { searches } from "./results.ts";

/** Serves the demo datasets with every operator. */
export function serveFurtherFilters(): void {
  gateway.answer(datasets.describe, ({ params }) => ({
    ...demoDataset(params.datasetId).description,
    moreOperators: [...moreOperator.options],
  }));
}

export const applied = () => page.getByRole("group", { name: "Filters applied" });

export const chip = (text: string) => applied().getByRole("button", { name: `Edit filter ${text}`, exact: true });

export const sent = () => (searches().at(-1)?.filters ?? []).slice(2);
