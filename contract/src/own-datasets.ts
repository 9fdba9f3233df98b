import { z } from "zod";
import { type DatasetRef, datasetRef } from "./datasets.ts";
import { route } from "./route.ts";
import { newOwner, newShares, ownerState, ownOrShared, share } from "./sharing.ts";

/** Categories of own datasets begin with it, followed by the owner's username at their creation. */
export const ownCategoryStart = "~";
export const isOwnCategory = (category: string): boolean => category.startsWith(ownCategoryStart);

/** Said wherever something names an own dataset that is not there for the reader: deleted, and no longer shared, are one and the same. */
export const goneDatasetText = "This dataset no longer exists.";

/** The refusal of a dataset that does not exist, or not for the reader. */
export const missingDatasetText = (category: string): string =>
  isOwnCategory(category) ? goneDatasetText : "There is no such dataset, or you don't have access to it.";

/** Whether an API key of this access can be one that may append: it opens one dataset that a user has brought, and nothing else. */
export const opensOneOwnDataset = ({
  datasets: [first, ...others],
  filesets,
  ecosystems,
}: {
  readonly datasets: readonly DatasetRef[];
  readonly filesets: readonly string[];
  readonly ecosystems: readonly string[];
}): boolean => first !== undefined && isOwnCategory(first.datasetCategory) && others.length + filesets.length + ecosystems.length === 0;

/** Who may bring data: holders of the role `data-upload` and administrators, everyone, or nobody. */
export const ownDataWho = z.enum(["role", "everyone", "nobody"]);
export type OwnDataWho = z.infer<typeof ownDataWho>;

export const uploadRole = "data-upload";

const person = z.object({ userId: z.string(), username: z.string() });

export const ownDatasetTitle = z.string().trim().max(100);

/** A dataset that a user has brought. Its address (category and id) never changes; `title` is shown in its place. */
export const ownDataset = datasetRef
  .extend({
    /** The portal's own id. */
    id: z.string(),
    title: z.string().nullable(),
    /** Null once the account is gone. */
    owner: person.nullable(),
    ownerState,
    can: ownOrShared,
    /** All for its owner, otherwise those that reach the caller. */
    shares: z.array(share),
    rows: z.int(),
    /** With originals and earlier versions. */
    bytes: z.int(),
    createdMs: z.int(),
    changedMs: z.int(),
    /** The version of its rows. */
    dataVersion: z.int(),
    isEnabled: z.boolean(),
    /** When it goes for good, if it was deleted; null otherwise. */
    goneMs: z.int().nullable(),
  })
  .meta({ id: "OwnDataset" });
export type OwnDataset = z.infer<typeof ownDataset>;

const dataVersion = z
  .object({
    version: z.int(),
    kind: z.enum(["created", "appended", "replaced", "restored", "read-again"]),
    rows: z.int(),
    bytes: z.int(),
    files: z.array(z.object({ file: z.string(), size: z.int(), rows: z.int().nullable() })),
    createdMs: z.int(),
    by: z.string().nullable(),
    isCurrent: z.boolean(),
    /** Whether it can be gone back to. */
    isKept: z.boolean(),
  })
  .meta({ id: "OwnDatasetVersion" });
export type OwnDatasetVersion = z.infer<typeof dataVersion>;

/** Counts of things that others and the owner have made of a dataset. */
const dependents = z.object({
  savedSearches: z.int(),
  boards: z.int(),
  alerts: z.int(),
  lookups: z.int(),
  favorites: z.int(),
  shares: z.int(),
});
export type OwnDatasetDependents = z.infer<typeof dependents>;

/** The room of a user. */
const room = z.object({ bytes: z.int(), maxBytes: z.int(), datasets: z.int(), maxDatasets: z.int(), maxFileBytes: z.int() });
export type OwnDataRoom = z.infer<typeof room>;

const ownDataState = z
  .object({
    /** Whether the caller may bring data; if not, the screens say whom to ask, or nothing at all if nobody may. */
    mayImport: z.boolean(),
    who: ownDataWho,
    mayShareWithEveryone: z.boolean(),
    room,
    /** Own ones and those shared with the caller; deleted ones that can be restored are among the own. */
    datasets: z.array(ownDataset),
  })
  .meta({ id: "OwnData" });
export type OwnData = z.infer<typeof ownDataState>;

