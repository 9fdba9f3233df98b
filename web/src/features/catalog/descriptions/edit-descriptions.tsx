import { Button } from "@mantine/core";
import { IconChevronDown } from "#ui/icons/chevron-down.ts";
import { IconPencil } from "#ui/icons/pencil.ts";
import { useState } from "react";
import { useMenuButton } from "#ui/menu-button.ts";
import type { DraftMode } from "./description-draft.ts";
import EditMenu from "./edit-menu.tsx";

/** The menu 'Edit' of users who may edit community descriptions. */
export function EditDescriptions({ onEdit }: { onEdit: (mode: DraftMode) => void }) {
  const [opened, setOpened] = useState(false);
  const { buttonProps, menuProps } = useMenuButton(opened, setOpened);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPencil size={16} aria-hidden />}
        rightSection={<IconChevronDown size={16} aria-hidden />}
        {...buttonProps}
      >
        Edit
      </Button>
      {menuProps && <EditMenu {...menuProps} onEdit={onEdit} />}
    </>
  );
}
