import { Button, Group, Text } from "@mantine/core";
import { Dialog } from "./dialog.tsx";
import type { PendingConfirm } from "./confirm.ts";
import { useLastShown } from "../use-last-shown.ts";

/** The dialog of `confirm`. */
export default function ConfirmDialog({ pending }: { pending: PendingConfirm | null }) {
  const shown = useLastShown(pending);
  const cancel = () => pending?.answer("canceled");
  return (
    <Dialog opened={pending !== null} onClose={cancel} title={shown?.title} withCloseButton={false} zIndex={330}>
      <Text c="dimmed">{shown?.text}</Text>
      <Group justify="flex-end" mt={24} gap="sm">
        <Button variant="default" onClick={cancel} {...(shown?.destructive ? { "data-autofocus": true } : {})}>
          {shown?.cancelLabel ?? "Cancel"}
        </Button>
        {shown?.otherLabel !== undefined && (
          <Button variant="default" onClick={() => pending?.answer("other")}>
            {shown.otherLabel}
          </Button>
        )}
        <Button onClick={() => pending?.answer("confirmed")} {...(shown?.destructive ? { color: "red" } : { "data-autofocus": true })}>
          {shown?.confirmLabel}
        </Button>
      </Group>
    </Dialog>
  );
}
