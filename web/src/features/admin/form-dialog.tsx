import type { Entity } from "@fairway/contract/entities";
import { Button } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import { Dialog } from "#ui/dialog.tsx";
import { sameContent, UnsavedChanges } from "#ui/unsaved-changes.tsx";
import { toastSuccess } from "#ui/toast.ts";
import { ConflictView } from "./conflict-view.tsx";
import { sendDraft } from "./editor-save.ts";
import type { EditDialog } from "./entity-dialog.ts";
import { type EntityDraft, withoutNestedIds } from "./entity.ts";
import type { EntityKind } from "./entity-kind.ts";
import { SaveFailure } from "./save-failure.tsx";
import editor from "./editor.module.css";
import classes from "./forms.module.css";

interface FormDialogProps {
  kind: EntityKind;
  dialog: EditDialog;
  opened: boolean;
  onClose: () => void;
  /** What its title and toasts call it. */
  name: string;
  draft: EntityDraft;
  /** Why it cannot be saved yet. */
  problem: string | null;
  /** Fills the form anew: somebody else's version was taken. */
  onTakeTheirs: (theirs: Entity) => void;
  children: ReactNode;
}

/** A typed form over one entity: saves it, says why not, and shows both versions where somebody else was quicker. */
export function FormDialog({ kind, dialog, opened, onClose, name, draft, problem, onTakeTheirs, children }: FormDialogProps) {
  const [base, setBase] = useState<Entity | null>(dialog.kind === "edit" ? dialog.entity : null);
  const [theirs, setTheirs] = useState<Entity | null>(null);
  const [failure, setFailure] = useState<{ title: string; messages: readonly string[] } | null>(null);
  const [isSaving, setSaving] = useState(false);
  const [begin] = useState(draft);
  const title = dialog.kind === "edit" ? `Edit ${name}` : dialog.kind === "copy" ? `Copy of a ${kind.noun}` : `New ${kind.noun}`;

  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (problem !== null || isSaving) return;
    setSaving(true);
    setFailure(null);
    const result = await sendDraft(kind, draft, base);
    setSaving(false);
    if (result.kind === "conflict") setTheirs(result.theirs);
    else if (result.kind === "failed") setFailure(result);
    else {
      if (base === null) toastSuccess(`${name || kind.noun} created`, 2000);
      else toastSuccess(`${name || kind.noun} saved`, 1200);
      onClose();
    }
  };

  return (
    <Dialog opened={opened} onClose={onClose} title={title} size={640} fillsPhone closeOnClickOutside={false}>
      <UnsavedChanges when={!sameContent(draft, begin)} />
      {theirs && base ? (
        <ConflictView
          noun={kind.noun}
          base={base}
          newest={theirs}
          theirs={withoutNestedIds(theirs)}
          mine={withoutNestedIds({ ...theirs, ...draft })}
          onKeepMine={() => {
            setBase(theirs);
            setTheirs(null);
          }}
          onTakeTheirs={() => {
            setBase(theirs);
            setTheirs(null);
            onTakeTheirs(theirs);
          }}
        />
      ) : (
        <form onSubmit={(event) => void save(event)} className={classes["form"]} noValidate>
          {children}
          <SaveFailure failure={failure} />
          <div className={editor["foot"]}>
            <span className={editor["note"]} role="status">
              {problem}
            </span>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isSaving} disabled={problem !== null}>
              Save
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
