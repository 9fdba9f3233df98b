import { ownDatasets } from "@fairway/contract/own-datasets";
import { gateway } from "#testing/open-screen.tsx";
import { buildOwnData, buildOwnDataset } from "#testing/own-data.ts";
import { katrina, openResults } from "#testing/results.ts";

export async function openOwnResults(can: "own" | "edit" | "view"): Promise<void> {
  const own = buildOwnDataset({ datasetCategory: katrina.category, datasetId: katrina.dataset, can });
  gateway.answer(ownDatasets.list, buildOwnData({ datasets: [own] }));
  await openResults(katrina);
}
