import type { DatasetDescription } from "@fairway/contract/datasets";
import type { SavedSearch, SharedSearch } from "@fairway/contract/saved-searches";
import { Button, Group, Modal, Radio, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { messagesOf } from "#lib/gateway-error.ts";
import type { SearchFilters } from "#parts/open-searches/search-record.ts";
import { deleteSearch, savedSearchesQuery, sharedSearchesQuery } from "#parts/saved-searches/queries.ts";
import { confirm } from "#ui/confirm.tsx";
import { EmptyState, ErrorState, LoadingRows } from "#ui/states.tsx";
import { useOpening } from "#ui/use-opening.ts";
import { filtersOfSaved } from "./saved-filters.ts";
import classes from "./saved-dialogs.module.css";

interface Props {
  opened: boolean;
  description: DatasetDescription;
  onLoad: (filters: SearchFilters) => void;
  onClose: () => void;
}

/** The saved searches of a dataset: load one into the form, or delete it. */
export function SavedFiltersDialog({ opened, ...rest }: Props) {
  return (
    <Modal opened={useOpening(opened)} onClose={rest.onClose} title="Saved search filters">
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
  const isShown = ({ datasetCategory, datasetId, queryName }: SavedSearch) =>
    datasetCategory === description.category.id &&
    datasetId === description.datasetId &&
    queryName.toLowerCase().includes(find.trim().toLowerCase());
  const own = (data ?? []).filter(isShown);
  const others = shared.filter(isShown);
  const chosen = [...own, ...others].find(({ id }) => id === chosenId);
  const isOwn = own.some(({ id }) => id === chosenId);

  const load = () => {
    if (!chosen) return;
    const filters = filtersOfSaved(description, chosen.query);
    if (filters) onLoad(filters);
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
                <SavedRow key={saved.id} saved={saved} />
              ))}
              {others.map((saved) => (
                <SavedRow key={saved.id} saved={saved} />
              ))}
            </Radio.Group>
          ) : (
            <EmptyState>
              {find.trim() === ""
                ? "No saved searches of this dataset yet. Save one with Save Search Filters in the Actions of its results."
                : "No saved search has this in its name."}
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
    </form>
  );
}

function SavedRow({ saved }: { saved: SavedSearch | SharedSearch }) {
  const about = [saved.description, "owner" in saved ? `Shared by ${saved.owner}` : ""].filter((text) => text !== "").join(" · ");
  return <Radio className={classes["row"]} value={saved.id} label={saved.queryName} {...(about === "" ? {} : { description: about })} />;
}
