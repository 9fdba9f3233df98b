import { Button, Flex, Group, Radio } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { confirm } from "#ui/dialog/confirm.ts";
import { QueryState } from "#ui/kit/query-state.tsx";
import classes from "./saved-searches.module.css";

interface Props {
  /** Name of the items, such as `Graph templates`. */
  label: string;
  query: { data: unknown; error: Error | null; isFetching: boolean; refetch: () => unknown };
  /** The text of an empty list; null if there are items. */
  empty: string | null;
  failure: string | null;
  chosenId: string | null;
  canLoad: boolean;
  canDelete: boolean;
  onChoose: (id: string) => void;
  onLoad: () => void;
  onDelete: () => Promise<void>;
  onClose: () => void;
  /** More buttons beside Delete. */
  actions?: ReactNode;
  /** Search field above the list. */
  find?: ReactNode;
  /** Rows containing radio buttons. */
  children: ReactNode;
}

/** A list of saved items to select one, then load or delete it. */
export function SavedItemPicker({ label, query, empty, failure, chosenId, canLoad, canDelete, actions, find, children, ...on }: Props) {
  const itemsText = label.toLowerCase();
  return (
    <Flex
      component="form"
      gap="lg"
      direction="column"
      onSubmit={(event) => {
        event.preventDefault();
        // Portals bubble in React: the surrounding dataset form would submit as well.
        event.stopPropagation();
        on.onLoad();
      }}
    >
      {find}
      <div className={classes["list"]}>
        <QueryState
          query={query}
          loading={{ label: `Loading ${itemsText}`, rows: 4, rowHeight: 44 }}
          failed={`Failed to load ${itemsText}`}
          empty={{ text: empty }}
          isEmpty={() => empty !== null}
        >
          {() => (
            <Radio.Group aria-label={label} value={chosenId} onChange={on.onChoose}>
              {children}
            </Radio.Group>
          )}
        </QueryState>
      </div>
      {failure !== null && (
        <p role="alert" className={classes["failure"]}>
          {failure}
        </p>
      )}
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          <Button variant="default" color="red" disabled={!canDelete} onClick={() => void on.onDelete()}>
            Delete
          </Button>
          {actions}
        </Group>
        <Group gap="sm">
          <Button variant="default" onClick={on.onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!canLoad}>
            Load
          </Button>
        </Group>
      </Group>
    </Flex>
  );
}

/** Deletion after confirmation, with the failure of loading or deleting. */
export function useSavedDeletion(title: string) {
  const [failure, setFailure] = useState<string | null>(null);
  const remove = async (name: string, deleteItem: () => Promise<unknown>): Promise<void> => {
    const confirmed = await confirm({ title, text: `${name}: This action cannot be undone`, confirmLabel: "Delete", destructive: true });
    if (!confirmed) return;
    setFailure(null);
    try {
      await deleteItem();
    } catch (cause) {
      setFailure(`Delete failed: ${messagesOf(cause).join(" ")}`);
    }
  };
  return { failure, setFailure, remove };
}
