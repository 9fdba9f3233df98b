import { isDeepStrictEqual } from "node:util";
import { derivedWarningsOf } from "@fairway/contract/derived-warnings";
import type { EntityWarning } from "@fairway/contract/entity-warning";
import type { ErrorItem } from "@fairway/contract/errors";
import { type InternalDataset, internalDataset } from "@fairway/contract/internal-datasets";
import { internalDatasets } from "#entities/entity-types.ts";
import type { EntityStore } from "#entities/store.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";

type Draft = Readonly<Record<string, unknown>>;

/** Why columns of a dataset cannot be made; `user` for those datasets only that they may read. */
export type DerivedProblemsOf = (
  dataset: InternalDataset,
  user?: SignedInUser,
) => Promise<readonly (ErrorItem & { readonly path: string })[]>;

/** Warns of lookups and computed columns that have no place in what readers see. */
export const derivedWarnings =
  (problemsOf: DerivedProblemsOf) =>
  async (entity: Draft): Promise<readonly EntityWarning[]> => {
    const { version: _version, enabled: _enabled, warnings: _warnings, ...body } = entity;
    const { data: dataset } = internalDataset.safeParse(body);
    if (dataset === undefined || !hasDerived(dataset)) return [];
    return derivedWarningsOf(dataset, await problemsOf(dataset));
  };

/**
 * Refuses lookups and computed columns that the writer has changed and that cannot be made of what the writer may read. Those that have
 * broken since are no reason to refuse another change.
 */
export const completeDataset =
  (entities: Pick<EntityStore, "get">, problemsOf: DerivedProblemsOf, complete: (dataset: Draft) => Promise<Draft>) =>
  async (draft: Draft, by: SignedInUser): Promise<Draft> => {
    const { version: _version, enabled: _enabled, warnings: _warnings, ...body } = draft;
    const { data: dataset } = internalDataset.safeParse(body);
    if (dataset !== undefined && hasDerived(dataset)) {
      const before = await storedBefore(entities, dataset.id);
      if (before === undefined || !isDeepStrictEqual(derivedOf(before), derivedOf(dataset))) {
        const [first, ...others] = await problemsOf(dataset, by);
        if (first !== undefined) throw Refusal.of([first, ...others]);
      }
    }
    return complete(draft);
  };

async function storedBefore(entities: Pick<EntityStore, "get">, id: string): Promise<InternalDataset | undefined> {
  try {
    return (await entities.get(internalDatasets, id)).body;
  } catch (error) {
    if (error instanceof Refusal && error.code === "not-found") return undefined;
    throw error;
  }
}

const computedOf = ({ schema }: InternalDataset) => schema.columns.filter(({ computed }) => computed !== undefined);
const hasDerived = (dataset: InternalDataset): boolean => (dataset.lookups ?? []).length > 0 || computedOf(dataset).length > 0;
const derivedOf = (dataset: InternalDataset): unknown => [
  dataset.lookups ?? [],
  computedOf(dataset).map(({ name, computed }) => [name, computed]),
];
