import { Button } from "@mantine/core";
import { IconChevronDown } from "#ui/icons/chevron-down.ts";
import { useState } from "react";
import { useLazyMenu } from "#ui/lazy-menu.ts";
import { lazyPart } from "#ui/lazy-part.tsx";
import type { ResultsActionsProps } from "./actions-menu.tsx";

const ActionsMenu = lazyPart(() => import("./actions-menu.tsx"));

/** The actions of the open search. */
export function ResultsActions(props: ResultsActionsProps) {
  const [opened, setOpened] = useState(false);
  const { buttonProps, menuProps } = useLazyMenu(opened, setOpened);
  return (
    <>
      <Button variant="default" data-tour="actions" rightSection={<IconChevronDown size={16} aria-hidden />} {...buttonProps}>
        Actions
      </Button>
      {menuProps && <ActionsMenu {...menuProps} {...props} />}
    </>
  );
}
