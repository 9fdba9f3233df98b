import type { SavedSearch } from "@fairway/contract/saved-searches";
import { useCurrentUser } from "#lib/session/current-session.ts";
import { editSearch } from "./queries.ts";
import { Dialog } from "#ui/dialog.tsx";
import { toastSuccess } from "#ui/toast.ts";
import { SavedSearchForm } from "./saved-search-form.tsx";

/** Another name, description or roles for a saved search. What it asks stays. */
export function SavedEditDialog({ opened, saved, onClose }: { opened: boolean; saved: SavedSearch; onClose: () => void }) {
  const { roles } = useCurrentUser();
  const { id, queryName, description, sharedWithRoles } = saved;
  return (
    <Dialog opened={opened} onClose={onClose} title="Edit Saved Search" zIndex={300}>
      <SavedSearchForm
        key={id}
        begin={{ queryName, description, sharedWithRoles }}
        // A role that was lost since may stay.
        roles={[...new Set([...roles, ...sharedWithRoles])]}
        onCancel={onClose}
        onSave={async (said) => {
          await editSearch(id, said);
          toastSuccess("Saved search changed");
          onClose();
        }}
      />
    </Dialog>
  );
}
