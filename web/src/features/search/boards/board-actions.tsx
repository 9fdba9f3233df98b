import type { Board, BoardContent } from "@fairway/contract/boards";
import { Button, Menu } from "@mantine/core";
import { IconCopy } from "#ui/icons/copy.ts";
import { IconFileDescription } from "#ui/icons/file-description.ts";
import { IconLogout } from "#ui/icons/logout.ts";
import { IconDots } from "#ui/icons/dots.ts";
import { IconHistory } from "#ui/icons/history.ts";
import { IconLetterT } from "#ui/icons/letter-t.ts";
import { IconMaximize } from "#ui/icons/maximize.ts";
import { IconPencil } from "#ui/icons/pencil.ts";
import { IconPlus } from "#ui/icons/plus.ts";
import { IconPrinter } from "#ui/icons/printer.ts";
import { IconRefresh } from "#ui/icons/refresh.ts";
import { IconShare } from "#ui/icons/share.ts";
import { IconTrash } from "#ui/icons/trash.ts";
import { IconUser } from "#ui/icons/user.ts";
import { SendByEmailItem } from "#features/search/subscriptions/send-item.tsx";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { giveBoard, leaveBoard, removeBoard, shareBoard } from "#parts/boards/queries.ts";
import { GiveDialog, ShareDialog } from "#parts/sharing/islands.ts";
import { mayLeave } from "#parts/sharing/sharing.ts";
import { confirm } from "#ui/dialog/confirm.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { island } from "#ui/island.tsx";
import { toastError, toastSuccess } from "#ui/toast/toast.ts";
import { useHasBeen } from "#ui/use-has-been.ts";
import BoardFormDialog from "./board-form-dialog.tsx";
import RevisionsDialog from "./revisions-dialog.tsx";

const SubscriptionDialog = island(() => import("#features/search/subscriptions/subscription-dialog.tsx"));

interface Props {
  board: Board;
  isLoading: boolean;
  onRefresh: () => void;
  onEdit: () => void;
  onFullScreen: () => void;
  /** Whether the board is being prepared for the printer. */
  isPrinting: boolean;
  onPrint: () => void;
  /** Shows a saved state as unsaved changes. */
  onRestore: (content: BoardContent) => void;
}

const icon = { size: 16, "aria-hidden": true } as const;

