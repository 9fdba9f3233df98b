import { Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import { Dialog } from "./dialog.tsx";
import type { Asked } from "./question.ts";

/** The dialog of `confirm`. */
export default function QuestionDialog({ asked }: { asked: Asked | null }) {
  // Kept while the dialog fades out, so that its text does not vanish first.
  const [shown, setShown] = useState(asked);
  if (asked && asked !== shown) setShown(asked);
  const cancel = () => asked?.answer(false);
  return (
    <Dialog opened={asked !== null} onClose={cancel} title={shown?.title} withCloseButton={false} zIndex={330}>
      <Text c="dimmed">{shown?.text}</Text>
      <Group justify="flex-end" mt={24} gap="sm">
        <Button variant="default" onClick={cancel} {...(shown?.destructive ? { "data-autofocus": true } : {})}>
          Cancel
        </Button>
        <Button onClick={() => asked?.answer(true)} {...(shown?.destructive ? { color: "red" } : { "data-autofocus": true })}>
          {shown?.confirmLabel}
        </Button>
      </Group>
    </Dialog>
  );
}
