import { type ReaderAccess, readerAccess } from "@fairway/contract/dataset-access";
import { type DemoDataset, demoDataset, demoDatasets, serveDatasets } from "./demo-datasets.ts";
import { gateway } from "./open-screen.tsx";

export const ownRegion = "You see the rows of your own region.";

/** The part that a reader of some rows is told of. */
export const buildAccess = (overrides: Partial<ReaderAccess> = {}): ReaderAccess =>
  readerAccess.parse({ rows: "some", columns: "all", notes: [], coarse: [], version: "v1", ...overrides });

/** Serves the demo datasets, one of which has rules that leave the reader a part of it: these rows, and of its columns those named. */
export function serveWithRules(
  datasetId: string,
  access: ReaderAccess,
  rows = demoDataset(datasetId).rows,
  names?: readonly string[],
): DemoDataset {
  const { description } = demoDataset(datasetId);
  const columns = description.schema.columns.filter(({ name }) => names?.includes(name) !== false);
  const ruled = { description: { ...description, access, schema: { columns } }, rows };
  serveDatasets(
    gateway,
    demoDatasets().map((dataset) => (dataset.description.datasetId === datasetId ? ruled : dataset)),
  );
  return ruled;
}
