import type { BoardContent } from "@fairway/contract/boards";
import { Stack } from "@mantine/core";
import { useState } from "react";
import { ConflictView } from "#parts/conflict/conflict-view.tsx";
import { Dialog } from "#ui/dialog/dialog.tsx";
import type { BoardConflict } from "./board-save.ts";

export interface BoardConflictDialogProps {
  conflict: BoardConflict | null;
  onClose: () => void;
  /** Goes on editing from this content of the newest version. */
  onResume: (content: BoardContent, version: number) => void;
}

/** Compares a board that was saved meanwhile with the user's changes, and lets the user choose one. */
export default function BoardConflictDialog({ conflict, onClose, onResume }: BoardConflictDialogProps) {
  // The last conflict stays while the dialog fades out.
  const [shown, setShown] = useState(conflict);
  if (conflict !== null && conflict !== shown) setShown(conflict);
  return (
    <Dialog opened={conflict !== null} onClose={onClose} title="Save Board" size={720} fillsPhone>
      {shown && (
        <Stack gap="md">
          <ConflictView
            noun="board"
            baseVersion={shown.version}
            newestVersion={shown.theirs.version}
            theirs={shown.theirs.content}
            mine={shown.mine}
            onKeepMine={() => onResume(shown.mine, shown.theirs.version)}
            onTakeTheirs={() => onResume(shown.theirs.content, shown.theirs.version)}
            alertClass={undefined}
          />
        </Stack>
      )}
    </Dialog>
  );
}
