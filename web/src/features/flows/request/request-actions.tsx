import { isFinal } from "@fairway/contract/flow-requests";
import { Button } from "@mantine/core";
import { IconChevronDown } from "#ui/icons/chevron-down.ts";
import { useState } from "react";
import { useMenuButton } from "#ui/menu-button.ts";
import DeployDialog from "../deploy/deploy-dialog.tsx";
import ActionsMenu from "./actions-menu.tsx";
import NewIterationDialog from "./new-iteration-dialog.tsx";
import { useRequest } from "./request-context.ts";
import type { RequestDialog } from "./status-changes.ts";
import StatusDialog from "./status-dialog.tsx";

/** The menu 'Actions' with its dialogs. A final request has none. */
export function RequestActions() {
  const { request, iterations } = useRequest();
  const [opened, setOpened] = useState(false);
  const { buttonProps, menuProps } = useMenuButton(opened, setOpened);
  const [dialog, setDialog] = useState<RequestDialog | null>(null);
  const statusChange = dialog === null || dialog === "iteration" || dialog === "deploy" ? null : dialog;
  const close = () => setDialog(null);
  return (
    <>
      {!isFinal(request.status) && (
        <>
          <Button variant="default" rightSection={<IconChevronDown size={16} aria-hidden />} {...buttonProps}>
            Actions
          </Button>
          {menuProps && <ActionsMenu {...menuProps} onDialog={setDialog} />}
        </>
      )}
      <NewIterationDialog opened={dialog === "iteration"} onClose={close} />
      <DeployDialog opened={dialog === "deploy"} request={request} iterations={iterations} onClose={close} />
      <StatusDialog change={statusChange} onClose={close} />
    </>
  );
}
