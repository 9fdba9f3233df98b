import { Button } from "@mantine/core";
import { IconAlertTriangle } from "#ui/icons/alert-triangle.ts";
import { useConnection } from "#lib/gateway/connection.ts";
import { useRenewalFailing } from "#lib/session/current-session.ts";
import { openOverlay } from "../frame/overlays.ts";
import classes from "../frame/frame.module.css";

/** Shown while renewals fail but the session is still valid. Hidden without a connection, which the connection bar reports. */
export function SessionBar() {
  const isFailing = useRenewalFailing();
  const { connection } = useConnection();
  if (!isFailing || connection !== "online") return null;
  return (
    <div role="alert" className={classes["bar"]}>
      <IconAlertTriangle size={16} aria-hidden />
      <p>Your session could not be renewed. Trying again. You can also sign in again now.</p>
      <Button variant="default" size="xs" onClick={() => openOverlay("sign-in-again")}>
        Sign in again
      </Button>
    </div>
  );
}
