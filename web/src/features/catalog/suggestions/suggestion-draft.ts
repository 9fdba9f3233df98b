import { recordOf } from "@fairway/contract/records";
import { datasetKey, type DatasetRef } from "@fairway/contract/datasets";
import { z } from "zod";
import { create } from "zustand";
import { rememberInTab } from "#lib/browser/tab-memory.ts";

const columnName = z.string().nullable();

const draft = z.object({
  /** The column whose text is shown; null for the dataset itself. */
  columnName,
  /** Changed texts that have not been sent. */
  texts: z.array(z.object({ columnName, text: z.string() })),
});
/** A suggestion for a dataset that a user has not sent yet. */
export type SuggestionDraft = z.infer<typeof draft>;

const useDrafts = create<{ drafts: Readonly<Record<string, SuggestionDraft>> }>(() => ({ drafts: {} }));

const store = rememberInTab("description suggestions", {
  restore: (stored) => useDrafts.setState({ drafts: recordOf(z.string(), draft).safeParse(stored).data ?? {} }),
  forget: () => useDrafts.setState({ drafts: {} }),
});

function setDraft(dataset: DatasetRef, next: SuggestionDraft | null): void {
  const key = datasetKey(dataset);
  const { [key]: _, ...others } = useDrafts.getState().drafts;
  const drafts = next === null ? others : { ...others, [key]: next };
  useDrafts.setState({ drafts });
  store(drafts);
}

/** The draft of a dataset, which survives a reload of the tab; null while nothing is suggested. */
export function useSuggestionDraft(dataset: DatasetRef): [SuggestionDraft | null, (draft: SuggestionDraft | null) => void] {
  const key = datasetKey(dataset);
  return [useDrafts(({ drafts }) => drafts[key] ?? null), (next) => setDraft(dataset, next)];
}

/** Opens the dialog to suggest a description of a column, or of the dataset itself. */
export const startSuggesting = (dataset: DatasetRef, column: string | null): void => setDraft(dataset, { columnName: column, texts: [] });

/** The text that is being suggested; undefined while it is unchanged. */
export const draftText = ({ texts }: SuggestionDraft, column: string | null): string | undefined =>
  texts.find((one) => one.columnName === column)?.text;

/** Null drops the change. */
export const withText = (current: SuggestionDraft, column: string | null, text: string | null): SuggestionDraft => ({
  ...current,
  texts: [...current.texts.filter((one) => one.columnName !== column), ...(text === null ? [] : [{ columnName: column, text }])],
});
