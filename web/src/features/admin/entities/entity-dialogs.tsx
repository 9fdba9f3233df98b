import { useState } from "react";
import { island } from "#ui/island.tsx";
import DescriptionsDialog from "../datasets/descriptions-dialog.tsx";
import type { EntityDialog } from "./entity-dialog.ts";
import type { EntityKind } from "./entity-kind.ts";
import GroupForm from "../accounts/group-form.tsx";
import ImportDialog from "../import/import-dialog.tsx";
import LoadEntity from "../editor/load-entity.tsx";
import NewFromDataDialog from "../datasets/new-from-data-dialog.tsx";
import NoticeForm from "../editor/notice-form.tsx";
import OpenFilesetDialog from "../datasets/open-fileset-dialog.tsx";
import ReadingDialog from "../reading/reading-dialog.tsx";
import RevisionsDialog from "../editor/revisions-dialog.tsx";
import SchemaUpdateDialog from "../datasets/schema-update-dialog.tsx";
import UserForm from "../accounts/user-form.tsx";

const EditorDialog = island(async () => ({ default: (await import("../code-dialogs.ts")).EditorDialog }), { isLarge: true });
const DeleteUserDialog = island(() => import("../accounts/delete-user-dialog.tsx"));
const DeleteUsersDialog = island(() => import("../accounts/delete-users-dialog.tsx"));
const DocFilesDialog = island(() => import("../datasets/doc-files-dialog.tsx"));
const ProviderLinkDialog = island(() => import("../accounts/provider-link-dialog.tsx"));
const SecurityEventsDialog = island(() => import("../accounts/security-events-dialog.tsx"));
const rowDialogs = {
  descriptions: DescriptionsDialog,
  "schema-update": SchemaUpdateDialog,
  reading: ReadingDialog,
  "security-events": SecurityEventsDialog,
  "provider-link": ProviderLinkDialog,
  "doc-files": DocFilesDialog,
  "open-fileset": OpenFilesetDialog,
  "delete-user": DeleteUserDialog,
  "jolt-trial": island(async () => ({ default: (await import("../code-dialogs.ts")).JoltDialog }), { isLarge: true }),
};

const forms = { user: UserForm, group: GroupForm, notice: NoticeForm };

interface EntityDialogsProps {
  kind: EntityKind;
  dialog: EntityDialog | null;
  onChange: (dialog: EntityDialog | null) => void;
}

/** The dialogs over the table. Each one mounts on first use. */
export function EntityDialogs({ kind, dialog, onChange }: EntityDialogsProps) {
  // The last dialog stays mounted while it fades out. Each opening mounts a new one.
  const [shown, setShown] = useState<{ dialog: EntityDialog; opening: number } | null>(null);
  if (dialog && dialog !== shown?.dialog) setShown({ dialog, opening: (shown?.opening ?? 0) + 1 });
  if (!shown) return null;
  const common = { kind, opened: dialog !== null, onClose: () => onChange(null) };
  const { dialog: current, opening } = shown;
  if (current.kind === "import") return <ImportDialog key={opening} {...common} dialog={current} />;
  if (current.kind === "delete-users") return <DeleteUsersDialog key={opening} {...common} dialog={current} />;
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
