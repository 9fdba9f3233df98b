import type { SignInAttempt } from "@fairway/contract/sessions";
import { IconAlertCircle } from "#ui/icons/alert-circle.ts";
import { useQuery } from "@tanstack/react-query";
import { messagesOf } from "#lib/gateway-error.ts";
import { localTime } from "#lib/local-time.ts";
import { EmptyState, ErrorState, LoadingRows } from "#ui/states.tsx";
import classes from "./account.module.css";
import { clientText } from "./clients-text.ts";
import { signInsQuery } from "./queries.ts";

const stepNames: Record<SignInAttempt["step"], string> = {
  password: "Password",
  "second-factor": "Second step",
  passkey: "Passkey",
  card: "CAC",
  provider: "OpenID Connect",
};

/** Recent sign-ins to the user's account, including failed ones. */
export function OwnSignIns() {
  const { data, error, isFetching, refetch } = useQuery(signInsQuery);
  return (
    <section className={classes["section"]} aria-labelledby="profile-sign-ins">
      <h2 id="profile-sign-ins">Recent Sign-ins</h2>
      <p className={classes["lead"]}>Your last 20 sign-ins. If you don't recognize one, change your password.</p>
      {data ? (
        data.length === 0 ? (
          <EmptyState>No sign-ins yet.</EmptyState>
        ) : (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region is reached by the keyboard
          <div className={classes["scrollable"]} role="group" aria-labelledby="profile-sign-ins" tabIndex={0}>
            <table className={classes["table"]} aria-labelledby="profile-sign-ins">
              <thead>
                <tr>
                  <th scope="col">Time</th>
                  <th scope="col">Result</th>
                  <th scope="col">Step</th>
                  <th scope="col">Device</th>
                  <th scope="col">Address</th>
                </tr>
              </thead>
              <tbody>
                {data.map(({ id, timeMs, step, succeeded, client, ipAddress }) => (
                  <tr key={id}>
                    <td data-nowrap>{localTime(timeMs)}</td>
                    <td data-nowrap>
                      {succeeded ? (
                        "Succeeded"
                      ) : (
                        <span className={classes["failed"]}>
                          <IconAlertCircle size={16} aria-hidden />
                          Failed
                        </span>
                      )}
                    </td>
                    <td data-nowrap>{stepNames[step]}</td>
                    <td>{clientText(client)}</td>
                    <td data-nowrap>{ipAddress}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )
      ) : error && !isFetching ? (
        <ErrorState message="Failed to load recent sign-ins" details={messagesOf(error)} onRetry={() => void refetch()} />
      ) : (
        <LoadingRows label="Loading recent sign-ins" rows={4} />
      )}
    </section>
  );
}
