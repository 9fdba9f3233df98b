import type { DatasetDescription } from "@fairway/contract/datasets";
import type { SavedSearch, SharedSearch } from "@fairway/contract/saved-searches";
import { Radio, TextInput } from "@mantine/core";
import { IconBellRinging } from "#ui/icons/bell-ringing.ts";
import { IconPencil } from "#ui/icons/pencil.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { LoadedView } from "#features/search/search-form/form-store.ts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { describeSearch } from "#parts/open-searches/describe-search.ts";
import type { SearchFilters } from "#parts/search-model/search-record.ts";
import { roleText } from "#parts/sharing/sharing.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { SavedEditDialog } from "./saved-search-dialogs.tsx";
import { deleteSearch, savedSearchesQuery, sharedSearchesQuery } from "./queries.ts";
import classes from "./saved-searches.module.css";
import { SavedItemPicker, useSavedDeletion } from "./saved-item-picker.tsx";
import { columnsOfSaved, loadSavedSearch } from "./saved-search-text.ts";

export interface SavedFiltersDialogProps {
  opened: boolean;
  description: DatasetDescription;
  onLoad: (filters: SearchFilters, view: LoadedView) => void;
  /** Offers an alert for one of the user's own searches. */
  onWatch: (saved: SavedSearch) => void;
  onClose: () => void;
}

/** The saved searches of a dataset: load into the form, edit or delete. */
export function SavedFiltersDialog({ opened, ...rest }: SavedFiltersDialogProps) {
  return (
    <Dialog opened={opened} onClose={rest.onClose} title="Saved search filters">
      <SavedList {...rest} />
    </Dialog>
  );
}

function SavedList({ description, onLoad, onWatch, onClose }: Omit<SavedFiltersDialogProps, "opened">) {
  const query = useQuery(savedSearchesQuery);
  // Searches shared by others are optional: the list does not wait for them.
  const { data: shared = [] } = useQuery(sharedSearchesQuery);
  const [find, setFind] = useState("");
  const [chosenId, setChosenId] = useState<string | null>(null);
  const { failure, setFailure, remove } = useSavedDeletion("Delete Saved Search?");
  // Null until first opened, so that the dialog mounts on first use.
  const [edited, setEdited] = useState<{ opened: boolean; saved: SavedSearch } | null>(null);
  const needle = find.trim().toLowerCase();
  const isShown = (saved: SavedSearch | SharedSearch) =>
    saved.datasetCategory === description.category.id &&
    saved.datasetId === description.datasetId &&
    [saved.queryName, saved.description, ownerOf(saved)].some((text) => text.toLowerCase().includes(needle));
  const own = (query.data ?? []).filter(isShown);
  const others = shared.filter(isShown);
  const chosen = [...own, ...others].find(({ id }) => id === chosenId);
  const isOwn = own.some(({ id }) => id === chosenId);

  const load = async () => {
    if (!chosen) return;
    const { queryName, query: text } = chosen;
    try {
      const described = await describeSearch(description.category.id, description.datasetId, columnsOfSaved(text));
      const loaded = loadSavedSearch(described, text);
      if (loaded) onLoad(loaded.filters, { name: queryName, ...loaded.view });
      else setFailure(`${queryName} can't be loaded: its filters can't be read.`);
    } catch (error) {
      setFailure(`${queryName} can't be loaded: ${messagesOf(error).join(" ")}`);
    }
  };
  return (
    <>
      <SavedItemPicker
        label="Saved searches"
        query={query}
        empty={
          own.length + others.length > 0
            ? null
            : needle === ""
              ? "No saved searches yet. Run a search, then choose Actions → Save Search Filters."
              : "No saved search matches. Try a shorter text."
        }
        failure={failure}
        chosenId={chosenId}
        canLoad={chosen !== undefined}
        canDelete={isOwn}
        onChoose={setChosenId}
        onLoad={() => void load()}
        onDelete={async () => {
          if (chosen && isOwn) await remove(chosen.queryName, () => deleteSearch(chosen));
        }}
        onClose={onClose}
        find={
          <TextInput
            label="Find a saved search"
            type="search"
            value={find}
            data-autofocus
            onChange={(event) => setFind(event.currentTarget.value)}
            autoComplete="off"
          />
        }
      >
        {own.map((saved) => (
          <SavedRow key={saved.id} saved={saved} onEdit={() => setEdited({ opened: true, saved })} onWatch={() => onWatch(saved)} />
        ))}
        {others.map((saved) => (
          <SavedRow key={saved.id} saved={saved} />
        ))}
      </SavedItemPicker>
      {edited && <SavedEditDialog {...edited} onClose={() => setEdited({ ...edited, opened: false })} />}
    </>
  );
}

const ownerOf = (saved: SavedSearch | SharedSearch): string => ("owner" in saved ? saved.owner : "");

/** A selectable row. Searches shared by others can only be loaded. */
function SavedRow({ saved, onEdit, onWatch }: { saved: SavedSearch | SharedSearch; onEdit?: () => void; onWatch?: () => void }) {
  const { id, queryName, description, sharedWithRoles } = saved;
  const owner = ownerOf(saved);
  const shared =
    owner !== "" ? `Shared by ${owner}` : sharedWithRoles.length > 0 ? `Shared with ${sharedWithRoles.map(roleText).join(", ")}` : "";
  const about = [description, shared].filter((text) => text !== "").join(" · ");
  return (
    <div className={classes["row"]}>
      <Radio value={id} label={queryName} {...(about === "" ? {} : { description: about })} />
      {onEdit && (
        <IconButton label={`Edit ${queryName}`} aria-haspopup="dialog" onClick={onEdit}>
          <IconPencil size={16} aria-hidden />
        </IconButton>
      )}
      {onWatch && (
        <IconButton label={`Create alert for ${queryName}`} aria-haspopup="dialog" onClick={onWatch}>
          <IconBellRinging size={16} aria-hidden />
        </IconButton>
      )}
    </div>
  );
}
