import type { Entity } from "@fairway/contract/entities";
import type { EntityDraft } from "./entity.ts";
import type { EntityKind, RowExtra } from "./entity-kind.ts";

/** What lies over the table. */
export type EntityDialog =
  | { kind: "new"; begin?: EntityDraft }
  | { kind: "new-from-data" }
  | RowDialog
  | { kind: "copy"; entity: Entity }
  | { kind: "edit"; entity: Entity }
  | { kind: "revisions"; id: string; name: string }
  | { kind: "import" };

/** What only some types have, over one of their rows. */
export interface RowDialog {
  kind: "row";
  extra: RowExtra;
  id: string;
  entity: Entity;
}

/** Those that edit one entity. */
export type EditDialog = Extract<EntityDialog, { kind: "new" | "copy" | "edit" }>;

export interface EntityDialogProps<Dialog> {
  kind: EntityKind;
  dialog: Dialog;
  opened: boolean;
  onClose: () => void;
}
