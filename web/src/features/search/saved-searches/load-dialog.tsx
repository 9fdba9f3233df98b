import type { DatasetDescription } from "@fairway/contract/datasets";
import type { SavedSearch, SharedSearch } from "@fairway/contract/saved-searches";
import { Button, Radio, TextInput } from "@mantine/core";
import { IconBellRinging } from "#ui/icons/bell-ringing.ts";
import { IconPencil } from "#ui/icons/pencil.ts";
import { IconShare } from "#ui/icons/share.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { LoadedView } from "#features/search/search-form/form-store.ts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { describeSearch } from "#parts/open-searches/describe-search.ts";
import type { SearchFilters } from "#parts/search-model/search-record.ts";
import { GiveDialog, ShareDialog } from "#parts/sharing/islands.ts";
import { mayLeave, recipientsText, sharingTexts } from "#parts/sharing/sharing.ts";
import { confirm } from "#ui/dialog/confirm.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import { SavedEditDialog } from "./saved-search-dialogs.tsx";
import { deleteSearch, giveSearch, leaveSearch, savedSearchesQuery, sharedSearchesQuery, shareSearch } from "./queries.ts";
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
  const { data: ofOthers = [] } = useQuery(sharedSearchesQuery);
  const [find, setFind] = useState("");
  const [chosenId, setChosenId] = useState<string | null>(null);
  /** The chosen search is another person's. */
  const [isOfOthers, setOfOthers] = useState(false);
  const { failure, setFailure, remove } = useSavedDeletion("Delete Saved Search?");
  // Null until first opened, so that the dialogs mount on first use.
  const [edited, setEdited] = useState<OpenedDialog | null>(null);
  const [shared, setShared] = useState<OpenedDialog | null>(null);
  const [given, setGiven] = useState<OpenedDialog | null>(null);
  const needle = find.trim().toLowerCase();
  const isShown = (saved: SavedSearch | SharedSearch) =>
    saved.datasetCategory === description.category.id &&
    saved.datasetId === description.datasetId &&
    [saved.queryName, saved.description, ownerOf(saved)].some((text) => text.toLowerCase().includes(needle));
  const own = (query.data ?? []).filter(isShown);
  const others = ofOthers.filter(isShown);
  const chosen = [...own, ...others].find(({ id }) => id === chosenId);
  const isOwn = chosen?.can === "own";
  const isLost = isOfOthers && !ofOthers.some(({ id }) => id === chosenId);

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
  const leave = async ({ id, queryName }: Saved) => {
    const confirmed = await confirm({
      title: "Leave Saved Search?",
      text: `${queryName} is no longer shared with you. Only its owner can share it with you again.`,
      confirmLabel: "Leave",
      destructive: true,
    });
    if (!confirmed) return;
    setFailure(null);
    try {
      await leaveSearch(id);
      setChosenId(null);
      setOfOthers(false);
    } catch (error) {
      setFailure(`Leave failed: ${messagesOf(error).join(" ")}`);
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
        failure={isLost ? "This saved search is no longer shared with you." : failure}
        chosenId={chosenId}
        canLoad={chosen !== undefined}
        canDelete={isOwn}
        onChoose={(id) => {
          setChosenId(id);
          setOfOthers(others.some((one) => one.id === id));
        }}
        onLoad={() => void load()}
        onDelete={async () => {
          if (chosen && isOwn) await remove(chosen.queryName, () => deleteSearch(chosen));
        }}
        onClose={onClose}
        actions={
          chosen && (
            <>
              {isOwn && chosen.shares.some(({ can }) => can === "edit") && (
                <Button variant="default" aria-haspopup="dialog" onClick={() => setGiven({ opened: true, saved: chosen })}>
                  Give away
                </Button>
              )}
              {mayLeave(chosen) && (
                <Button variant="default" onClick={() => void leave(chosen)}>
                  Leave
                </Button>
              )}
            </>
          )
        }
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
          <SavedRow
            key={saved.id}
            saved={saved}
            onEdit={() => setEdited({ opened: true, saved })}
            onShare={() => setShared({ opened: true, saved })}
            onWatch={() => onWatch(saved)}
          />
        ))}
        {others.map((saved) => (
          <SavedRow key={saved.id} saved={saved} onEdit={saved.can === "edit" ? () => setEdited({ opened: true, saved }) : undefined} />
        ))}
      </SavedItemPicker>
      {edited && <SavedEditDialog {...edited} onClose={() => setEdited({ ...edited, opened: false })} />}
      {shared && (
        <ShareDialog
          opened={shared.opened}
          name={shared.saved.queryName}
          shares={shared.saved.shares}
          mayShareWithEveryone
          zIndex={300}
          onSave={async (drafts) => {
            await shareSearch(shared.saved.id, drafts);
            toastSuccess("Shares saved", 1200);
          }}
          onClose={() => setShared({ ...shared, opened: false })}
        />
      )}
      {given && (
        <GiveDialog
          opened={given.opened}
          name={given.saved.queryName}
          shares={given.saved.shares}
          zIndex={300}
          onGive={(userId) => giveSearch(given.saved.id, userId)}
          onClose={() => setGiven({ ...given, opened: false })}
        />
      )}
    </>
  );
}

type Saved = SavedSearch | SharedSearch;

interface OpenedDialog {
  opened: boolean;
  saved: SavedSearch;
}

const ownerOf = (saved: Saved): string => ("owner" in saved ? saved.owner : "");

interface RowProps {
  saved: Saved;
  onEdit?: (() => void) | undefined;
  onShare?: () => void;
  onWatch?: () => void;
}

/** A selectable row, with what the user may do with the search. */
function SavedRow({ saved, onEdit, onShare, onWatch }: RowProps) {
  const { id, queryName, description } = saved;
  const about = [description, sharedText(saved)].filter((text) => text !== "").join(" · ");
  return (
    <div className={classes["row"]}>
      <Radio value={id} label={queryName} {...(about === "" ? {} : { description: about })} />
      {onEdit && (
        <IconButton label={`Edit ${queryName}`} aria-haspopup="dialog" onClick={onEdit}>
          <IconPencil size={16} aria-hidden />
        </IconButton>
      )}
      {onShare && (
        <IconButton label={`Share ${queryName}`} aria-haspopup="dialog" onClick={onShare}>
          <IconShare size={16} aria-hidden />
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

/** Nothing of a search that only its owner has: most are such. */
function sharedText(saved: Saved): string {
  if (!("owner" in saved)) return saved.shares.length === 0 ? "" : capitalized(`shared with ${recipientsText(saved.shares)}`);
  return capitalized(sharingTexts(saved).join(" · "));
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
