import { Button } from "@mantine/core";
import { IconChevronDown } from "#ui/icons/chevron-down.ts";
import { useState } from "react";
import { useMenuButton } from "#ui/menu-button.ts";
import type { ResultsActionsProps } from "./actions-menu.tsx";
import ActionsMenu from "./actions-menu.tsx";

/** The actions of the open search. */
export function ResultsActions(props: ResultsActionsProps) {
  const [opened, setOpened] = useState(false);
  const { buttonProps, menuProps } = useMenuButton(opened, setOpened);
  return (
    <>
      <Button variant="default" data-tour="actions" rightSection={<IconChevronDown size={16} aria-hidden />} {...buttonProps}>
        Actions
      </Button>
      {menuProps && <ActionsMenu {...menuProps} {...props} />}
    </>
  );
}
