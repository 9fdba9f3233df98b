import type { DatasetReading } from "@fairway/contract/dataset-administration";
import type { EntityWarning } from "@fairway/contract/entity-warning";
import type { ReadingChoices } from "@fairway/contract/readings";
import type { DatasetDraft } from "./dataset-draft.ts";

/** A dataset as it is stored. */
export interface LoadedDataset {
  readonly draft: DatasetDraft;
  readonly version: number;
  /** Why it does not work yet. */
  readonly warnings?: readonly EntityWarning[] | undefined;
}

export type DatasetSaved =
  /** `isMerged`: together with what another user saved meanwhile. */
  | { readonly kind: "saved"; readonly loaded: LoadedDataset; readonly isMerged: boolean }
  | { readonly kind: "failed"; readonly title: string; readonly messages: readonly string[] }
  /** Another user changed the same fields. `mine` is the stored version with the changes of this form. */
  | { readonly kind: "conflict"; readonly theirs: LoadedDataset; readonly mine: DatasetDraft };

/**
 * Where the form of a dataset reads and saves it: administrators by the calls of its entity, owners by those of their own datasets.
 * Loading and reading reject with GatewayError.
 */
export interface DatasetFormSource {
  /** Unique among all datasets and their sources: names the draft that a reload keeps, and the queries. */
  readonly key: string;
  /** An own dataset of a person, whose category cannot be changed. */
  readonly isOwn: boolean;
  readonly load: (signal: AbortSignal) => Promise<LoadedDataset>;
  readonly save: (draft: DatasetDraft, base: LoadedDataset) => Promise<DatasetSaved>;
  /** How the dataset's text files are read with these choices. Stores nothing. */
  readonly read: (choices: ReadingChoices, signal: AbortSignal) => Promise<DatasetReading>;
}
