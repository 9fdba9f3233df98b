import type { DatasetProfile } from "@fairway/contract/dataset-profiles";
import type { EntityWarning } from "@fairway/contract/entity-warning";
import type { Reading, ReadingChoices } from "@fairway/contract/readings";
import type { ResultRow } from "@fairway/contract/search";
import { createContext, useContext } from "react";
import type { DatasetDraft, FormProblem, Path } from "./dataset-draft.ts";

/** The reading of the dataset's text files, with the choices of this form. */
export interface FormReading {
  /** The latest that could be read; undefined until then. */
  readonly reading: Reading | undefined;
  /** Contradictions of the stored reading, in sentences. */
  readonly differences: readonly string[];
  /** Whether the dataset stores how it is read. */
  readonly isStored: boolean;
  readonly choices: ReadingChoices;
  readonly choose: (choices: ReadingChoices) => void;
  readonly isFetching: boolean;
  readonly error: Error | null;
  readonly retry: () => void;
}

/** Some rows as they are stored: `undefined` while they are loaded; `problem` says why there are none. */
export interface PreviewRows {
  readonly rows: readonly ResultRow[] | undefined;
  readonly problem: string | null;
}

export interface DatasetFormState {
  readonly draft: DatasetDraft;
  /** Changes the newest draft; the function stays the same. */
  readonly update: (change: (draft: DatasetDraft) => Partial<DatasetDraft>) => void;
  /** Puts another draft in its place, which may lack fields. */
  readonly replace: (draft: DatasetDraft) => void;
  readonly problems: readonly FormProblem[];
  /** Why lookups and computed columns of the stored dataset are left out, without those that have been changed here. */
  readonly warnings: readonly EntityWarning[];
  readonly isOwn: boolean;
  /** Null for sources other than text files. */
  readonly reading: FormReading | null;
  readonly preview: PreviewRows;
  /** Undefined if there is none. */
  readonly profile: DatasetProfile | undefined;
  /** Leads to the field of a problem. */
  readonly goTo: (path: Path) => void;
}

export const DatasetFormContext = createContext<DatasetFormState | null>(null);

/** The form around a section. */
export function useDatasetForm(): DatasetFormState {
  const state = useContext(DatasetFormContext);
  if (state === null) throw new Error("a section of a dataset's form is not within the form");
  return state;
}
