import { declineReasonCharacters } from "@fairway/contract/description-suggestions";
import { Button, Group, TextInput } from "@mantine/core";
import { useState } from "react";
import { Dialog } from "#ui/dialog.tsx";
import { UnsavedChanges } from "#ui/unsaved-changes.tsx";
import classes from "./suggestions.module.css";

interface Props {
  opened: boolean;
  /** Who suggested it. */
  author: string;
  isDeclining: boolean;
  onClose: () => void;
  onDecline: (reason: string) => Promise<void>;
}

/** Asks for an optional reason, which the author of the suggestion is told. */
export function DeclineDialog({ opened, author, isDeclining, onClose, onDecline }: Props) {
  const [reason, setReason] = useState("");
  return (
    <Dialog opened={opened} onClose={onClose} title="Decline this suggestion?" size={440}>
      <UnsavedChanges when={reason.trim() !== "" && !isDeclining} />
      <form
        className={classes["form"]}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isDeclining) void onDecline(reason.trim());
        }}
      >
        <TextInput
          label="Reason (optional)"
          description={author === "You" ? undefined : `${author} is notified, with the text.`}
          maxLength={declineReasonCharacters}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          data-autofocus
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isDeclining}>
            Decline
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}
