import type { DriftReport, FlowDeployment } from "@fairway/contract/flow-deployments";
import type { FlowRequest } from "@fairway/contract/flow-requests";
import { useState } from "react";
import DeployDialog from "./deploy-dialog.tsx";
import type { DeployableIteration, DeployPreset } from "./deploy-form.tsx";
import { DriftDialog } from "./drift-dialog.tsx";
import { type HistoryButton, HistoryDialog } from "./history-dialog.tsx";

interface Props {
  opened: boolean;
  request: Pick<FlowRequest, "name" | "flowId" | "flowName">;
  iterations: readonly DeployableIteration[];
  onClose: () => void;
}

type Step =
  | { kind: "history"; from: HistoryButton | null }
  | { kind: "deploy"; preset: DeployPreset | undefined; from: HistoryButton }
  | { kind: "drift"; deployment: FlowDeployment; from: HistoryButton };

/** The deployment history, and the dialogs that it opens, which return to it. */
export default function DeploymentDialogs({ opened, request, iterations, onClose }: Props) {
  const [step, setStep] = useState<Step>({ kind: "history", from: null });
  const [reports, setReports] = useState<ReadonlyMap<number, DriftReport>>(new Map());
  const back = () => setStep({ kind: "history", from: step.from });
  return (
    <>
      <HistoryDialog
        opened={opened && step.kind === "history"}
        request={request}
        reports={reports}
        returnTo={step.from}
        onDeploy={(preset, from) => setStep({ kind: "deploy", preset, from })}
        onCheckDrift={(deployment) => setStep({ kind: "drift", deployment, from: { deploymentId: deployment.id, action: "drift" } })}
        onClose={() => {
          setStep({ kind: "history", from: null });
          onClose();
        }}
      />
      <DeployDialog
        opened={opened && step.kind === "deploy"}
        request={request}
        iterations={iterations}
        preset={step.kind === "deploy" ? step.preset : undefined}
        onClose={back}
      />
      <DriftDialog
        deployment={opened && step.kind === "drift" ? step.deployment : null}
        onClose={back}
        onChecked={(report) => {
          if (step.kind === "drift") setReports(new Map([...reports, [step.deployment.id, report]]));
          back();
        }}
      />
    </>
  );
}
