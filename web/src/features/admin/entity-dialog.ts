import type { Entity } from "@fairway/contract/entities";
import type { EntityKind } from "./entity-kind.ts";

/** What lies over the table. */
export type EntityDialog =
  | { kind: "new" }
  | { kind: "copy"; entity: Entity }
  | { kind: "edit"; entity: Entity }
  | { kind: "revisions"; id: string; name: string }
  | { kind: "import" };

/** Those that edit one entity. */
export type EditDialog = Extract<EntityDialog, { kind: "new" | "copy" | "edit" }>;

export interface EntityDialogProps<Dialog> {
  kind: EntityKind;
  dialog: Dialog;
  opened: boolean;
  onClose: () => void;
}
