import type { Board, BoardContent } from "@fairway/contract/boards";
import { pluralize } from "@fairway/contract/counts";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { utcText } from "@fairway/contract/utc-texts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { WithoutData } from "#ui/kit/query-state.tsx";
import { toastError } from "#ui/toast/toast.ts";
import { boardRevisionsQuery, readRevision } from "#parts/boards/queries.ts";
import classes from "./boards.module.css";

export interface RevisionsDialogProps {
  opened: boolean;
  board: Board;
  onClose: () => void;
  onRestore: (content: BoardContent) => void;
}

/** The saved states of a board. One that is restored is shown as unsaved changes. */
export default function RevisionsDialog({ opened, ...rest }: RevisionsDialogProps) {
  return (
    <Dialog opened={opened} onClose={rest.onClose} title="History">
      <Revisions {...rest} />
    </Dialog>
  );
}

function Revisions({ board, onClose, onRestore }: Omit<RevisionsDialogProps, "opened">) {
  const query = useQuery(boardRevisionsQuery(board.id));
  const [busy, setBusy] = useState<number | null>(null);
  const restore = async (version: number) => {
    setBusy(version);
    try {
      const { content } = await readRevision(board.id, version);
      onRestore(content);
      onClose();
    } catch (failure) {
      toastError("The version could not be loaded", messagesOf(failure).join(" "));
    } finally {
      setBusy(null);
    }
  };
  if (query.data === undefined)
    return <WithoutData query={query} loading={{ label: "Loading the history", rows: 4 }} failed="The history could not be loaded" />;
  return (
    <ul className={classes["revisions"]}>
      {query.data.map(({ version, savedDateMs, panels }) => (
        <li key={version}>
          <span>
            {utcText(savedDateMs)} UTC, {pluralize(panels, "panel")}
          </span>
          {version === board.version ? (
            <span>Current version</span>
          ) : (
            <Button
              variant="default"
              loading={busy === version}
              aria-label={`Restore the version of ${utcText(savedDateMs)} UTC`}
              onClick={() => void restore(version)}
            >
              Restore
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
