import type { FlowRequest } from "@fairway/contract/flow-requests";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { type DeployableIteration, DeployForm, type DeployPreset, deployVerbs } from "./deploy-form.tsx";
import { DeployProgress } from "./deploy-progress.tsx";
import { useDeploy } from "./use-deploy.ts";
import classes from "./deploy.module.css";

interface Props {
  opened: boolean;
  request: Pick<FlowRequest, "name" | "flowId" | "flowName">;
  /** Of the request, oldest first. */
  iterations: readonly DeployableIteration[];
  preset?: DeployPreset | undefined;
  onClose: () => void;
}

const titles = { running: "Deploying", done: "Deployed", failed: "Error Deploying" } as const;

/** Asks for iteration, environment and credentials, deploys, and shows the steps. */
export default function DeployDialog({ opened, onClose, request, iterations, preset }: Props) {
  const { deploying, start, reset } = useDeploy();
  const close = () => {
    reset();
    onClose();
  };
  return (
    <Dialog
      opened={opened}
      onClose={close}
      title={deploying ? titles[deploying.state] : deployVerbs[preset?.origin?.kind ?? "deploy"]}
      size={560}
      fillsPhone
      closeOnClickOutside={false}
    >
      {/* Kept while it deploys, so that nothing typed is lost. */}
      {opened && (
        <div hidden={deploying !== undefined}>
          <p className={classes["sub"]}>{`${preset?.requestName ?? request.name}, ${request.flowName}`}</p>
          <DeployForm
            flowId={request.flowId}
            iterations={iterations}
            preset={preset}
            isAsking={deploying === undefined}
            onDeploy={start}
            onCancel={close}
          />
        </div>
      )}
      {deploying && <DeployProgress deploying={deploying} onClose={close} onRetry={reset} />}
    </Dialog>
  );
}
