import { z } from "zod";
import { accessLimits, datasetAccess, readerAccess } from "./dataset-access.ts";
import { entityWarning } from "./entity-warning.ts";
import { recordOf } from "./records.ts";
import { route } from "./route.ts";

const byId = z.object({ id: z.string().max(1_000) });

/** Effects of access rules that need not be saved. */
const accessCheck = z
  .object({
    /** Of the rules only, with paths below `access`. */
    warnings: z.array(entityWarning),
    /** How many rows each grant shows by itself, by the places of rule and grant. Null where that depends on the reader or takes too long. */
    grants: z.array(z.object({ rule: z.int(), grant: z.int(), rows: z.int().nullable() })),
    /** Rows that no reader sees, whatever roles they have. Null where a grant takes a value from the reader or it takes too long. */
    unseenRows: z.int().nullable(),
  })
  .meta({ id: "AccessCheck" });
export type AccessCheck = z.infer<typeof accessCheck>;

const names = z.array(z.string().max(200)).max(accessLimits.readerValues);

/** An account, or a reader who need not exist. */
const readerToShow = z.union([
  z.strictObject({ userId: z.string().min(1).max(200) }),
  z.strictObject({
    roles: names,
    /** Names of groups. */
    groups: names.optional(),
    username: z.string().max(200).optional(),
  }),
]);
export type ReaderToShow = z.infer<typeof readerToShow>;

const accessPreview = z
  .object({
    /** Whether the reader may know of the dataset. If not, there are neither rows nor a sample. */
    reads: z.boolean(),
    rows: readerAccess.shape.rows,
    /** Rows that the reader sees. Null if counting takes too long. */
    count: z.int().nullable(),
    columns: z.array(
      z.object({
        name: z.string(),
        shown: z.enum(["stored", "coarse", "withheld"]),
        /** The roles of the reader that show the column as stored. Empty if every reader sees it so, or this one does not. */
        by: z.array(z.string()),
      }),
    ),
    /** Parts of searches that the dataset has and the reader does not. */
    missing: z.array(z.enum(["time range", "area", "map"])),
    /** The first rows, at most 25. */
    sample: z.array(recordOf(z.string(), z.unknown())),
  })
  .meta({ id: "AccessPreview" });
export type AccessPreview = z.infer<typeof accessPreview>;

/** Decisions about who sees which rows and columns of an internal dataset, before they are saved. */
export const datasetAccessAdministration = {
  check: route({
    method: "POST",
    path: "/admin/datasets/internal/:id/access/check",
    access: { role: "admin" },
    audit: "security",
    summary: "What access rules do to a dataset: warnings, and how many rows they show. Stores nothing.",
    params: byId,
    body: z.object({ access: datasetAccess.nullable() }).meta({ id: "AccessCheckRequest" }),
    response: accessCheck,
  }),
  preview: route({
    method: "POST",
    path: "/admin/datasets/internal/:id/access/preview",
    access: { role: "admin" },
    audit: "security",
    summary: "See a dataset as a reader does, by the stored access rules or by those that are sent. Stores nothing.",
    params: byId,
    body: z
      .object({
        /** Default: the stored ones. Null: none. */
        access: datasetAccess.nullish(),
        as: readerToShow,
      })
      .meta({ id: "AccessPreviewRequest" }),
    response: accessPreview,
  }),
};
