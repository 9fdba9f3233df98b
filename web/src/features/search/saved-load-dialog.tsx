import type { DatasetDescription } from "@fairway/contract/datasets";
import type { SavedSearch, SharedSearch } from "@fairway/contract/saved-searches";
import { Button, Group, Modal, Radio, TextInput } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { messagesOf } from "#lib/gateway-error.ts";
import type { SearchFilters } from "#parts/open-searches/search-record.ts";
import { deleteSearch, savedSearchesQuery, sharedSearchesQuery } from "#parts/saved-searches/queries.ts";
import { confirm } from "#ui/confirm.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { lazyPart } from "#ui/lazy-part.tsx";
import { EmptyState, ErrorState, LoadingRows } from "#ui/states.tsx";
import { closesTopmost } from "#ui/topmost.ts";
import { useOpening } from "#ui/use-opening.ts";
import type { LoadedView } from "./datasets-form-store.ts";
import { loadedSearch } from "./saved-filters.ts";
import classes from "./saved-dialogs.module.css";

interface Props {
  opened: boolean;
  description: DatasetDescription;
  onLoad: (filters: SearchFilters, view: LoadedView) => void;
  onClose: () => void;
}

const SavedEditDialog = lazyPart(async () => ({ default: (await import("./saved-edit-dialog.tsx")).SavedEditDialog }));

/** The saved searches of a dataset: load one into the form, change what is said of it, or delete it. */
export function SavedFiltersDialog({ opened, ...rest }: Props) {
  return (
    <Modal opened={useOpening(opened)} onClose={closesTopmost(rest.onClose)} title="Saved search filters">
      <SavedList {...rest} />
    </Modal>
  );
}

function SavedList({ description, onLoad, onClose }: Omit<Props, "opened">) {
  const { data, error, isFetching, refetch } = useQuery(savedSearchesQuery);
  // What others share is an addition: the list shows without it.
  const { data: shared = [] } = useQuery(sharedSearchesQuery);
  const [find, setFind] = useState("");
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  // Null until it is first opened: the dialog comes with its first use.
  const [edited, setEdited] = useState<{ opened: boolean; saved: SavedSearch } | null>(null);
  const wanted = find.trim().toLowerCase();
  const isShown = (saved: SavedSearch | SharedSearch) =>
    saved.datasetCategory === description.category.id &&
    saved.datasetId === description.datasetId &&
    [saved.queryName, saved.description, ownerOf(saved)].some((text) => text.toLowerCase().includes(wanted));
  const own = (data ?? []).filter(isShown);
  const others = shared.filter(isShown);
  const chosen = [...own, ...others].find(({ id }) => id === chosenId);
  const isOwn = own.some(({ id }) => id === chosenId);

  const load = () => {
    if (!chosen) return;
    const loaded = loadedSearch(description, chosen.query);
    if (loaded) onLoad(loaded.filters, { name: chosen.queryName, ...loaded.view });
    else setFailure(`${chosen.queryName} cannot be loaded: its filters cannot be read.`);
  };
  const remove = async () => {
    if (!chosen || !isOwn) return;
    const yes = await confirm({
      title: "Delete Saved Search?",
      text: `${chosen.queryName}: This action cannot be undone`,
      confirmLabel: "Delete",
      destructive: true,
    });
    if (!yes) return;
    setFailure(null);
    try {
      await deleteSearch(chosen);
    } catch (cause) {
      setFailure(`Delete failed: ${messagesOf(cause).join(" ")}`);
    }
  };
  return (
    <form
      className={classes["dialog"]}
      onSubmit={(event) => {
        event.preventDefault();
        // The form of the dataset is around this dialog and would search.
        event.stopPropagation();
        load();
      }}
    >
      <TextInput
        label="Find a saved search"
        type="search"
        value={find}
        data-autofocus
        onChange={(event) => setFind(event.currentTarget.value)}
        autoComplete="off"
      />
      <div className={classes["list"]}>
        {data ? (
          own.length + others.length > 0 ? (
            <Radio.Group aria-label="Saved searches" value={chosenId} onChange={setChosenId}>
              {own.map((saved) => (
                <SavedRow key={saved.id} saved={saved} onEdit={() => setEdited({ opened: true, saved })} />
              ))}
              {others.map((saved) => (
                <SavedRow key={saved.id} saved={saved} />
              ))}
            </Radio.Group>
          ) : (
            <EmptyState>
              {wanted === ""
                ? "No saved searches of this dataset yet. Save one with Save Search Filters in the Actions of its results."
                : "No saved search has this in its name or description."}
            </EmptyState>
          )
        ) : error && !isFetching ? (
          <ErrorState message="Failed to load saved searches" details={messagesOf(error)} onRetry={() => void refetch()} />
        ) : (
          <LoadingRows label="Loading saved searches" rows={4} rowHeight={44} />
        )}
      </div>
      {failure !== null && (
        <p role="alert" className={classes["failure"]}>
          {failure}
        </p>
      )}
      <Group justify="space-between" gap="sm">
        <Button variant="default" color="red" disabled={!isOwn} onClick={() => void remove()}>
          Delete
        </Button>
        <Group gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!chosen}>
            Load
          </Button>
        </Group>
      </Group>
      {edited && <SavedEditDialog {...edited} onClose={() => setEdited({ ...edited, opened: false })} />}
    </form>
  );
}

const ownerOf = (saved: SavedSearch | SharedSearch): string => ("owner" in saved ? saved.owner : "");

/** One to choose. What others share can be loaded only. */
function SavedRow({ saved, onEdit }: { saved: SavedSearch | SharedSearch; onEdit?: () => void }) {
  const { id, queryName, description, sharedWithRoles } = saved;
  const owner = ownerOf(saved);
  const shared = owner !== "" ? `Shared by ${owner}` : sharedWithRoles.length > 0 ? `Shared with ${sharedWithRoles.join(", ")}` : "";
  const about = [description, shared].filter((text) => text !== "").join(" · ");
  return (
    <div className={classes["row"]}>
      <Radio value={id} label={queryName} {...(about === "" ? {} : { description: about })} />
      {onEdit && (
        <IconButton label={`Edit ${queryName}`} aria-haspopup="dialog" onClick={onEdit}>
          <IconPencil size={16} aria-hidden />
        </IconButton>
      )}
    </div>
  );
}
