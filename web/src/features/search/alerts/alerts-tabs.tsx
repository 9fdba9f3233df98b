import { Link } from "@tanstack/react-router";
import { useIsScreenDisabled } from "#lib/screens/disabled-screens.ts";
import classes from "#parts/users-tabs/users-tabs.module.css";

/** Tabs between alerts and emails, each unless the operator has disabled it. */
export function AlertsTabs() {
  const disabled = { Alerts: useIsScreenDisabled("Alerts"), Emails: useIsScreenDisabled("Emails") };
  if (disabled.Alerts || disabled.Emails) return null;
  return (
    <nav className={classes["tabs"]} aria-label="Alerts and emails">
      <Link to="/alerts" className={classes["tab"]} activeOptions={{ exact: true }} activeProps={{ "aria-current": "page" }}>
        Alerts
      </Link>
      <Link to="/alerts/emails" className={classes["tab"]} activeProps={{ "aria-current": "page" }}>
        Emails
      </Link>
    </nav>
  );
}
