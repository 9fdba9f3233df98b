import type { Column } from "@fairway/contract/columns";
import type { AccessCheck } from "@fairway/contract/dataset-access-administration";
import { createContext, useContext } from "react";
import type { DatasetDraft } from "#parts/dataset-form/dataset-draft.ts";
import type { AccessDraft } from "./access-draft.ts";

export interface AccessFormState {
  readonly dataset: DatasetDraft;
  /** The columns that filters of rules may name. */
  readonly storedColumns: readonly Column[];
  readonly draft: AccessDraft;
  readonly update: (change: (draft: AccessDraft) => Partial<AccessDraft>) => void;
  /** The refusal of the field with this path; undefined if it was not refused. */
  readonly problemAt: (path: string) => string | undefined;
  /** The same of a field with parts, such as the values of a list. */
  readonly problemUnder: (path: string) => string | undefined;
  /** The names of all roles; undefined while they are not known. */
  readonly roles: readonly string[] | undefined;
  /** Effects of the rules as they are now; undefined while that is not known. */
  readonly check: AccessCheck | undefined;
  /** `invalid`: some fields need a change first. */
  readonly checkState: "invalid" | "running" | "failed" | "done";
  /** Asks for them again. */
  readonly checkAgain: () => void;
}

export const AccessFormContext = createContext<AccessFormState | null>(null);

export function useAccessForm(): AccessFormState {
  const state = useContext(AccessFormContext);
  if (state === null) throw new Error("a part of the access form is not within the form");
  return state;
}
