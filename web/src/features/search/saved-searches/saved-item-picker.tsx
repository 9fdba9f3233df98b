import { Button, Group, Radio } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { messagesOf } from "#lib/gateway-error.ts";
import { confirm } from "#ui/confirm.ts";
import { EmptyState, ErrorState, LoadingRows } from "#ui/states.tsx";
import classes from "./saved-dialogs.module.css";

interface Props {
  /** What there is to choose from, such as `Graph templates`. */
  label: string;
  query: { data: unknown; error: Error | null; isFetching: boolean; refetch: () => unknown };
  /** Why there is nothing to choose; null where there is something. */
  empty: string | null;
  failure: string | null;
  chosenId: string | null;
  canLoad: boolean;
  canDelete: boolean;
  onChoose: (id: string) => void;
  onLoad: () => void;
  onDelete: () => Promise<void>;
  onClose: () => void;
  /** Above the list. */
  find?: ReactNode;
  /** The list's rows, with radio buttons in them. */
  children: ReactNode;
}

/** What a person has saved: one is chosen, then loaded or deleted. */
export function SavedItemPicker({ label, query, empty, failure, chosenId, canLoad, canDelete, find, children, ...on }: Props) {
  const what = label.toLowerCase();
  return (
    <form
      className={classes["dialog"]}
      onSubmit={(event) => {
        event.preventDefault();
        // The form of the dataset may be around this dialog and would search.
        event.stopPropagation();
        on.onLoad();
      }}
    >
      {find}
      <div className={classes["list"]}>
        {query.data !== undefined ? (
          empty === null ? (
            <Radio.Group aria-label={label} value={chosenId} onChange={on.onChoose}>
              {children}
            </Radio.Group>
          ) : (
            <EmptyState>{empty}</EmptyState>
          )
        ) : query.error && !query.isFetching ? (
          <ErrorState message={`Failed to load ${what}`} details={messagesOf(query.error)} onRetry={() => void query.refetch()} />
        ) : (
          <LoadingRows label={`Loading ${what}`} rows={4} rowHeight={44} />
        )}
      </div>
      {failure !== null && (
        <p role="alert" className={classes["failure"]}>
          {failure}
        </p>
      )}
      <Group justify="space-between" gap="sm">
        <Button variant="default" color="red" disabled={!canDelete} onClick={() => void on.onDelete()}>
          Delete
        </Button>
        <Group gap="sm">
          <Button variant="default" onClick={on.onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!canLoad}>
            Load
          </Button>
        </Group>
      </Group>
    </form>
  );
}

/** What went wrong with loading or deleting, and deletion after a question. */
export function useSavedDeletion(title: string) {
  const [failure, setFailure] = useState<string | null>(null);
  const remove = async (name: string, deleteIt: () => Promise<unknown>): Promise<void> => {
    const yes = await confirm({ title, text: `${name}: This action cannot be undone`, confirmLabel: "Delete", destructive: true });
    if (!yes) return;
    setFailure(null);
    try {
      await deleteIt();
    } catch (cause) {
      setFailure(`Delete failed: ${messagesOf(cause).join(" ")}`);
    }
  };
  return { failure, setFailure, remove };
}
