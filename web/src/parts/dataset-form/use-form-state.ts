import { readingChoices, type ReadingChoices } from "@fairway/contract/readings";
import type { DatasetReading } from "@fairway/contract/dataset-administration";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { z } from "zod";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { profileQuery } from "#parts/dataset-profile/queries.ts";
import { sameContent, useUnsavedChanges } from "#ui/dialog/unsaved-changes.tsx";
import { useKeptDraft } from "#ui/kept-draft.tsx";
import { type DatasetDraft, isDatasetDraft, problemsOf } from "./dataset-draft.ts";
import type { DatasetFormState, FormReading } from "./form-context.ts";
import { previewQuery } from "./preview-queries.ts";
import { hasTextFiles, withReading } from "./reading-draft.ts";
import type { DatasetFormSource, LoadedDataset } from "./source.ts";

const draftSchema = z.custom<DatasetDraft>(isDatasetDraft);
const keptSchema = z.object({
  edited: draftSchema,
  choices: readingChoices,
  base: z.object({ draft: draftSchema, version: z.int() }),
});

const noChoices: ReadingChoices = {};
/** The form is left as soon as one of these changes. */
const locationParams = ["form"];

export interface FormControl {
  readonly base: LoadedDataset;
  readonly isDirty: boolean;
  readonly isRestored: boolean;
  /** Whether the draft is complete: its files are not being read in another way. */
  readonly isSettled: boolean;
  /** Goes on from what is stored, with another draft or without changes. */
  readonly resume: (base: LoadedDataset, draft?: DatasetDraft) => void;
}

/** The state of the form of a dataset: the draft, how its files are read, and what is known of its rows. */
export function useFormState(source: DatasetFormSource, loaded: LoadedDataset): Omit<DatasetFormState, "goTo"> & FormControl {
  const draftName = `dataset form ${source.key}`;
  const kept = useKeptDraft(draftName, keptSchema);
  const [base, setBase] = useState<LoadedDataset>(kept?.base ?? loaded);
  const [edited, setEdited] = useState<DatasetDraft>(kept?.edited ?? loaded.draft);
  const [choices, choose] = useState<ReadingChoices>(kept?.choices ?? noChoices);
  const isRead = hasTextFiles(base.draft);
  const query = useQuery({
    queryKey: ["dataset-form", source.key, "reading", base.version, choices],
    queryFn: ({ signal }) => source.read(choices, signal),
    enabled: isRead,
    retry: false,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const read = useLastReading(base.version, query.data);
  const isChosen = choices !== noChoices && !sameContent(choices, noChoices);
  const draft = useMemo(() => (isChosen && read ? withReading(edited, read) : edited), [isChosen, read, edited]);

  const latest = useRef(draft);
  useEffect(() => {
    latest.current = draft;
  }, [draft]);
  const replace = useCallback((next: DatasetDraft) => {
    // Several changes may come before the next render.
    latest.current = next;
    setEdited(next);
  }, []);
  const update = useCallback(
    (change: (draft: DatasetDraft) => Partial<DatasetDraft>) => replace({ ...latest.current, ...change(latest.current) }),
    [replace],
  );
  const resume = useCallback(
    (next: LoadedDataset, mine: DatasetDraft = next.draft) => {
      setBase(next);
      replace(mine);
      choose(noChoices);
    },
    [replace],
  );

  const isDirty = isChosen || !sameContent(draft, base.draft);
  useUnsavedChanges(isDirty, { locationParams, draft: { name: draftName, value: { edited: draft, choices, base } } });

  const deferred = useDeferredValue(draft);
  const problems = useMemo(() => problemsOf(deferred), [deferred]);
  const { id, category } = base.draft;
  const rows = useQuery(previewQuery(base.draft));
  const profile = useQuery({ ...profileQuery(category, id), retry: false });
  const reading: FormReading = {
    reading: read?.reading,
    differences: read?.differences ?? [],
    isStored: read?.isStored === true || isChosen,
    choices,
    choose,
    isFetching: query.isFetching,
    error: query.error,
    retry: () => void query.refetch(),
  };
  return {
    draft,
    update,
    replace,
    problems,
    warnings: (base.warnings ?? []).filter(({ path = "" }) => sameContent(derivedAt(draft, path), derivedAt(base.draft, path))),
    isOwn: source.isOwn,
    reading: isRead ? reading : null,
    preview: { rows: rows.data, problem: rows.error === null ? null : messagesOf(rows.error).join(" ") },
    profile: profile.data?.profile ?? undefined,
    base,
    isDirty,
    isRestored: kept !== undefined,
    isSettled: !isChosen || (query.data !== undefined && !query.isFetching && query.error === null),
    resume,
  };
}

/** The lookup or computed column that a path leads into. */
function derivedAt({ lookups, schema }: DatasetDraft, path: string): unknown {
  const [list, first, second] = path.split(".");
  return list === "lookups" ? lookups?.[Number(first)] : schema.columns[Number(second)];
}

/** The latest reading of a version, which stays while it is read in another way, and if that is refused. */
function useLastReading(version: number, data: DatasetReading | undefined): DatasetReading | undefined {
  const [last, setLast] = useState<{ version: number; data: DatasetReading } | null>(null);
  if (data !== undefined && data !== last?.data) setLast({ version, data });
  return data ?? (last?.version === version ? last.data : undefined);
}
