import type { SavedSearch } from "@fairway/contract/saved-searches";
import { useState } from "react";
import { SavedFiltersDialog, type SavedFiltersDialogProps } from "#features/search/saved-searches/load-dialog.tsx";
import AlertDialog from "./alert-dialog.tsx";

/** The saved searches of a dataset, which can be loaded, or watched by a new alert. */
export function WatchableFiltersDialog(props: Omit<SavedFiltersDialogProps, "onWatch">) {
  // Null until first opened, so that the dialog mounts on first use.
  const [watched, setWatched] = useState<{ opened: boolean; saved: SavedSearch } | null>(null);
  return (
    <>
      <SavedFiltersDialog {...props} onWatch={(saved) => setWatched({ opened: true, saved })} />
      {watched && (
        <AlertDialog
          key={watched.saved.id}
          opened={watched.opened}
          alert={null}
          search={{ savedSearchId: watched.saved.id, name: watched.saved.queryName }}
          zIndex={300}
          onClose={() => setWatched({ ...watched, opened: false })}
        />
      )}
    </>
  );
}
