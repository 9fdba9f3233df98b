import { Button, Group, Modal, Text } from "@mantine/core";
import { useCallback, useState } from "react";
import { create } from "zustand";

interface Question {
  title: string;
  text: string;
  confirmLabel: string;
  /** Rose button, for what cannot be undone. */
  destructive?: boolean;
}

interface Asked extends Question {
  answer(yes: boolean): void;
}

const useAsked = create<{ asked: Asked | null }>(() => ({ asked: null }));

/** Asks a question in a dialog. Escape, the scrim and Cancel answer false; focus returns to where it was. */
export function confirm(question: Question): Promise<boolean> {
  return new Promise((resolve) => {
    useAsked.getState().asked?.answer(false);
    useAsked.setState({
      asked: {
        ...question,
        answer: (yes) => {
          useAsked.setState({ asked: null });
          resolve(yes);
        },
      },
    });
  });
}

/** Where questions appear. Mounted once, by the shell. */
export function ConfirmHost() {
  const asked = useAsked((state) => state.asked);
  // Kept while the dialog fades out, so that its text does not vanish first.
  const [shown, setShown] = useState<Asked | null>(null);
  if (asked && asked !== shown) setShown(asked);
  const cancel = useCallback(() => asked?.answer(false), [asked]);
  return (
    <Modal opened={asked !== null} onClose={cancel} title={shown?.title} size={440} centered closeButtonProps={{ "aria-label": "Close" }}>
      <Text c="dimmed">{shown?.text}</Text>
      <Group justify="flex-end" mt="lg" gap="sm">
        <Button variant="default" onClick={cancel} data-autofocus>
          Cancel
        </Button>
        <Button {...(shown?.destructive ? { color: "red" } : {})} onClick={() => asked?.answer(true)}>
          {shown?.confirmLabel}
        </Button>
      </Group>
    </Modal>
  );
}