/** An own dataset as administrators see it: never rows, columns or texts. */
const administeredOwnDataset = ownDataset
  .pick({
    id: true,
    datasetCategory: true,
    datasetId: true,
    owner: true,
    rows: true,
    bytes: true,
    createdMs: true,
    isEnabled: true,
    goneMs: true,
  })
  .extend({ lastUsedMs: z.int().nullable(), shareCount: z.int() })
  .meta({ id: "AdministeredOwnDataset" });
export type AdministeredOwnDataset = z.infer<typeof administeredOwnDataset>;

const params = z.object({ id: z.string() });
const reason = z.string().trim().min(1).max(500);

export const ownDatasets = {
  list: route({
    method: "GET",
    path: "/ownDatasets",
    access: "signed-in",
    summary: "The caller's own datasets, those shared with the caller, and the room that is left.",
    response: ownDataState,
  }),
  dependents: route({
    method: "GET",
    path: "/ownDatasets/:id/dependents",
    access: "signed-in",
    summary: "How much depends on an own dataset, for its owner.",
    params,
    response: dependents,
  }),
  share: route({
    method: "PUT",
    path: "/ownDatasets/:id/shares",
    access: "signed-in",
    summary: "Replaces the shares. For the owner.",
    params,
    body: newShares,
    response: ownDataset,
    audit: "security",
  }),
  leave: route({
    method: "DELETE",
    path: "/ownDatasets/:id/shares/mine",
    access: "signed-in",
    summary: "Removes the caller's own share.",
    params,
    response: z.undefined(),
    audit: "security",
  }),
  transfer: route({
    method: "PUT",
    path: "/ownDatasets/:id/owner",
    access: "signed-in",
    summary: "Gives the dataset to someone who can edit it; an administrator gives it to any enabled account.",
    params,
    body: newOwner,
    response: z.undefined(),
    audit: "security",
  }),
  versions: route({
    method: "GET",
    path: "/ownDatasets/:id/versions",
    access: "signed-in",
    summary: "The versions of the rows, newest first.",
    params,
    response: z.array(dataVersion),
  }),
  goBack: route({
    method: "POST",
    path: "/ownDatasets/:id/versions/:n/restore",
    access: "signed-in",
    summary: "Makes an earlier version the current one, as a new version.",
    params: params.extend({ n: z.string() }),
    response: z.array(dataVersion),
    audit: "security",
  }),
  remove: route({
    method: "DELETE",
    path: "/ownDatasets/:id",
    access: "signed-in",
    summary: "Deletes the dataset for everyone. Its owner can restore it for 7 days, unless `now` is set.",
    params,
    query: z.object({ now: z.enum(["true"]).optional() }),
    response: z.undefined(),
    audit: "security",
  }),
  restore: route({
    method: "POST",
    path: "/ownDatasets/:id/restore",
    access: "signed-in",
    summary: "Brings back a deleted dataset within 7 days.",
    params,
    response: ownDataset,
    audit: "security",
  }),
};

const admin = { role: "admin" };

export const ownDatasetAdministration = {
  list: route({
    method: "GET",
    path: "/admin/ownDatasets",
    access: admin,
    summary: "Every own dataset: name, owner, size, rows, dates and the number of shares.",
    response: z.object({ datasets: z.array(administeredOwnDataset), bytes: z.int(), maxBytes: z.int() }),
  }),
  setEnabled: route({
    method: "PUT",
    path: "/admin/ownDatasets/:id/enabled",
    access: admin,
    summary: "Disables a dataset for everyone, or enables it again.",
    params,
    body: z.object({ enabled: z.boolean() }),
    response: z.undefined(),
    audit: "security",
  }),
  remove: route({
    method: "POST",
    path: "/admin/ownDatasets/:id/delete",
    access: admin,
    summary: "Deletes a dataset; its owner is told the reason.",
    params,
    body: z.object({ reason }),
    response: z.undefined(),
    audit: "security",
  }),
  setRoom: route({
    method: "PUT",
    path: "/admin/users/:id/ownDataRoom",
    access: admin,
    summary: "Sets how many bytes of own data a user may keep; null is the setting for everyone.",
    params,
    body: z.object({ maxBytes: z.int().min(0).nullable() }),
    response: z.undefined(),
    audit: "security",
  }),
};
