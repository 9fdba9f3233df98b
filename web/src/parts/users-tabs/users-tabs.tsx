import { Link } from "@tanstack/react-router";
import { usePortalSettings } from "#lib/portal-settings.ts";
import { isDisabled, screens } from "#lib/screens.ts";
import classes from "./users-tabs.module.css";

const tabs = [
  // Not "Users": the second panel has a link of that name beside it.
  { screen: "UserSettings", label: "Accounts" },
  { screen: "ReceivedFeedback", label: "Feedback" },
  { screen: "AllApiKeys", label: "API Keys" },
] as const;

/** What administrators look after that has to do with people; the second panel names the users alone. */
export function UsersTabs() {
  const { disabledLinks } = usePortalSettings();
  return (
    <nav className={classes["tabs"]} aria-label="Users and feedback">
      {tabs
        .filter(({ screen }) => !isDisabled(screen, disabledLinks))
        .map(({ screen, label }) => (
          <Link key={screen} to={screens[screen].path} className={classes["tab"]} activeProps={{ "aria-current": "page" }}>
            {label}
          </Link>
        ))}
    </nav>
  );
}
