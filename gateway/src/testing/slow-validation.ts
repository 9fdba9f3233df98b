import { Refusal } from "#http/refusal.ts";
import type { EntityRepository, Trx } from "../capabilities/entities/entity-repository.ts";

/** Blocks for a while on each draft, like a large schema, and refuses drafts without a name. */
export const repository = {
  noun: "thing",
  idField: "name",
  canDisable: true,
  isExclusive: false,
  states: () => Promise.resolve([]),
  idOf: () => Promise.resolve(undefined),
  validate: (draft: { readonly name?: string }) => {
    const until = performance.now() + 0.5;
    while (performance.now() < until);
    if (draft.name === undefined) throw new Refusal("invalid-request", "'name': is missing.", { path: "name" });
    return Promise.resolve({ id: draft.name, key: draft.name, draft });
  },
} as unknown as EntityRepository;

export const trx = {} as Trx;
