import { userRemoval } from "@fairway/contract/accounts";
import { ownership, type ShareCandidate } from "@fairway/contract/sharing";
import { useQuery } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";
import { FormDialog } from "#ui/kit/form-dialog.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import { refetchEntities } from "../entities/entity-calls.ts";
import type { EntityDialogProps, RowDialog } from "../entities/entity-dialog.ts";
import { displayNameOf } from "../entities/entity-kind.ts";
import { OwnedByDeleted } from "./owned-things.tsx";

/** Deletes a user, and gives what the account owns to somebody else before, if asked to. */
export default function DeleteUserDialog({ kind, dialog: { id, entity }, opened, onClose }: EntityDialogProps<RowDialog>) {
  const name = displayNameOf(kind, entity);
  const owned = useQuery({
    queryKey: ["admin", kind.type, "owned", id],
    queryFn: ({ signal }) => call(ownership.owned, { params: { id } }, { signal }),
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={`Delete ${name}?`}
      size={520}
      fillsPhone
      initial={{ to: null as ShareCandidate | null }}
      saveLabel="Delete"
      isDestructive
      save={async ({ to }) => {
        await call(userRemoval, { params: { id }, query: to?.id === undefined ? {} : { transferTo: to.id } });
        toastSuccess(`${name} deleted`, 1200);
        onClose();
        await refetchEntities(kind);
      }}
    >
      {({ values: { to }, set }) => (
        <>
          <p>This deletes the user for everyone, immediately.</p>
          <OwnedByDeleted accounts={[{ id, name }]} owned={owned} to={to} onChange={(found) => set({ to: found })} />
        </>
      )}
    </FormDialog>
  );
}
