import { FilesetDialog } from "#parts/file-browser/fileset-dialog.tsx";
import type { EntityDialogProps, RowDialog } from "../entities/entity-dialog.ts";

/** Browses any fileset, including the one that holds the help. Administrators may also delete files. */
export default function OpenFilesetDialog({ dialog: { entity, id }, opened, onClose }: EntityDialogProps<RowDialog>) {
  return (
    <FilesetDialog
      opened={opened}
      title={id}
      fileset={id}
      path=""
      allowsUploads={entity["allowsUploads"] === true}
      canDelete
      onClose={onClose}
    />
  );
}
