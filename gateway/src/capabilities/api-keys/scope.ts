import type { ApiKeyDraft } from "@fairway/contract/api-keys";
import { datasetKey, type DatasetRef } from "@fairway/contract/datasets";
import type { ErrorItem } from "@fairway/contract/errors";
import { compareNames } from "@fairway/contract/name-order";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";

/** Checks whether a user may currently use what keys can be created for. */
export interface Reachable {
  dataset(user: SignedInUser, dataset: DatasetRef): Promise<boolean>;
  fileset(user: SignedInUser, id: string): Promise<boolean>;
  ecosystem(user: SignedInUser, name: string): Promise<boolean>;
}

/** The access that a key grants, as far as its owner has it. */
export interface Scope {
  readonly datasets: readonly DatasetRef[];
  readonly filesets: readonly string[];
  readonly ecosystems: readonly string[];
}

/** The parts of a check before a key is stored. */
export interface KeyCheck {
  readonly reachable: Reachable;
  readonly user: SignedInUser;
  /** The user as the key will act. */
  readonly acting: SignedInUser;
}

/**
 * The scope of a draft without duplicates. Refuses an empty one, and lists everything that the user may not use, or the key would not reach,
 * except what the key already had: an owner who has lost access to one dataset can still add another.
 */
export async function validateScope({ reachable, user, acting }: KeyCheck, draft: ApiKeyDraft, before?: Scope): Promise<Scope> {
  const scope: Scope = {
    datasets: [...new Map(draft.datasets.map((ref) => [datasetKey(ref), ref])).values()],
    filesets: [...new Set(draft.filesetIds)],
    ecosystems: [...new Set(draft.ecosystemNames)],
  };
  if (isEmpty(scope)) {
    throw new Refusal("invalid-value", "An API key needs at least one dataset, fileset or ecosystem.", { path: "datasets" });
  }
  const lost = await findLost(reachable, user, scope);
  const previous = new Set(before?.datasets.map(datasetKey));
  const indexes = new Map(draft.datasets.map((ref, index) => [datasetKey(ref), index]));
  const problemsOf = (found: Scope, say: (name: string, path: string) => ErrorItem) => [
    ...found.datasets
      .filter((ref) => !previous.has(datasetKey(ref)))
      .map((ref) => say(`dataset '${ref.datasetId}' in '${ref.datasetCategory}'`, `datasets.${indexes.get(datasetKey(ref))}`)),
    ...found.filesets
      .filter((id) => !before?.filesets.includes(id))
      .map((id) => say(`fileset '${id}'`, `filesetIds.${draft.filesetIds.indexOf(id)}`)),
    ...found.ecosystems
      .filter((name) => !before?.ecosystems.includes(name))
      .map((name) => say(`ecosystem '${name}'`, `ecosystemNames.${draft.ecosystemNames.indexOf(name)}`)),
  ];
  const problems = problemsOf(lost, unknown);
  if (problems.length === 0 && acting !== user) problems.push(...problemsOf(await findLost(reachable, acting, scope), notOpened));
  const [first, ...others] = problems;
  if (first) throw Refusal.of([first, ...others.slice(0, 9)]);
  return scope;
}

/** The part of a scope that the user may not use. */
export async function findLost(reachable: Reachable, user: SignedInUser, scope: Scope): Promise<Scope> {
  const [datasets, filesets, ecosystems] = await Promise.all([
    refused(scope.datasets, (ref) => reachable.dataset(user, ref)),
    refused(scope.filesets, (id) => reachable.fileset(user, id)),
    refused(scope.ecosystems, (name) => reachable.ecosystem(user, name)),
  ]);
  return { datasets, filesets, ecosystems };
}

async function refused<Thing>(things: readonly Thing[], canUse: (thing: Thing) => Promise<boolean>): Promise<Thing[]> {
  const usable = await Promise.all(things.map(canUse));
  return things.filter((_, index) => !usable[index]);
}

const isEmpty = ({ datasets, filesets, ecosystems }: Scope) => datasets.length + filesets.length + ecosystems.length === 0;

const notOpened = (name: string, path: string): ErrorItem => ({
  code: "invalid-value",
  message: `The roles of this key do not open the ${name}.`,
  path,
});

/** The same message for what does not exist and for what this user may not know about. */
const unknown = (name: string, path: string): ErrorItem => ({
  code: "invalid-value",
  message: `There is no ${name}, or you don't have access to it.`,
  path,
});

/** The roles of a draft without duplicates, in order. Lists those that neither the user nor the key has. */
export function validateRoles(
  { roles }: SignedInUser,
  draft: readonly string[] | null,
  before: readonly string[],
): readonly string[] | null {
  if (draft === null) return null;
  const [first, ...others] = draft.flatMap((role, index): ErrorItem[] =>
    roles.includes(role) || before.includes(role)
      ? []
      : [{ code: "invalid-value", message: `You do not have the role '${role}'.`, path: `roles.${index}` }],
  );
  if (first !== undefined) throw Refusal.of([first, ...others.slice(0, 9)]);
  return [...new Set(draft)].toSorted(compareNames);
}
