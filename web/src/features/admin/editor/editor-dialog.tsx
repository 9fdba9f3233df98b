import { entityDefinitions } from "@fairway/contract/administration";
import type { Entity } from "@fairway/contract/entities";
import { Button, SegmentedControl } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconArrowBackUp } from "#ui/icons/arrow-back-up.ts";
import { IconArrowForwardUp } from "#ui/icons/arrow-forward-up.ts";
import { IconSearch } from "#ui/icons/search.ts";
import { IconWand } from "#ui/icons/wand.ts";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { z } from "zod";
import { call } from "#lib/gateway/call.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { RestoredNote, useKeptDraft } from "#ui/kept-draft.tsx";
import { UnsavedChanges } from "#ui/dialog/unsaved-changes.tsx";
import { ConflictView } from "#parts/conflict/conflict-view.tsx";
import { EditorProblems } from "./editor-problem-list.tsx";
import { parseJson, problemsOf } from "./editor-problems.ts";
import { type DraftOf, saveDraft } from "./editor-save.ts";
import TextEditor, { type TextEditorHandle } from "./editor-text.tsx";
import TreeEditor from "./editor-tree.tsx";
import { entitiesQuery, routesOf } from "../entities/entity-calls.ts";
import type { EditDialog, EntityDialogProps } from "../entities/entity-dialog.ts";
import { type EntityDraft, withoutNestedIds } from "../entities/entity.ts";
import { displayNameOf, type EntityKind } from "../entities/entity-kind.ts";
import { EntityWarnings } from "../entities/entity-warnings.tsx";
import { SaveFailure } from "./save-failure.tsx";
import { toastSaved } from "./save-toasts.ts";
import classes from "./editor.module.css";

const toJsonText = (value: unknown): string => JSON.stringify(value, null, 2);

/** The initial content of the editor. */
function initialDraft(kind: EntityKind, dialog: EditDialog): EntityDraft {
  if (dialog.kind === "new") return dialog.initial ?? kind.template;
  const own = withoutNestedIds(dialog.entity, kind.opaque);
  return dialog.kind === "edit" ? own : { ...own, [kind.idField]: "" };
}

function titleOf(kind: EntityKind, dialog: EditDialog): string {
  if (dialog.kind === "new") return `New ${kind.noun}`;
  return `${dialog.kind === "edit" ? "Edit" : "Copy"} ${displayNameOf(kind, dialog.entity)}`;
}

/** The typed text, and the entity that the edit started with; null for a new one. */
const typedJson = z.object({ text: z.string(), base: z.looseObject({ version: z.int() }).nullable() });

/** Null for types with secrets: what is typed may be one, and stays nowhere. */
function draftNameOf(kind: EntityKind, dialog: EditDialog): string | null {
  if (entityDefinitions[kind.type].secrets.length > 0) return null;
  return `${dialog.kind} ${kind.type}${dialog.kind === "new" ? "" : ` ${String(dialog.entity[kind.idField])}`}`;
}

