import { Button, Group, Text, Textarea } from "@mantine/core";
import { dismissFailedCopy } from "#lib/text/copy.ts";
import { Dialog } from "./dialog.tsx";
import { useLastShown } from "../use-last-shown.ts";

/** The dialog 'Copy Failed', which selects the text to copy manually. Closed if `text` is null. */
export default function CopyFailedDialog({ text }: { text: string | null }) {
  const shownText = useLastShown(text) ?? "";
  return (
    <Dialog opened={text !== null} onClose={dismissFailedCopy} title="Copy Failed" size={640} withCloseButton={false} zIndex={330}>
      <Text c="dimmed" mb="sm">
        Your browser didn't allow it. Copy the text below by hand.
      </Text>
      <Textarea
        aria-label="Text to copy"
        value={shownText}
        readOnly
        autosize
        minRows={3}
        maxRows={16}
        data-autofocus
        styles={{ input: { font: "var(--text-sm) / 18px var(--font-mono)", fontVariantLigatures: "none" } }}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Group justify="flex-end" mt={24}>
        <Button variant="default" onClick={dismissFailedCopy}>
          Close
        </Button>
      </Group>
    </Dialog>
  );
}
