import { Button } from "@mantine/core";
import { IconBookmark } from "#ui/icons/bookmark.ts";
import { IconPlus } from "#ui/icons/plus.ts";
import classes from "./graphs.module.css";

const action = classes["action"] ?? "";

/** Header actions of the graphs view. */
export function GraphsHeader({ onTemplates, onNew }: { onTemplates: () => void; onNew: () => void }) {
  return (
    <>
      <Button
        className={action}
        aria-label="Templates"
        variant="default"
        leftSection={<IconBookmark size={16} aria-hidden />}
        onClick={onTemplates}
      >
        Templates
      </Button>
      <Button className={action} aria-label="New graph" variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={onNew}>
        New graph
      </Button>
    </>
  );
}
