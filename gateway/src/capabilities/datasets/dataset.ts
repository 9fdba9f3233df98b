import type { FieldFilter } from "@fairway/contract/datasets";
import type { InternalDataset } from "@fairway/contract/internal-datasets";
import type { Stored } from "#entities/store.ts";
import type { DatasetSource } from "#query/engine.ts";

/** An internal or external dataset. */
export interface Dataset extends Omit<InternalDataset, "source"> {
  readonly source: DatasetSource;
  /** Filters of an upstream, which need not be columns; null if filters compare columns. */
  readonly parameters: readonly FieldFilter[] | null;
  /** Changes whenever its entity is saved. */
  readonly revision: string;
}

export const internalDataset = ({ body, ...saved }: Pick<Stored<InternalDataset>, "body" | "version" | "updatedAt">): Dataset => ({
  ...body,
  parameters: null,
  revision: revisionOf(saved),
});

export const revisionOf = ({ version, updatedAt }: Pick<Stored<object>, "version" | "updatedAt">): string =>
  `${version}.${updatedAt.getTime()}`;
