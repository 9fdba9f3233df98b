import type { DatasetAccess } from "@fairway/contract/dataset-access";
import { type AccessPreview, datasetAccessAdministration } from "@fairway/contract/dataset-access-administration";
import { buildColumn } from "./dataset-builders.ts";
import { airports } from "./dataset-dialogs.ts";
import { openAdmin, serveEntities } from "./entities.ts";
import { gateway } from "./open-screen.tsx";

/** A dataset with a time and a place. */
const visits = {
  ...airports,
  id: "visits",
  schema: {
    columns: [
      buildColumn("region"),
      buildColumn("salary", { type: "integer" }),
      buildColumn("major", { type: "BOOLEAN" }),
      buildColumn("time", { type: "TIMESTAMP_SECONDS" }),
      buildColumn("lat", { type: "decimal" }),
      buildColumn("lon", { type: "decimal" }),
      buildColumn("position", { combined: { type: "COORDINATES", fields: ["lat", "lon"], joinedBy: "," } }),
    ],
  },
  temporalField: "time",
  locationField: "position",
};

const preview: AccessPreview = {
  reads: true,
  rows: "some",
  count: 1_200,
  columns: [
    { name: "region", shown: "stored", by: [] },
    { name: "salary", shown: "withheld", by: [] },
    { name: "lat", shown: "coarse", by: [] },
  ],
  missing: ["map"],
  sample: [{ region: "north", salary: 4_321, lat: 53.42 }],
};

/** Answers for the dialog "Access" of a dataset with these rules, and what becomes of it. The data has lost a column since. */
export function serveAccess(access: DatasetAccess | null, lost?: string) {
  serveEntities("roles", [{ name: "north" }, { name: "audit" }, { name: "hr" }]);
  serveEntities("users", []);
  serveEntities("groups", []);
  const served = serveEntities("datasets/internal", [{ ...visits, access }]);
  const [dataset] = served.stored;
  if (dataset && lost !== undefined)
    served.stored[0] = { ...dataset, schema: { columns: visits.schema.columns.filter(({ name }) => name !== lost) } };
  gateway.answer(datasetAccessAdministration.check, ({ body }) => ({
    warnings: [],
    grants: (body.access?.rules ?? []).flatMap((one, rule) =>
      one.grants.map((_, grant) => ({ rule, grant, rows: grant === 0 ? 1_200 : null })),
    ),
    unseenRows: 12_340,
  }));
  gateway.answer(datasetAccessAdministration.preview, () => preview);
  return served;
}

interface Opened {
  access?: DatasetAccess | null;
  /** Without a tab, only the list of datasets is open. */
  tab?: string;
  lost?: string;
}

export async function openAccess({ access = null, tab, lost }: Opened = {}) {
  const served = serveAccess(access, lost);
  await openAdmin(`/internal-dataset-settings${tab === undefined ? "" : `?access=visits&tab=${tab}`}`, "Internal Datasets");
  return served;
}
