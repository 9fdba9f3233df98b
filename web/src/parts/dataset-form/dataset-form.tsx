import { Button } from "@mantine/core";
import { type ReactNode, type Ref, useRef, useState } from "react";
import { ConflictView } from "#parts/conflict/conflict-view.tsx";
import { PageHeader } from "#ui/page-header.tsx";
import { RestoredNote } from "#ui/kept-draft.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import { AboutSection } from "./about-section.tsx";
import { ColumnsSection } from "./columns-section.tsx";
import { type DatasetDraft, type Path, pathKey, placeText, problemsOf, type SectionId } from "./dataset-draft.ts";
import { ComputedSection } from "./computed-section.tsx";
import { FilesSection } from "./files-section.tsx";
import { FiltersSection } from "./filters-section.tsx";
import { DatasetFormContext, type DatasetFormState } from "./form-context.ts";
import { LinksSection } from "./links-section.tsx";
import { LookupsSection } from "./lookups-section.tsx";
import { PlaceSection } from "./place-section.tsx";
import { SectionIndex } from "./section-index.tsx";
import type { DatasetFormSource, DatasetSaved, LoadedDataset } from "./source.ts";
import { useFormState } from "./use-form-state.ts";
import classes from "./dataset-form.module.css";

export interface DatasetFormProps {
  source: DatasetFormSource;
  loaded: LoadedDataset;
  title: string;
  subtitle: (base: LoadedDataset, isDirty: boolean) => ReactNode;
  /** Above the sections: what does not work yet. */
  notes?: (base: LoadedDataset) => ReactNode;
  /** Instead of the section of the source: the files that an own dataset was made of. */
  files?: ReactNode;
  /** Who may read the dataset: roles, or the people it is shared with. */
  access: ReactNode;
  /** The dataset as text, for administrators. */
  advanced?: ReactNode;
  onClose: () => void;
  onSaved?: (base: LoadedDataset) => void;
}

/** Edits a dataset in sections on one page. The draft is saved as a whole, against the version that it is based on. */
export function DatasetForm({ source, loaded, title, subtitle, notes, files, access, advanced, onClose, onSaved }: DatasetFormProps) {
  const form = useFormState(source, loaded);
  const { draft, base, isDirty, isSettled, resume } = form;
  const [isSaving, setSaving] = useState(false);
  const [failure, setFailure] = useState<Extract<DatasetSaved, { kind: "failed" }> | null>(null);
  const [conflict, setConflict] = useState<Extract<DatasetSaved, { kind: "conflict" }> | null>(null);
  const [revealed, setRevealed] = useState<{ index: number } | null>(null);
  const content = useRef<HTMLDivElement>(null);
  const problemList = useRef<HTMLDivElement>(null);

  const goTo = (path: Path) => {
    const isColumn = path[0] === "schema" && typeof path[2] === "number";
    if (isColumn) setRevealed({ index: path[2] as number });
    const column = isColumn ? draft.schema.columns[path[2] as number]?.name : undefined;
    // The row of a column is in the document only after it has been scrolled to.
    requestAnimationFrame(() => requestAnimationFrame(() => focusField(content.current, path, column)));
  };
  const save = async () => {
    if (problemsOf(draft).length > 0) {
      problemList.current?.focus();
      return;
    }
    setSaving(true);
    setFailure(null);
    const result = await source.save(draft, base);
    setSaving(false);
    if (result.kind === "conflict") setConflict(result);
    else if (result.kind === "failed") {
      setFailure(result);
      content.current?.scrollTo({ top: 0 });
    } else {
      resume(result.loaded);
      toastSuccess(`${draft.id} saved${result.isMerged ? ", together with someone else's changes" : ""}`, 2000);
      onSaved?.(result.loaded);
    }
  };
  const resumeEditing = (theirs: LoadedDataset, mine?: DatasetDraft) => {
    resume(theirs, mine);
    setConflict(null);
  };
  const state: DatasetFormState = { ...form, goTo };
  const sections: SectionId[] = [
    "about",
    "files",
    "columns",
    "place",
    "filters",
    "links",
    "lookups",
    "computed",
    source.isOwn ? "sharing" : "access",
    ...(advanced === undefined ? [] : (["advanced"] as const)),
  ];
  return (
    <>
      <PageHeader title={title} subtitle={subtitle(base, isDirty)}>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        {!conflict && (
          <Button loading={isSaving} disabled={!isDirty || !isSettled} onClick={() => void save()}>
            Save
          </Button>
        )}
      </PageHeader>
      {conflict ? (
        <div className={classes["conflict"]}>
          <ConflictView
            noun="dataset"
            baseVersion={base.version}
            newestVersion={conflict.theirs.version}
            theirs={conflict.theirs.draft}
            mine={conflict.mine}
            onKeepMine={() => resumeEditing(conflict.theirs, conflict.mine)}
            onTakeTheirs={() => resumeEditing(conflict.theirs)}
            alertClass={classes["failure"]}
          />
        </div>
      ) : (
        <DatasetFormContext value={state}>
          <div className={classes["screen"]}>
            <SectionIndex sections={sections} problems={form.problems} content={content} />
            <div ref={content} className={classes["content"]}>
              <RestoredNote when={form.isRestored && isDirty} />
              {failure && (
                <div role="alert" className={classes["failure"]}>
                  <strong>{failure.title}</strong>
                  {failure.messages.map((message) => (
                    <p key={message}>{message}</p>
                  ))}
                </div>
              )}
              <Problems ref={problemList} state={state} />
              {notes?.(base)}
              <AboutSection />
              {files ?? <FilesSection />}
              <ColumnsSection reveal={revealed} />
              <PlaceSection />
              <FiltersSection />
              <LinksSection />
              <LookupsSection />
              <ComputedSection />
              {access}
              {advanced}
            </div>
          </div>
        </DatasetFormContext>
      )}
    </>
  );
}

