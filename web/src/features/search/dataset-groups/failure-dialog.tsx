import { Button, Group, Text } from "@mantine/core";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { useLastShown } from "#ui/use-last-shown.ts";

export interface GroupFailure {
  title: string;
  text: string;
  /** Messages from the server. */
  details: readonly string[];
}

export const saveFailed = (details: readonly string[]): GroupFailure => ({
  title: "Save Failed",
  text:
    "An unknown error occurred while saving the Dataset Group. The Grouping you are creating may be invalid. " +
    "All Datasets in the grouping must contain at least 1 required field to search on.",
  details,
});

export const deleteFailed = (details: readonly string[]): GroupFailure => ({
  title: "Delete Failed",
  text: "An unknown error occurred while deleting the Dataset Group. Please try again.",
  details,
});

/** Shows what failed, with the messages from the server. */
export function GroupFailureDialog({ failure, onClose }: { failure: GroupFailure | null; onClose: () => void }) {
  const shown = useLastShown(failure);
  return (
    <Dialog opened={failure !== null} onClose={onClose} title={shown?.title} zIndex={300}>
      <Text c="dimmed">{shown?.text}</Text>
      {shown?.details.map((detail) => (
        <Text key={detail} mt="sm">
          {detail}
        </Text>
      ))}
      <Group justify="flex-end" mt={20}>
        <Button onClick={onClose} data-autofocus>
          OK
        </Button>
      </Group>
    </Dialog>
  );
}
