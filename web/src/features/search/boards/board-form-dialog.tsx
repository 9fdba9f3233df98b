import { type Board, boardLimits } from "@fairway/contract/boards";
import { savedSearchLimits } from "@fairway/contract/saved-searches";
import type { Share } from "@fairway/contract/sharing";
import { Textarea } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { flushSync } from "react-dom";
import { ShareFields } from "#parts/sharing/islands.ts";
import { draftOf } from "#parts/sharing/share-draft.ts";
import { FormDialog, NameInput } from "#ui/kit/form-dialog.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import { createBoard, editBoard } from "#parts/boards/queries.ts";

export interface BoardFormDialogProps {
  opened: boolean;
  /** `edit` changes the board; the others save a new one. */
  purpose: "new" | "copy" | "edit";
  /** Null for a new one. */
  board: Board | null;
  onClose: () => void;
}

const noShares: readonly Share[] = [];
const titles = { new: "New Board", copy: "Copy Board", edit: "Name and Description" } as const;

/** Name and description of a board, and with whom a new one is shared. */
export default function BoardFormDialog({ opened, purpose, board, onClose }: BoardFormDialogProps) {
  const navigate = useNavigate();
  const initial = {
    name: board === null ? "" : purpose === "copy" ? `${board.name.slice(0, savedSearchLimits.nameCharacters - 7)} (copy)` : board.name,
    description: board?.description ?? "",
    shares: noShares,
  };
  const save = async ({ shares, ...values }: typeof initial) => {
    let created: Board | null = null;
    if (purpose === "edit" && board) {
      await editBoard(board.id, { ...values, version: board.version });
      toastSuccess("Board saved");
    } else {
      // A panel that the user may not see cannot be copied.
      const content = board ? { ...board.content, panels: board.content.panels.filter(({ kind }) => kind !== "hidden") } : {};
      created = await createBoard({ ...values, shares: shares.map(draftOf), content });
    }
    // Closes first: nothing is unsaved any more when the board opens.
    flushSync(onClose);
    if (created) void navigate({ to: "/boards/$boardId", params: { boardId: created.id } });
  };
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={titles[purpose]}
      initial={initial}
      canSave={({ name }) => name.trim() !== ""}
      save={save}
    >
      {({ field, values, set }) => (
        <>
          <NameInput {...field("name")} maxLength={savedSearchLimits.nameCharacters} />
          <Textarea label="Description" {...field("description")} rows={2} maxLength={boardLimits.descriptionCharacters} />
          {purpose !== "edit" && <ShareFields shares={values.shares} mayShareWithEveryone onChange={(shares) => set({ shares })} />}
        </>
      )}
    </FormDialog>
  );
}
