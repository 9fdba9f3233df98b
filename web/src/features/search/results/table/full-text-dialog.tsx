import { Button, Group } from "@mantine/core";
import { IconCopy } from "#ui/icons/copy.ts";
import { copyText } from "#lib/text/copy.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import classes from "./table.module.css";

/** The full text of a truncated cell. */
export function FullTextDialog({ opened, title, text, onClose }: { opened: boolean; title: string; text: string; onClose: () => void }) {
  const copy = async () => {
    if (await copyText(text)) toastSuccess("Text copied", 1200);
  };
  return (
    <Dialog opened={opened} onClose={onClose} title={title} size={712}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region is reached by the keyboard */}
      <div className={classes["fullText"]} tabIndex={0} role="region" aria-label={`Full text of ${title}`}>
        {text}
      </div>
      <Group justify="space-between" mt="lg">
        <span className={classes["count"]}>{`${text.length.toLocaleString("en-US")} characters`}</span>
        <Group gap="sm">
          <Button variant="default" leftSection={<IconCopy size={16} aria-hidden />} onClick={() => void copy()}>
            Copy
          </Button>
          <Button onClick={onClose}>Close</Button>
        </Group>
      </Group>
    </Dialog>
  );
}
