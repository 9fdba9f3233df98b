import type { Entity } from "@fairway/contract/entities";
import { Button, Flex } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { sameContent, UnsavedChanges } from "#ui/dialog/unsaved-changes.tsx";
import { ConflictView } from "#parts/conflict/conflict-view.tsx";
import { type DraftOf, sendDraft } from "./editor-save.ts";
import type { EditDialog } from "../entities/entity-dialog.ts";
import { type EntityDraft, withoutNestedIds } from "../entities/entity.ts";
import type { EntityKind } from "../entities/entity-kind.ts";
import { EntityWarnings } from "../entities/entity-warnings.tsx";
import { SaveFailure } from "./save-failure.tsx";
import { toastSaved } from "./save-toasts.ts";
import classes from "./editor.module.css";

interface EntityFormDialogProps {
  kind: EntityKind;
  dialog: EditDialog;
  opened: boolean;
  onClose: () => void;
  /** The name in the title and in toasts. */
  name: string;
  draft: EntityDraft;
  /** The draft that an unchanged form would send for an entity. */
  draftOf: DraftOf;
  /** Why the draft cannot be saved; null when it can. */
  problem: string | null;
  /** Refills the form with the other user's version (`isMine` false) or with that version and this user's changes, keeping a typed password. */
  onFill: (entity: EntityDraft, isMine: boolean) => void;
  children: ReactNode;
}

/** The dialog of an entity's form: saves it, shows failures and resolves conflicts with concurrent saves. */
export function EntityFormDialog({
  kind,
  dialog,
  opened,
  onClose,
  name,
  draft,
  draftOf,
  problem,
  onFill,
  children,
}: EntityFormDialogProps) {
  const [base, setBase] = useState<Entity | null>(dialog.kind === "edit" ? dialog.entity : null);
  const [conflict, setConflict] = useState<{ theirs: Entity; mine: EntityDraft } | null>(null);
  const [failure, setFailure] = useState<{ title: string; messages: readonly string[] } | null>(null);
  const [isSaving, setSaving] = useState(false);
  const [initial, setInitial] = useState(draft);
  const title = dialog.kind === "edit" ? `Edit ${name}` : dialog.kind === "copy" ? `Copy of a ${kind.noun}` : `New ${kind.noun}`;

  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (problem !== null || isSaving) return;
    setSaving(true);
    setFailure(null);
    const result = await sendDraft(kind, draft, { base, draftOf });
    setSaving(false);
    if (result.kind === "conflict") setConflict(result);
    else if (result.kind === "failed") setFailure(result);
    else {
      toastSaved(name || kind.noun, result, base === null);
      onClose();
    }
  };
  const resumeEditing = (entity: EntityDraft, theirs: Entity, isMine: boolean) => {
    setBase(theirs);
    setInitial(draftOf(theirs));
    setConflict(null);
    onFill(entity, isMine);
  };

  return (
    <Dialog opened={opened} onClose={onClose} title={title} size={640} fillsPhone closeOnClickOutside={false}>
      <UnsavedChanges when={!sameContent(draft, initial)} />
      {conflict && base ? (
        <ConflictView
          alertClass={classes["failure"]}
          footerClass={classes["footer"]}
          noun={kind.noun}
          baseVersion={base.version}
          newestVersion={conflict.theirs.version}
          theirs={withoutNestedIds(conflict.theirs)}
          mine={withoutNestedIds({ ...conflict.theirs, ...conflict.mine })}
          onKeepMine={() => resumeEditing(conflict.mine, conflict.theirs, true)}
          onTakeTheirs={() => resumeEditing(conflict.theirs, conflict.theirs, false)}
        />
      ) : (
        <Flex onSubmit={(event) => void save(event)} component="form" gap="lg" direction="column" noValidate>
          <EntityWarnings warnings={base?.warnings} />
          {children}
          <SaveFailure failure={failure} />
          <div className={classes["footer"]}>
            <span className={classes["note"]} role="status">
              {problem}
            </span>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isSaving} disabled={problem !== null}>
              Save
            </Button>
          </div>
        </Flex>
      )}
    </Dialog>
  );
}
