import { Button } from "@mantine/core";
import { IconBookmark, IconPlus } from "@tabler/icons-react";

/** Header actions of the graphs view. */
export function GraphsHeader({ onTemplates, onNew }: { onTemplates: () => void; onNew: () => void }) {
  return (
    <>
      <Button variant="default" leftSection={<IconBookmark size={16} aria-hidden />} onClick={onTemplates}>
        Templates
      </Button>
      <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={onNew}>
        New graph
      </Button>
    </>
  );
}
