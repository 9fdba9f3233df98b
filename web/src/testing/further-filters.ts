import { datasets } from "@fairway/contract/datasets";
import { moreOperator } from "@fairway/contract/filters";
import { demoDataset } from "./demo-datasets.ts";
import { gateway } from "./open-screen.tsx";

/** Serves the demo datasets with every operator. */
export function serveFurtherFilters(): void {
  gateway.answer(datasets.describe, ({ params }) => ({
    ...demoDataset(params.datasetId).description,
    moreOperators: [...moreOperator.options],
  }));
}
