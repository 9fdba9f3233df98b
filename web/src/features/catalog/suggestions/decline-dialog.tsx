import { declineReasonCharacters } from "@fairway/contract/description-suggestions";
import { TextInput } from "@mantine/core";
import { z } from "zod";
import { FormDialog } from "#ui/kit/form-dialog.tsx";

interface Props {
  opened: boolean;
  suggestionId: string;
  /** Author of the suggestion. */
  author: string;
  onClose: () => void;
  onDecline: (reason: string) => Promise<void>;
}

/** Asks for an optional reason, which the author of the suggestion sees. */
export function DeclineDialog({ opened, suggestionId, author, onClose, onDecline }: Props) {
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="Decline this suggestion?"
      size={440}
      initial={{ reason: "" }}
      isTyped={({ reason }) => reason.trim() !== ""}
      draft={{ name: `decline ${suggestionId}`, schema: z.object({ reason: z.string() }) }}
      saveLabel="Decline"
      save={({ reason }) => onDecline(reason.trim())}
    >
      {({ field }) => (
        <TextInput
          label="Reason (optional)"
          description={author === "You" ? undefined : `${author} is notified, with the text.`}
          maxLength={declineReasonCharacters}
          {...field("reason")}
          data-autofocus
        />
      )}
    </FormDialog>
  );
}
