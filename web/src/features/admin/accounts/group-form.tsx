import { TextInput } from "@mantine/core";
import { useState } from "react";
import type { EditDialog, EntityDialogProps } from "../entities/entity-dialog.ts";
import type { EntityDraft } from "../entities/entity.ts";
import { plainText } from "../entities/entity-kind.ts";
import { EntityFormDialog } from "../editor/form-dialog.tsx";
import { RolePicker } from "./role-picker.tsx";

interface GroupFields {
  name: string;
  realmRoles: string[];
}

const fieldsOf = (entity: EntityDraft | null): GroupFields => ({
  name: plainText(entity?.["name"]),
  realmRoles: Array.isArray(entity?.["realmRoles"]) ? entity["realmRoles"].map(plainText) : [],
});

/** The form of a group and its roles. It is validated by the gateway only. */
export default function GroupForm({ kind, dialog, opened, onClose }: EntityDialogProps<EditDialog>) {
  const [{ name, realmRoles }, setFields] = useState(() => {
    const initial = fieldsOf(dialog.kind === "new" ? null : dialog.entity);
    return dialog.kind === "copy" ? { ...initial, name: "" } : initial;
  });
  return (
    <EntityFormDialog
      kind={kind}
      dialog={dialog}
      opened={opened}
      onClose={onClose}
      name={name}
      draft={{ ...(dialog.kind === "edit" ? { id: dialog.entity["id"] } : {}), name, realmRoles }}
      draftOf={(entity) => ({ id: entity["id"], ...fieldsOf(entity) })}
      problem={null}
      onFill={(entity) => setFields(fieldsOf(entity))}
    >
      <TextInput
        label="Name"
        value={name}
        onChange={(event) => setFields({ name: event.currentTarget.value, realmRoles })}
        autoComplete="off"
        data-autofocus
      />
      <RolePicker
        label="Roles"
        description="Members of the group get these"
        value={realmRoles}
        onChange={(roles) => setFields({ name, realmRoles: roles })}
      />
    </EntityFormDialog>
  );
}
