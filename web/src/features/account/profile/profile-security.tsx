import { useQuery } from "@tanstack/react-query";
import { SecurityEvents } from "#parts/security-events/security-events.tsx";
import classes from "../account.module.css";
import { securityEventsQuery } from "../queries.ts";

/** The security activity of the user's own account. */
export function OwnSecurityEvents() {
  const events = useQuery(securityEventsQuery);
  return (
    <section className={classes["section"]} aria-labelledby="profile-security">
      <h2 id="profile-security">Security Activity</h2>
      <p className={classes["lead"]}>The last 50 changes to how you sign in. If you don't recognize one, change your password.</p>
      <SecurityEvents events={events} label="Security activity" owner="you" />
    </section>
  );
}
