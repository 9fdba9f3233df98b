import { Button } from "@mantine/core";
import { IconCopy } from "./icons/copy.ts";
import { copyText } from "#lib/text/copy.ts";
import { toastSuccess } from "./toast/toast.ts";
import classes from "./ui.module.css";

interface Props {
  /** Names the code and its button. */
  label: string;
  text: string;
  /** A landmark of the page, whose label no other one has. */
  isRegion?: boolean;
}

/** Code with a button that copies it. */
export function CodeBlock({ label, text, isRegion = false }: Props) {
  const copy = async () => {
    if (await copyText(text)) toastSuccess("Copied", 1200);
  };
  return (
    <div className={classes["code"]}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region is reached by the keyboard */}
      <pre role={isRegion ? "region" : "group"} aria-label={label} tabIndex={0}>
        {text}
      </pre>
      <Button variant="default" leftSection={<IconCopy size={16} aria-hidden />} aria-label={`Copy ${label}`} onClick={() => void copy()}>
        Copy
      </Button>
    </div>
  );
}
