import { declineReasonCharacters } from "@fairway/contract/description-suggestions";
import { Button, Group, TextInput } from "@mantine/core";
import { useState } from "react";
import { z } from "zod";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { RestoredNote, useKeptDraft } from "#ui/kept-draft.tsx";
import { useUnsavedChanges } from "#ui/dialog/unsaved-changes.tsx";
import classes from "./suggestions.module.css";

interface Props {
  opened: boolean;
  suggestionId: string;
  /** Author of the suggestion. */
  author: string;
  isDeclining: boolean;
  onClose: () => void;
  onDecline: (reason: string) => Promise<void>;
}

/** Asks for an optional reason, which the author of the suggestion sees. */
export function DeclineDialog({ opened, onClose, ...rest }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Decline this suggestion?" size={440}>
      {opened && <DeclineForm {...rest} onClose={onClose} />}
    </Dialog>
  );
}

function DeclineForm({ suggestionId, author, isDeclining, onClose, onDecline }: Omit<Props, "opened">) {
  const draftName = `decline ${suggestionId}`;
  const kept = useKeptDraft(draftName, z.string());
  const [reason, setReason] = useState(kept ?? "");
  useUnsavedChanges(reason.trim() !== "" && !isDeclining, { draft: { name: draftName, value: reason } });
  return (
    <form
      className={classes["form"]}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isDeclining) void onDecline(reason.trim());
      }}
    >
      <RestoredNote when={kept !== undefined} />
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
  );
}
