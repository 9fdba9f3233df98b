import type { OwnListing } from "@fairway/contract/datasets";
import type { OwnOrShared } from "@fairway/contract/sharing";
import { mayDo } from "#sharing/access.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import type { Dataset, OwnMark } from "./dataset.ts";

export interface ReadableOwn {
  readonly dataset: Dataset;
  readonly own: OwnMark;
  readonly can: OwnOrShared;
}

/** Finds the own datasets of a reader without looking at those of all others. */
export class OwnIndex {
  readonly #of = new Map<string, Dataset[]>();

  constructor(datasets: readonly Dataset[]) {
    for (const dataset of datasets) {
      if (dataset.own === null) continue;
      const { ownerId, shares } = dataset.own;
      const keys = shares.map(({ kind, target }) => `${kind} ${target}`);
      if (ownerId !== null) keys.push(`user ${ownerId}`);
      for (const key of new Set(keys)) this.#of.set(key, [...(this.#of.get(key) ?? []), dataset]);
    }
  }

  /** Each once. */
  readable(reader: SignedInUser): ReadableOwn[] {
    if (this.#of.size === 0) return [];
    const { id, groups, roles } = reader;
    const keys = [`user ${id}`, ...groups.map((group) => `group ${group}`), ...roles.map((role) => `role ${role}`), "everyone "];
    const found = new Set(keys.flatMap((key) => this.#of.get(key) ?? []));
    return [...found].flatMap((dataset) => {
      const { own } = dataset;
      const can = own === null ? undefined : mayDo(own, reader);
      return own === null || can === undefined ? [] : [{ dataset, own, can }];
    });
  }
}

/** The mark of an own dataset in lists. */
export const ownListing = ({ id, title, ownerName, shares }: OwnMark, can: OwnOrShared): OwnListing => ({
  id,
  title,
  owner: ownerName,
  can,
  isShared: shares.length > 0,
});
