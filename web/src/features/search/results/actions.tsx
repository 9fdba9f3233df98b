import { Button } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useState } from "react";
import { useLazyMenu } from "#ui/lazy-menu.ts";
import { lazyPart } from "#ui/lazy-part.tsx";

const ActionsMenu = lazyPart(() => import("./actions-menu.tsx"));

export interface ResultsActionsProps {
  isSample: boolean;
  hasRows: boolean;
  showsColumns: boolean;
  showsFilters: boolean;
  onClose: () => void;
  onCopyCurl: () => void;
  onCopyLink: () => void;
  /** Set if the time range is relative: copies a link with the absolute range. */
  onCopyFixedLink: (() => void) | undefined;
  onSchema: () => void;
  onExport: () => void;
  /** Set if the dataset supports exporting all rows. */
  onExportAll: (() => void) | undefined;
  onToggleColumns: () => void;
  onToggleFilters: () => void;
  onRerun: () => void;
  onSave: () => void;
}

/** The actions of the open search. */
export function ResultsActions(props: ResultsActionsProps) {
  const [opened, setOpened] = useState(false);
  const { buttonProps, menuProps } = useLazyMenu(opened, setOpened);
  return (
    <>
      <Button variant="default" rightSection={<IconChevronDown size={16} aria-hidden />} {...buttonProps}>
        Actions
      </Button>
      {menuProps && <ActionsMenu {...menuProps} {...props} />}
    </>
  );
}
