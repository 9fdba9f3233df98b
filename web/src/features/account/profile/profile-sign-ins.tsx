import type { SignInAttempt } from "@fairway/contract/sessions";
import { IconAlertCircle } from "#ui/icons/alert-circle.ts";
import { useQuery } from "@tanstack/react-query";
import { localTime } from "#lib/time/local-time.ts";
import { DataTable, type TableColumn } from "#ui/kit/data-table.tsx";
import { QueryState } from "#ui/kit/query-state.tsx";
import classes from "../account.module.css";
import { clientText } from "../api-keys/clients-text.ts";
import { signInsQuery } from "../queries.ts";

const stepNames: Record<SignInAttempt["step"], string> = {
  password: "Password",
  "second-factor": "Second step",
  passkey: "Passkey",
  card: "CAC",
  provider: "OpenID Connect",
};

const columns: readonly TableColumn<SignInAttempt>[] = [
  { id: "time", header: "Time", nowrap: true, cell: ({ timeMs }) => localTime(timeMs) },
  {
    id: "result",
    header: "Result",
    nowrap: true,
    cell: ({ succeeded }) =>
      succeeded ? (
        "Succeeded"
      ) : (
        <span className={classes["failed"]}>
          <IconAlertCircle size={16} aria-hidden />
          Failed
        </span>
      ),
  },
  { id: "step", header: "Step", nowrap: true, cell: ({ step }) => stepNames[step] },
  { id: "device", header: "Device", cell: ({ client }) => clientText(client) },
  { id: "address", header: "Address", nowrap: true, cell: ({ ipAddress }) => ipAddress },
];

/** Recent sign-ins to the user's account, including failed ones. */
export function OwnSignIns() {
  return (
    <section className={classes["section"]} aria-labelledby="profile-sign-ins">
      <h2 id="profile-sign-ins">Recent Sign-ins</h2>
      <p className={classes["lead"]}>Your last 20 sign-ins. If you don't recognize one, change your password.</p>
      <QueryState
        query={useQuery(signInsQuery)}
        loading={{ label: "Loading recent sign-ins", rows: 4 }}
        failed="Failed to load recent sign-ins"
        empty={{ text: "No sign-ins yet." }}
      >
        {(signIns) => (
          <DataTable
            columns={columns}
            rows={signIns}
            rowKey={({ id }) => id}
            labelledBy="profile-sign-ins"
            scroll={{ role: "group", labelledBy: "profile-sign-ins" }}
            edges="flush"
            head="line"
            className={classes["table"]}
          />
        )}
      </QueryState>
    </section>
  );
}
