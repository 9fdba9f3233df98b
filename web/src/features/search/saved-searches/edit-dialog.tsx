import type { SavedSearch } from "@fairway/contract/saved-searches";
import { useCurrentUser } from "#lib/session/current-session.ts";
import { editSearch } from "./queries.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import { SavedSearchForm } from "./saved-search-form.tsx";

/** Edits name, description and roles of a saved search, not its query. */
export function SavedEditDialog({ opened, saved, onClose }: { opened: boolean; saved: SavedSearch; onClose: () => void }) {
  const { roles } = useCurrentUser();
  const { id, queryName, description, sharedWithRoles } = saved;
  return (
    <Dialog opened={opened} onClose={onClose} title="Edit Saved Search" zIndex={300}>
      <SavedSearchForm
        key={id}
        initialValues={{ queryName, description, sharedWithRoles }}
        // Roles that the user has lost since may stay.
        roles={[...new Set([...roles, ...sharedWithRoles])]}
        onCancel={onClose}
        onSave={async (values) => {
          await editSearch(id, values);
          toastSuccess("Saved search changed");
          onClose();
        }}
      />
    </Dialog>
  );
}
