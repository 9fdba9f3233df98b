import { useState } from "react";
import { lazyPart } from "#ui/lazy-part.tsx";
import type { EntityDialog } from "./entity-dialog.ts";
import type { EntityKind } from "./entity-kind.ts";

const LoadEntity = lazyPart(() => import("./load-entity.tsx"));
const EditorDialog = lazyPart(() => import("./editor-dialog.tsx"), { isLarge: true });
const UserForm = lazyPart(() => import("./user-form.tsx"));
const GroupForm = lazyPart(() => import("./group-form.tsx"));
const NoticeForm = lazyPart(() => import("./notice-form.tsx"));
const RevisionsDialog = lazyPart(() => import("./revisions-dialog.tsx"));
const NewFromDataDialog = lazyPart(() => import("./new-from-data-dialog.tsx"));
const rowDialogs = {
  descriptions: lazyPart(() => import("./descriptions-dialog.tsx")),
  "schema-update": lazyPart(() => import("./schema-update-dialog.tsx")),
  reading: lazyPart(() => import("./reading/reading-dialog.tsx")),
  "security-events": lazyPart(() => import("./security-events-dialog.tsx")),
  "provider-link": lazyPart(() => import("./provider-link-dialog.tsx")),
  "doc-files": lazyPart(() => import("./doc-files-dialog.tsx")),
  "open-fileset": lazyPart(() => import("./open-fileset-dialog.tsx")),
  "jolt-trial": lazyPart(() => import("./jolt-dialog.tsx")),
};
const ImportDialog = lazyPart(() => import("./import-dialog.tsx"));

const forms = { user: UserForm, group: GroupForm, notice: NoticeForm };

interface EntityDialogsProps {
  kind: EntityKind;
  dialog: EntityDialog | null;
  onChange: (dialog: EntityDialog | null) => void;
}

/** The dialogs over the table. Each one loads on first use. */
export function EntityDialogs({ kind, dialog, onChange }: EntityDialogsProps) {
  // The last dialog stays mounted while it fades out. Each opening mounts a new one.
  const [shown, setShown] = useState<{ dialog: EntityDialog; opening: number } | null>(null);
  if (dialog && dialog !== shown?.dialog) setShown({ dialog, opening: (shown?.opening ?? 0) + 1 });
  if (!shown) return null;
  const common = { kind, opened: dialog !== null, onClose: () => onChange(null) };
  const { dialog: current, opening } = shown;
  if (current.kind === "import") return <ImportDialog key={opening} {...common} dialog={current} />;
  if (current.kind === "revisions") return <RevisionsDialog key={opening} {...common} dialog={current} />;
  if (current.kind === "new-from-data") {
    return <NewFromDataDialog key={opening} {...common} onContinue={(initial) => onChange({ kind: "new", initial })} />;
  }
  if (current.kind === "row") {
    const Dialog = rowDialogs[current.extra];
    if (current.extra !== "descriptions" && current.extra !== "reading") return <Dialog key={opening} {...common} dialog={current} />;
    return (
      <LoadEntity key={opening} {...common} entity={current.entity}>
        {(entity) => <Dialog {...common} dialog={{ ...current, entity }} />}
      </LoadEntity>
    );
  }
  const Editor = kind.form ? forms[kind.form] : EditorDialog;
  if (current.kind !== "edit") return <Editor key={opening} {...common} dialog={current} />;
  return (
    <LoadEntity key={opening} {...common} entity={current.entity}>
      {(entity) => <Editor {...common} dialog={{ kind: "edit", entity }} />}
    </LoadEntity>
  );
}
