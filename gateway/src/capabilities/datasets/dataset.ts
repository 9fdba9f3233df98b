import type { FieldFilter } from "@fairway/contract/datasets";
import type { InternalDataset } from "@fairway/contract/internal-datasets";
import type { DatasetSource } from "#query/engine.ts";

/** An internal or external dataset. */
export interface Dataset extends Omit<InternalDataset, "source"> {
  readonly source: DatasetSource;
  /** Filters of an upstream, which need not be columns; null if filters compare columns. */
  readonly parameters: readonly FieldFilter[] | null;
}

export const internalDataset = (body: InternalDataset): Dataset => ({ ...body, parameters: null });
