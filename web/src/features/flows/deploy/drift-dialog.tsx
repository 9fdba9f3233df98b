import { type DriftReport, flowDeployments, type FlowDeployment } from "@fairway/contract/flow-deployments";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#lib/gateway/call.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { FlowFailure } from "../flow-failure.tsx";
import { credentialsOf, noCredentials } from "./credentials.ts";
import { CredentialsFields } from "./credentials-fields.tsx";
import { deployEnvironmentsQuery, reloadDeployments } from "./queries.ts";
import classes from "./deploy.module.css";

interface Props {
  /** Null while the dialog is closed. */
  deployment: FlowDeployment | null;
  onClose: () => void;
  onChecked: (report: DriftReport) => void;
}

/** Asks for credentials, and compares what the NiFi holds with a deployment. */
export function DriftDialog({ deployment, ...rest }: Props) {
  return (
    <Dialog opened={deployment !== null} onClose={rest.onClose} title="Check for Drift" size={480} fillsPhone>
      {deployment && <DriftForm deployment={deployment} {...rest} />}
    </Dialog>
  );
}

function DriftForm({ deployment, onClose, onChecked }: Props & { deployment: FlowDeployment }) {
  const [typed, setTyped] = useState(noCredentials);
  const [failure, setFailure] = useState<unknown>(null);
  const [isChecking, setChecking] = useState(false);
  const { data: environments } = useQuery(deployEnvironmentsQuery);
  const expectedBaseUrl = environments?.find(({ id }) => id === deployment.environmentId)?.baseUrl ?? deployment.deployedBaseUrl;
  const credentials = credentialsOf(typed);
  const check = async () => {
    if (!credentials || isChecking) return;
    setChecking(true);
    setFailure(null);
    try {
      const body = { ...credentials, expectedBaseUrl };
      const report = await call(flowDeployments.checkDrift, { params: { id: deployment.id }, body });
      void reloadDeployments();
      onChecked(report);
    } catch (error) {
      setFailure(error);
      // The address may have changed.
      void reloadDeployments();
      setChecking(false);
    }
  };
  return (
    <form
      className={classes["form"]}
      autoComplete="off"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void check();
      }}
    >
      <p>
        {`Reads what ${deployment.deployedEnvironmentName} contains now and compares it with Iteration ${deployment.iterationNumber} as it was deployed. Nothing is changed.`}
      </p>
      <CredentialsFields value={typed} onChange={setTyped} disabled={isChecking} purpose="check" address={expectedBaseUrl} />
      {failure !== null && <FlowFailure title="Failed to Check for Drift" error={failure} />}
      <div className={classes["actions"]}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" disabled={credentials === undefined} loading={isChecking}>
          Check
        </Button>
      </div>
    </form>
  );
}
