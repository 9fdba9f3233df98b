import { passesAnyRole } from "@fairway/contract/access";
import type { AccessPreview } from "@fairway/contract/dataset-access-administration";
import type { SignedInUser } from "#http/signed-in-user.ts";
import type { Dataset, DatasetView } from "./dataset.ts";
import { mentionsAny } from "./mentions.ts";

/** A dataset as a reader has it, told to an administrator who decides about it. */
export interface ShownDataset extends Pick<AccessPreview, "reads" | "rows" | "missing"> {
  /** Every column of the dataset, in its order. */
  readonly columns: readonly Pick<AccessPreview["columns"][number], "name" | "shown">[];
}

export function shownDataset(dataset: Dataset, view: DatasetView, reader: SignedInUser): ShownDataset {
  const reads = passesAnyRole(reader.roles, dataset.roles);
  const [has, had] = [view.filterSupport, dataset.filterSupport];
  return {
    reads,
    rows: reads ? (view.part?.rows ?? "all") : "none",
    columns: shownColumns(dataset, view),
    missing: [
      ...(had.supportsTimeRange && !has.supportsTimeRange ? (["time range"] as const) : []),
      ...(had.supportsGeospatial && !has.supportsGeospatial ? (["area"] as const) : []),
      ...(dataset.mapSupport !== null && view.mapSupport === null ? (["map"] as const) : []),
    ],
  };
}

function shownColumns({ schema, lookups = [] }: Dataset, view: DatasetView): ShownDataset["columns"] {
  const present = new Set(view.schema.columns.map(({ name }) => name));
  const coarse = coarseColumns(schema.columns, view);
  const names = [...schema.columns, ...lookups.flatMap(({ columns }) => columns)].map(({ name }) => name);
  return names.map((name) => ({ name, shown: !present.has(name) ? "withheld" : coarse.has(name) ? "coarse" : "stored" }));
}

/** With those that are made of coarse ones, in any number of steps. */
function coarseColumns(columns: Dataset["schema"]["columns"], { part }: DatasetView): ReadonlySet<string> {
  const coarse = new Set((part?.coarse ?? []).map(({ name }) => name));
  for (let before = -1; before < coarse.size;) {
    before = coarse.size;
    for (const { name, combined, computed } of columns) {
      if (combined?.fields.some((field) => coarse.has(field)) === true || mentionsAny(computed, coarse)) coarse.add(name);
    }
  }
  return coarse;
}
