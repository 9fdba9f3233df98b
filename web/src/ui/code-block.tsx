import { Button } from "@mantine/core";
import { IconCopy } from "@tabler/icons-react";
import { copyText } from "#lib/copy.ts";
import { toastSuccess } from "./toast.ts";
import classes from "./code-block.module.css";

/** Code with a button that copies it. `label` names both. */
export function CodeBlock({ label, text }: { label: string; text: string }) {
  const copy = async () => {
    if (await copyText(text)) toastSuccess("Copied", 1200);
  };
  return (
    <div className={classes["code"]}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region is reached by the keyboard */}
      <pre role="group" aria-label={label} tabIndex={0}>
        {text}
      </pre>
      <Button variant="default" leftSection={<IconCopy size={16} aria-hidden />} aria-label={`Copy ${label}`} onClick={() => void copy()}>
        Copy
      </Button>
    </div>
  );
}
