import { useState } from "react";
import { lazyPart } from "#ui/lazy-part.tsx";
import type { EntityDialog } from "./entity-dialog.ts";
import type { EntityKind } from "./entity-kind.ts";

const FreshEntity = lazyPart(() => import("./fresh-entity.tsx"));
const EditorDialog = lazyPart(() => import("./editor-dialog.tsx"), { isLarge: true });
const UserForm = lazyPart(() => import("./user-form.tsx"));
const GroupForm = lazyPart(() => import("./group-form.tsx"));
const NoticeForm = lazyPart(() => import("./notice-form.tsx"));
const RevisionsDialog = lazyPart(() => import("./revisions-dialog.tsx"));
const NewFromDataDialog = lazyPart(() => import("./new-from-data-dialog.tsx"));
const rowDialogs = {
  descriptions: lazyPart(() => import("./descriptions-dialog.tsx")),
  "schema-update": lazyPart(() => import("./schema-update-dialog.tsx")),
  "security-events": lazyPart(() => import("./security-events-dialog.tsx")),
  "jolt-trial": lazyPart(() => import("./jolt-dialog.tsx")),
};
const ImportDialog = lazyPart(() => import("./import-dialog.tsx"));

const forms = { user: UserForm, group: GroupForm, notice: NoticeForm };

interface EntityDialogsProps {
  kind: EntityKind;
  dialog: EntityDialog | null;
  onChange: (dialog: EntityDialog | null) => void;
}

/** What lies over the table, each with its first use. */
export function EntityDialogs({ kind, dialog, onChange }: EntityDialogsProps) {
  // Kept while it fades out. Each opening is a new one.
  const [shown, setShown] = useState<{ dialog: EntityDialog; nth: number } | null>(null);
  if (dialog && dialog !== shown?.dialog) setShown({ dialog, nth: (shown?.nth ?? 0) + 1 });
  if (!shown) return null;
  const common = { kind, opened: dialog !== null, onClose: () => onChange(null) };
  const { dialog: now, nth } = shown;
  if (now.kind === "import") return <ImportDialog key={nth} {...common} dialog={now} />;
  if (now.kind === "revisions") return <RevisionsDialog key={nth} {...common} dialog={now} />;
  if (now.kind === "new-from-data") {
    return <NewFromDataDialog key={nth} {...common} onContinue={(begin) => onChange({ kind: "new", begin })} />;
  }
  if (now.kind === "row") {
    const Dialog = rowDialogs[now.extra];
    if (now.extra !== "descriptions") return <Dialog key={nth} {...common} dialog={now} />;
    return (
      <FreshEntity key={nth} {...common} entity={now.entity}>
        {(entity) => <Dialog {...common} dialog={{ ...now, entity }} />}
      </FreshEntity>
    );
  }
  const Editor = kind.form ? forms[kind.form] : EditorDialog;
  if (now.kind !== "edit") return <Editor key={nth} {...common} dialog={now} />;
  return (
    <FreshEntity key={nth} {...common} entity={now.entity}>
      {(entity) => <Editor {...common} dialog={{ kind: "edit", entity }} />}
    </FreshEntity>
  );
}
