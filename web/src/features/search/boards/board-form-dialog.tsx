import { type Board, boardLimits } from "@fairway/contract/boards";
import { savedSearchLimits } from "@fairway/contract/saved-searches";
import { Textarea } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { flushSync } from "react-dom";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { useCurrentUser } from "#lib/session/current-session.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { sharingOptions } from "#parts/sharing/sharing.ts";
import { NameInput, SaveForm, useSaving } from "#ui/dialog/save-form.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import { sameContent, useUnsavedChanges } from "#ui/dialog/unsaved-changes.tsx";
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
export default function BoardFormDialog({ opened, onClose, ...rest }: BoardFormDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={titles[rest.purpose]}>
      <BoardForm {...rest} onClose={onClose} />
    </Dialog>
  );
}

function BoardForm({ purpose, board, onClose }: Omit<BoardFormDialogProps, "opened">) {
  const { roles } = useCurrentUser();
  const navigate = useNavigate();
  const [initial] = useState(() => ({
    name: board === null ? "" : purpose === "copy" ? `${board.name.slice(0, savedSearchLimits.nameCharacters - 7)} (copy)` : board.name,
    description: board?.description ?? "",
    sharedWithRoles: purpose === "share" ? (board?.sharedWithRoles ?? []) : [],
  }));
  const [values, setValues] = useState(initial);
  const { saving, run } = useSaving();
  const [failure, setFailure] = useState<readonly string[]>([]);
  useUnsavedChanges(!sameContent(values, initial));
  const save = async () => {
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
    <SaveForm
      canSave={values.name.trim() !== ""}
      saving={saving}
      failure={failure}
      onSave={() => {
        setFailure([]);
        void run(save, (error) => setFailure(messagesOf(error)));
      }}
      onCancel={onClose}
    >
      <NameInput value={values.name} maxLength={savedSearchLimits.nameCharacters} onChange={(name) => setValues({ ...values, name })} />
      <Textarea
        label="Description"
        value={values.description}
        rows={2}
        maxLength={boardLimits.descriptionCharacters}
        onChange={(event) => setValues({ ...values, description: event.currentTarget.value })}
      />
      <MultiSelect
        label="Share with roles"
        description="People with these roles can see this board but not change it. Each sees only the panels whose datasets they have access to."
        data={sharingOptions(roles, values.sharedWithRoles)}
        value={values.sharedWithRoles}
        onChange={(sharedWithRoles) => setValues({ ...values, sharedWithRoles })}
        clearable
        // Upward: the list stays open for further roles, and must not cover Save.
        comboboxProps={{ position: "top" }}
      />
    </SaveForm>
  );
}
