import type { ApiKeyDraft } from "@fairway/contract/api-keys";
import type { DatasetRef } from "@fairway/contract/datasets";
import type { ErrorItem } from "@fairway/contract/errors";
import type { SignedInUser } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";

/** What keys can be for: whether a user may use one of these now. */
export interface Reachable {
  dataset(user: SignedInUser, dataset: DatasetRef): Promise<boolean>;
  fileset(user: SignedInUser, id: string): Promise<boolean>;
  ecosystem(user: SignedInUser, name: string): Promise<boolean>;
}

/** What a key opens, of what its owner may use. */
export interface Scope {
  readonly datasets: readonly DatasetRef[];
  readonly filesets: readonly string[];
  readonly ecosystems: readonly string[];
}

/**
 * The scope of a draft, each thing once. Refuses an empty one, and names everything in it that the user may not use, unless
 * the key had it before: who has lost one dataset can still add another.
 */
export async function checkedScope(reachable: Reachable, user: SignedInUser, draft: ApiKeyDraft, before?: Scope): Promise<Scope> {
  const scope: Scope = {
    datasets: [...new Map(draft.datasets.map((ref) => [refKey(ref), ref])).values()],
    filesets: [...new Set(draft.filesetIds)],
    ecosystems: [...new Set(draft.ecosystemNames)],
  };
  if (isEmpty(scope)) {
    throw new Refusal("invalid-value", "An API key needs at least one dataset, fileset or ecosystem.", { path: "datasets" });
  }
  const lost = await lostOf(reachable, user, scope);
  const kept = new Set(before?.datasets.map(refKey));
  const places = new Map(draft.datasets.map((ref, at) => [refKey(ref), at]));
  const problems = [
    ...lost.datasets
      .filter((ref) => !kept.has(refKey(ref)))
      .map((ref) => unknown(`dataset '${ref.datasetId}' in '${ref.datasetCategory}'`, `datasets.${places.get(refKey(ref))}`)),
    ...lost.filesets
      .filter((id) => !before?.filesets.includes(id))
      .map((id) => unknown(`fileset '${id}'`, `filesetIds.${draft.filesetIds.indexOf(id)}`)),
    ...lost.ecosystems
      .filter((name) => !before?.ecosystems.includes(name))
      .map((name) => unknown(`ecosystem '${name}'`, `ecosystemNames.${draft.ecosystemNames.indexOf(name)}`)),
  ];
  const [first, ...others] = problems;
  if (first) throw Refusal.of([first, ...others.slice(0, 9)]);
  return scope;
}

/** What of a scope the user may not use. */
export async function lostOf(reachable: Reachable, user: SignedInUser, scope: Scope): Promise<Scope> {
  const [datasets, filesets, ecosystems] = await Promise.all([
    refused(scope.datasets, (ref) => reachable.dataset(user, ref)),
    refused(scope.filesets, (id) => reachable.fileset(user, id)),
    refused(scope.ecosystems, (name) => reachable.ecosystem(user, name)),
  ]);
  return { datasets, filesets, ecosystems };
}

async function refused<Thing>(things: readonly Thing[], mayUse: (thing: Thing) => Promise<boolean>): Promise<Thing[]> {
  const usable = await Promise.all(things.map(mayUse));
  return things.filter((_, index) => !usable[index]);
}

const isEmpty = ({ datasets, filesets, ecosystems }: Scope) => datasets.length + filesets.length + ecosystems.length === 0;
const refKey = ({ datasetCategory, datasetId }: DatasetRef): string => JSON.stringify([datasetCategory, datasetId]);

/** The same words for what does not exist and for what is not this user's to know of. */
const unknown = (what: string, path: string): ErrorItem => ({
  code: "invalid-value",
  message: `There is no ${what}, or you may not use it.`,
  path,
});
