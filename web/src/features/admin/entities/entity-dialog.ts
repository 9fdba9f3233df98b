import type { Entity } from "@fairway/contract/entities";
import type { EntityDraft } from "./entity.ts";
import type { EntityKind, RowExtra } from "./entity-kind.ts";

/** The dialog over the table. */
export type EntityDialog =
  | { kind: "new"; initial?: EntityDraft }
  | { kind: "new-from-data" }
  | RowDialog
  | DeleteUsers
  | { kind: "copy"; entity: Entity }
  | { kind: "edit"; entity: Entity }
  | { kind: "revisions"; id: string; name: string }
  | { kind: "import" };

/** A dialog for one row that only some types have. */
export interface RowDialog {
  kind: "row";
  extra: Exclude<RowExtra, "form" | "access"> | "delete-user";
  id: string;
  entity: Entity;
}

/** The deletion of several accounts. */
export interface DeleteUsers {
  kind: "delete-users";
  accounts: readonly { readonly id: string; readonly name: string }[];
}

/** The dialogs that edit one entity. */
export type EditDialog = Extract<EntityDialog, { kind: "new" | "copy" | "edit" }>;

export interface EntityDialogProps<Dialog> {
  kind: EntityKind;
  dialog: Dialog;
  opened: boolean;
  onClose: () => void;
}
