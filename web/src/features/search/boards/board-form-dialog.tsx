import { type Board, boardLimits } from "@fairway/contract/boards";
import { savedSearchLimits } from "@fairway/contract/saved-searches";
import { Textarea } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { flushSync } from "react-dom";
import { useCurrentUser } from "#lib/session/current-session.ts";
import { sharingOptions } from "#parts/sharing/sharing.ts";
import { FormDialog, NameInput } from "#ui/kit/form-dialog.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import { createBoard, editBoard } from "#parts/boards/queries.ts";
import { MultiSelect } from "#ui/select.tsx";

export interface BoardFormDialogProps {
  opened: boolean;
  /** `share` changes the board; the others save a new one. */
  purpose: "new" | "copy" | "share";
  /** Null for a new one. */
  board: Board | null;
  onClose: () => void;
}

const titles = { new: "New Board", copy: "Copy Board", share: "Share Board" } as const;

/** Name, description and roles of a board. */
export default function BoardFormDialog({ opened, purpose, board, onClose }: BoardFormDialogProps) {
  const { roles } = useCurrentUser();
  const navigate = useNavigate();
  const initial = {
    name: board === null ? "" : purpose === "copy" ? `${board.name.slice(0, savedSearchLimits.nameCharacters - 7)} (copy)` : board.name,
    description: board?.description ?? "",
    sharedWithRoles: purpose === "share" ? (board?.sharedWithRoles ?? []) : [],
  };
  const save = async (values: typeof initial) => {
    let created: Board | null = null;
    if (purpose === "share" && board) {
      await editBoard(board.id, { ...values, version: board.version });
      toastSuccess("Board saved");
    } else {
      // A panel that the user may not see cannot be copied.
      const content = board ? { ...board.content, panels: board.content.panels.filter(({ kind }) => kind !== "hidden") } : {};
      created = await createBoard({ ...values, content });
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
      {({ field, values }) => (
        <>
          <NameInput {...field("name")} maxLength={savedSearchLimits.nameCharacters} />
          <Textarea label="Description" {...field("description")} rows={2} maxLength={boardLimits.descriptionCharacters} />
          <MultiSelect
            label="Share with roles"
            description="People with these roles can see this board but not change it. Each sees only the panels whose datasets they have access to."
            data={sharingOptions(roles, values.sharedWithRoles)}
            {...field("sharedWithRoles")}
            clearable
            // Upward: the list stays open for further roles, and must not cover Save.
            comboboxProps={{ position: "top" }}
          />
        </>
      )}
    </FormDialog>
  );
}
