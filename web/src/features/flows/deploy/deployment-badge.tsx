import { passesRole } from "@fairway/contract/access";
import { plural } from "@fairway/contract/counts";
import type { FlowRequest } from "@fairway/contract/flow-requests";
import { Button } from "@mantine/core";
import { IconRocket } from "#ui/icons/rocket.ts";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useCurrentUser } from "#lib/session/current-session.ts";
import { useHasBeen } from "#ui/use-has-been.ts";
import classes from "./deploy.module.css";
import DeploymentDialogs from "./deployment-dialogs.tsx";
import { deploymentsQuery } from "./queries.ts";

interface Props {
  request: Pick<FlowRequest, "name" | "flowId" | "flowName">;
  /** Of the request, oldest first. */
  iterations: readonly { id: number; number: number }[];
}

/** How often the flow was deployed; opens the history. For administrators only. */
export function DeploymentBadge(props: Props) {
  const { roles } = useCurrentUser();
  return passesRole(roles, "admin") ? <AdminBadge {...props} /> : null;
}

function AdminBadge({ request, iterations }: Props) {
  const { data } = useQuery(deploymentsQuery(request.flowId));
  const navigate = useNavigate();
  const { deployments }: { deployments?: unknown } = useSearch({ strict: false });
  // A link from the list of flows opens the history.
  const isInAddress = deployments !== undefined;
  const [opened, setOpened] = useState(isInAddress);
  const close = () => {
    setOpened(false);
    if (!isInAddress) return;
    void navigate({ to: ".", search: (previous: Record<string, unknown>) => ({ ...previous, deployments: undefined }), replace: true });
  };
  const wasOpened = useHasBeen(opened);
  const count = data?.length ?? 0;
  return (
    <>
      <Button
        variant="default"
        className={count === 0 ? classes["none"] : undefined}
        leftSection={<IconRocket size={16} aria-hidden />}
        onClick={() => setOpened(true)}
      >
        {data === undefined || count === 0 ? (
          <span className={classes["wide"]}>Deployments</span>
        ) : (
          <>
            {count.toLocaleString("en-US")}
            <span className={classes["wide"]}> {plural(count, "deployment")}</span>
          </>
        )}
      </Button>
      {wasOpened && <DeploymentDialogs opened={opened} request={request} iterations={iterations} onClose={close} />}
    </>
  );
}