/** Edits one entity as JSON text or as a tree, validated against its type while typing. */
export default function EditorDialog({ kind, dialog, opened, onClose }: EntityDialogProps<EditDialog>) {
  const draftName = draftNameOf(kind, dialog);
  const stored = useKeptDraft(draftName ?? "", typedJson);
  // One that was made from data starts with that.
  const kept = draftName === null || (dialog.kind === "new" && dialog.initial) ? undefined : stored;
  const [initialText, setInitialText] = useState(() =>
    toJsonText(dialog.kind === "edit" && kept?.base ? withoutNestedIds(kept.base, kind.opaque) : initialDraft(kind, dialog)),
  );
  const [text, setText] = useState(kept?.text ?? initialText);
  const [mode, setMode] = useState<"text" | "tree">("text");
  const [base, setBase] = useState<Entity | null>(dialog.kind === "edit" ? (kept?.base ?? dialog.entity) : null);
  const [failure, setFailure] = useState<{ title: string; messages: readonly string[] } | null>(null);
  const [conflict, setConflict] = useState<{ theirs: Entity; mine: EntityDraft } | null>(null);
  const [isSaving, setSaving] = useState(false);
  const editor = useRef<TextEditorHandle>(null);
  const { data: list = [] } = useQuery(entitiesQuery(kind));
  const { data: schema } = useQuery({
    queryKey: ["admin", kind.type, "schema"],
    queryFn: ({ signal }) => call(routesOf(kind).schema, {}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [debouncedText] = useDebouncedValue(text, 250);
  const parsed = parseJson(text);
  const problems = useMemo(() => {
    const { value, problem } = parseJson(debouncedText);
    return problem ? [] : problemsOf(kind.type, value, kind.hasGeneratedId ? ["id"] : []);
  }, [kind, debouncedText]);
  const shownProblems = parsed.problem ? [parsed.problem] : debouncedText === text ? problems : [];

  const draftOf: DraftOf = (entity) => withoutNestedIds(entity, kind.opaque);
  const save = async () => {
    setSaving(true);
    setFailure(null);
    const result = await saveDraft(kind, parsed.value, { base, draftOf }, list);
    setSaving(false);
    if (result.kind === "conflict") setConflict(result);
    else if (result.kind === "failed") setFailure(result);
    else {
      toastSaved(displayNameOf(kind, result.entity), result, base === null);
      onClose();
    }
  };
  const resumeEditing = (draft: EntityDraft, theirs: Entity) => {
    setText(toJsonText(draft));
    setInitialText(toJsonText(draftOf(theirs)));
    setBase(theirs);
    setConflict(null);
  };

  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={titleOf(kind, dialog)}
      size={920}
      fillsPhone
      closeOnClickOutside={false}
      // Escape leaves a field of the tree or closes the completions.
      closeOnEscape={false}
    >
      <UnsavedChanges when={text !== initialText} {...(draftName === null ? {} : { draft: { name: draftName, value: { text, base } } })} />
      {conflict && base ? (
        <ConflictView
          alertClass={classes["failure"]}
          footerClass={classes["footer"]}
          noun={kind.noun}
          baseVersion={base.version}
          theirs={draftOf(conflict.theirs)}
          newestVersion={conflict.theirs.version}
          mine={conflict.mine}
          onKeepMine={() => resumeEditing(conflict.mine, conflict.theirs)}
          onTakeTheirs={() => resumeEditing(draftOf(conflict.theirs), conflict.theirs)}
        />
      ) : (
        <>
          <div className={classes["body"]}>
            <RestoredNote when={kept !== undefined} />
            <EntityWarnings warnings={base?.warnings} />
            <div className={classes["tools"]}>
              {mode === "text" && (
                <>
                  <IconButton label="Undo" onClick={() => editor.current?.undo()}>
                    <IconArrowBackUp size={16} aria-hidden />
                  </IconButton>
                  <IconButton label="Redo" onClick={() => editor.current?.redo()}>
                    <IconArrowForwardUp size={16} aria-hidden />
                  </IconButton>
                  <IconButton label="Format" disabled={parsed.problem !== null} onClick={() => setText(toJsonText(parsed.value))}>
                    <IconWand size={16} aria-hidden />
                  </IconButton>
                  <IconButton label="Find" onClick={() => editor.current?.find()}>
                    <IconSearch size={16} aria-hidden />
                  </IconButton>
                </>
              )}
              <SegmentedControl
                aria-label="Mode"
                value={mode}
                onChange={(next) => setMode(next === "tree" ? "tree" : "text")}
                data={[
                  { value: "text", label: "Text" },
                  { value: "tree", label: "Tree", disabled: parsed.problem !== null },
                ]}
              />
            </div>
            {mode === "text" || parsed.problem ? (
              <TextEditor
                handle={editor}
                label="JSON"
                text={text}
                onChange={setText}
                problems={parsed.problem ? [parsed.problem] : problems}
                schema={schema}
              />
            ) : (
              <TreeEditor label="JSON" value={parsed.value} onChange={(value) => setText(toJsonText(value))} />
            )}
            <EditorProblems problems={shownProblems} onGoTo={mode === "text" ? (path) => editor.current?.goTo(path) : undefined} />
          </div>
          <SaveFailure failure={failure} />
          <div className={classes["footer"]}>
            <span className={classes["note"]}>{base && `Version ${base.version}`}</span>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button loading={isSaving} disabled={parsed.problem !== null} onClick={() => void save()}>
              Save
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