/** Actions on a board that is read. */
export function BoardActions({ board, isLoading, onRefresh, onEdit, onFullScreen, isPrinting, onPrint, onRestore }: Props) {
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<"share" | "give" | "copy" | "edit" | "revisions" | "email" | null>(null);
  const [hasShared, hasGiven] = [useHasBeen(dialog === "share"), useHasBeen(dialog === "give")];
  const { id, name, can, shares } = board;
  const close = () => setDialog(null);
  const remove = async () => {
    const confirmed = await confirm({
      title: "Delete Board?",
      text: `“${name}” and its history are deleted for everyone.`,
      confirmLabel: "Delete",
      destructive: true,
    });
    if (!confirmed) return;
    try {
      await removeBoard(id);
      toastSuccess("Board deleted", 1200);
      void navigate({ to: "/boards" });
    } catch (error) {
      toastError("The board could not be deleted", messagesOf(error).join(" "));
    }
  };
  const leave = async () => {
    const confirmed = await confirm({
      title: "Leave Board?",
      text: `“${name}” is no longer shared with you. Only its owner can share it with you again.`,
      confirmLabel: "Leave",
      destructive: true,
    });
    if (!confirmed) return;
    try {
      await leaveBoard(id);
      toastSuccess("Board left", 1200);
      void navigate({ to: "/boards" });
    } catch (error) {
      toastError("The board could not be left", messagesOf(error).join(" "));
    }
  };
  return (
    <>
      <IconButton label="Refresh now" disabled={isLoading} onClick={onRefresh}>
        <IconRefresh {...icon} />
      </IconButton>
      {can !== "view" && (
        <Button variant="default" leftSection={<IconPencil {...icon} />} onClick={onEdit}>
          Edit
        </Button>
      )}
      {can === "own" && (
        <Button variant="default" leftSection={<IconShare {...icon} />} aria-haspopup="dialog" onClick={() => setDialog("share")}>
          Share
        </Button>
      )}
      <Menu position="bottom-end" trapFocus returnFocus>
        <Menu.Target>
          <IconButton label="More actions">
            <IconDots {...icon} />
          </IconButton>
        </Menu.Target>
        <Menu.Dropdown aria-label="More actions">
          <Menu.Item leftSection={<IconMaximize {...icon} />} onClick={onFullScreen}>
            Full screen
          </Menu.Item>
          <Menu.Item leftSection={<IconPrinter {...icon} />} disabled={isPrinting} onClick={onPrint}>
            Print or save as PDF
          </Menu.Item>
          <Menu.Item leftSection={<IconCopy {...icon} />} onClick={() => setDialog("copy")}>
            Make a copy
          </Menu.Item>
          <SendByEmailItem item={Menu.Item} onSend={() => setDialog("email")} />
          {can !== "view" && (
            <>
              <Menu.Item leftSection={<IconFileDescription {...icon} />} onClick={() => setDialog("edit")}>
                Name and description
              </Menu.Item>
              <Menu.Item leftSection={<IconHistory {...icon} />} onClick={() => setDialog("revisions")}>
                History
              </Menu.Item>
            </>
          )}
          {mayLeave(board) && (
            <>
              <Menu.Divider />
              <Menu.Item leftSection={<IconLogout {...icon} />} onClick={() => void leave()}>
                Leave board
              </Menu.Item>
            </>
          )}
          {can === "own" && (
            <>
              <Menu.Item leftSection={<IconUser {...icon} />} onClick={() => setDialog("give")}>
                Give away
              </Menu.Item>
              <Menu.Divider />
              <Menu.Item color="red" leftSection={<IconTrash {...icon} />} onClick={() => void remove()}>
                Delete board
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <BoardFormDialog
        opened={dialog === "edit" || dialog === "copy"}
        purpose={dialog === "copy" ? "copy" : "edit"}
        board={board}
        onClose={close}
      />
      {hasShared && (
        <ShareDialog
          opened={dialog === "share"}
          name={name}
          shares={shares}
          mayShareWithEveryone
          onSave={async (drafts) => {
            await shareBoard(id, drafts);
            toastSuccess("Shares saved", 1200);
          }}
          onClose={close}
        />
      )}
      {hasGiven && (
        <GiveDialog
          opened={dialog === "give"}
          name={name}
          shares={shares}
          after="Its address stays the same, so that links to it go on."
          onGive={(userId) => giveBoard(id, userId)}
          onClose={close}
        />
      )}
      <SubscriptionDialog opened={dialog === "email"} subject={{ toSend: { boardId: board.id, name: board.name } }} onClose={close} />
      <RevisionsDialog opened={dialog === "revisions"} board={board} onClose={close} onRestore={onRestore} />
    </>
  );
}

interface EditingProps {
  isSaving: boolean;
  canSave: boolean;
  /** The board takes no more panels. */
  isFull: boolean;
  onAddPanel: () => void;
  onAddText: () => void;
  onCancel: () => void;
  onSave: () => void;
}

/** Actions on a board that is edited. */
export function EditingActions({ isSaving, canSave, isFull, onAddPanel, onAddText, onCancel, onSave }: EditingProps) {
  return (
    <>
      <Button variant="default" leftSection={<IconPlus {...icon} />} aria-haspopup="dialog" disabled={isFull} onClick={onAddPanel}>
        Add panel
      </Button>
      <Button variant="default" leftSection={<IconLetterT {...icon} />} disabled={isFull} onClick={onAddText}>
        Add text
      </Button>
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <Button disabled={!canSave} loading={isSaving} onClick={onSave}>
        Save board
      </Button>
    </>
  );
}
