import type { DatasetRef } from "@fairway/contract/datasets";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";

/**
 * Whether the dataset exists, is enabled and may be read by this user. `saved`: something of the dataset that others have made, such as a
 * search or a graph, which has to name no column that is withheld from the user.
 */
export type CanRead = (user: SignedInUser, dataset: DatasetRef, saved?: unknown) => Promise<boolean>;

/** Message for a dataset that does not exist or that the user may not know about. */
export const noSuchDataset = ({ datasetCategory, datasetId }: DatasetRef): string =>
  `There is no dataset '${datasetId}' in '${datasetCategory}'.`;

/** Refuses with `not-found` a dataset that the user cannot read. */
export async function requireReadable(canRead: CanRead, user: SignedInUser, dataset: DatasetRef): Promise<void> {
  if (!(await canRead(user, dataset))) throw new Refusal("not-found", noSuchDataset(dataset));
}