/** Problems that a list shows at most. */
const shownProblems = 20;

/** All that keeps the draft from being saved, each with the way to its field. */
function Problems({ ref, state }: { ref: Ref<HTMLDivElement>; state: DatasetFormState }) {
  const { problems, draft, goTo } = state;
  if (problems.length === 0) return null;
  const heading = problems.length === 1 ? "One thing keeps this from being saved" : `${problems.length} things keep this from being saved`;
  return (
    <div ref={ref} tabIndex={-1} role="group" aria-label="Problems" className={classes["failure"]}>
      <strong role="status">{heading}</strong>
      <ul>
        {problems.slice(0, shownProblems).map((problem) => (
          <li key={`${pathKey(problem.path)} ${problem.message}`}>
            <button type="button" className={classes["link"]} onClick={() => goTo(problem.path)}>
              {placeText(problem, draft)}
            </button>{" "}
            {problem.message}
          </li>
        ))}
        {problems.length > shownProblems && <li>{`and ${problems.length - shownProblems} more`}</li>}
      </ul>
    </div>
  );
}

const focusable = "input, select, textarea, button";

/** Focuses the field of a path, or the one of a part of it that has one. */
function focusField(content: HTMLElement | null, path: Path, column: string | undefined): void {
  if (content === null) return;
  const row = column === undefined ? null : content.querySelector<HTMLElement>(`[data-column-row="${CSS.escape(column)}"]`);
  const found =
    row?.querySelector<HTMLElement>(`[data-field="${CSS.escape(String(path[3] ?? "label"))}"]`) ??
    row?.querySelector<HTMLElement>(focusable) ??
    path
      .map((_, index) => content.querySelector<HTMLElement>(`[data-path="${CSS.escape(pathKey(path.slice(0, path.length - index)))}"]`))
      .find((field) => field !== null);
  found?.scrollIntoView({ block: "center" });
  // A formula is edited within its field.
  (found?.querySelector<HTMLElement>("[role=textbox]") ?? found)?.focus();
}
