import { ownValue, recordOf } from "@fairway/contract/records";
import type { DatasetSchema } from "@fairway/contract/datasets";
import type { DescriptionLayer, DescriptionsDraft } from "@fairway/contract/descriptions";
import { z } from "zod";
import { create } from "zustand";
import { rememberInTab } from "#lib/browser/tab-memory.ts";

export type DraftMode = "community" | "private";

/** A changed text, and the stored one that it replaces. */
const edit = z.object({ text: z.string(), before: z.string() });
export type Edit = z.infer<typeof edit>;

const draft = z.object({
  mode: z.enum(["community", "private"]),
  /** Of the schema that the edit started from. */
  etag: z.string(),
  /** The dataset's own description; null while unchanged. */
  description: edit.nullable(),
  /** Changed columns by name. */
  columns: recordOf(z.string(), edit),
});
/** The unsaved edit of one layer of a dataset's descriptions. */
export type Draft = z.infer<typeof draft>;

const useDrafts = create<{ drafts: Readonly<Record<string, Draft>> }>(() => ({ drafts: {} }));

const store = rememberInTab("descriptions", {
  restore: (stored) => useDrafts.setState({ drafts: recordOf(z.string(), draft).safeParse(stored).data ?? {} }),
  forget: () => useDrafts.setState({ drafts: {} }),
});

/**
 * The draft of a dataset, which survives a reload of the tab; null while nothing is edited. The third value notes which version
 * the screen shows now, and keeps what was typed meanwhile.
 */
export function useDraft(category: string, datasetId: string): [Draft | null, (draft: Draft | null) => void, (etag: string) => void] {
  const key = JSON.stringify([category, datasetId]);
  const current = useDrafts(({ drafts }) => drafts[key] ?? null);
  const setDraft = (next: Draft | null) => {
    const { [key]: _, ...others } = useDrafts.getState().drafts;
    const drafts = next === null ? others : { ...others, [key]: next };
    useDrafts.setState({ drafts });
    store(drafts);
  };
  const setEtag = (etag: string) => {
    const latest = useDrafts.getState().drafts[key];
    if (latest) setDraft({ ...latest, etag });
  };
  return [current, setDraft, setEtag];
}

export const newDraft = (mode: DraftMode, etag: string): Draft => ({ mode, etag, description: null, columns: {} });

type Described = Pick<DatasetSchema, "communityDescription" | "userDescription">;

/** The stored text of the layer that a draft edits. */
export const storedText = ({ mode }: Pick<Draft, "mode">, { communityDescription, userDescription }: Described): string =>
  mode === "community" ? communityDescription : userDescription;

/** One layer of a schema. */
export const layerOf = (mode: DraftMode, schema: DatasetSchema): DescriptionLayer => ({
  description: storedText({ mode }, schema),
  columns: schema.columns.map((column) => ({ name: column.name, description: storedText({ mode }, column) })),
});

const changed = (text: string, before: string): Edit | null => (text === before ? null : { text, before });

/** The text of a field while it is edited; `stored` is the text that the schema holds now. Null drops the edit. */
export const withDescription = (draft: Draft, text: string | null, stored: string): Draft => ({
  ...draft,
  description: text === null ? null : changed(text, draft.description?.before ?? stored),
});

/** Like `withDescription`, for a column. */
export function withColumn(draft: Draft, name: string, text: string | null, stored: string): Draft {
  const { [name]: _, ...others } = draft.columns;
  const next = text === null ? null : changed(text, ownValue(draft.columns, name)?.before ?? stored);
  return { ...draft, columns: next === null ? others : { ...others, [name]: next } };
}

/** Someone else saved another text than the one that this edit replaces. */
export const isConflict = (one: Edit | null | undefined, stored: string): boolean =>
  one !== null && one !== undefined && one.before !== stored && one.text !== stored;

export const hasConflict = (draft: Draft, schema: DatasetSchema): boolean =>
  isConflict(draft.description, storedText(draft, schema)) ||
  schema.columns.some((column) => isConflict(ownValue(draft.columns, column.name), storedText(draft, column)));

export const changeCount = ({ description, columns }: Draft): number => Object.keys(columns).length + (description ? 1 : 0);

export const saveBody = (draft: Draft, schema: DatasetSchema): DescriptionsDraft => ({
  description: draft.description?.text ?? storedText(draft, schema),
  columnDescriptions: Object.entries(draft.columns).map(([columnName, { text }]) => ({ columnName, description: text })),
});
