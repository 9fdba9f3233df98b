import { passesRole } from "@fairway/contract/access";
import { flowRequestStatus } from "@fairway/contract/flow-requests";
import { IconArrowBackUp } from "#ui/icons/arrow-back-up.ts";
import { IconBan } from "#ui/icons/ban.ts";
import { IconCheck } from "#ui/icons/check.ts";
import { IconPlus } from "#ui/icons/plus.ts";
import { IconRocket } from "#ui/icons/rocket.ts";
import { IconSend } from "#ui/icons/send.ts";
import { useCurrentUser } from "#lib/session/current-session.ts";
import { ButtonMenu } from "#ui/button-menu.tsx";
import type { MenuOfButtonProps } from "#ui/menu-button.ts";
import { useRequest } from "./request-context.ts";
import type { RequestDialog } from "./status-changes.ts";

interface Props extends MenuOfButtonProps {
  onDialog: (dialog: RequestDialog) => void;
}

/** Actions on a request that is not final. */
export default function ActionsMenu({ onDialog, ...menu }: Props) {
  const { request } = useRequest();
  const { roles } = useCurrentUser();
  const isAdmin = passesRole(roles, "admin");
  // Unless administrators may accept their own requests.
  const undecidable = !request.canDecide && request.isOwn;
  return (
    <ButtonMenu {...menu} position="bottom-end">
      {(Menu) => (
        <Menu.Dropdown>
          {request.status === flowRequestStatus.inProgress && (
            <>
              <Menu.Item leftSection={<IconPlus size={16} aria-hidden />} onClick={() => onDialog("iteration")}>
                Create New Iteration
              </Menu.Item>
              <Menu.Item leftSection={<IconSend size={16} aria-hidden />} onClick={() => onDialog("submit")}>
                Submit for Review
              </Menu.Item>
              <Menu.Divider />
            </>
          )}
          {isAdmin && (
            <>
              <Menu.Item
                leftSection={<IconCheck size={16} aria-hidden />}
                disabled={undecidable}
                {...(undecidable ? { title: "Someone else has to accept your request." } : {})}
                onClick={() => onDialog("accept")}
              >
                Accept
              </Menu.Item>
              <Menu.Item leftSection={<IconArrowBackUp size={16} aria-hidden />} onClick={() => onDialog("reject")}>
                Reject
              </Menu.Item>
              <Menu.Item leftSection={<IconRocket size={16} aria-hidden />} onClick={() => onDialog("deploy")}>
                Deploy
              </Menu.Item>
              <Menu.Divider />
            </>
          )}
          <Menu.Item color="red" leftSection={<IconBan size={16} aria-hidden />} onClick={() => onDialog("abandon")}>
            Abandon
          </Menu.Item>
        </Menu.Dropdown>
      )}
    </ButtonMenu>
  );
}
