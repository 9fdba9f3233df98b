import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { isLinkDisabled } from "#lib/screens/disabled-links.ts";
import { usePortalSettings } from "#lib/gateway/portal-settings.ts";
import classes from "./users-tabs.module.css";

const tabs = [
  // Not "Users": the second panel already has a link with that name.
  { name: "UserSettings", path: "/user-settings", label: "Accounts" },
  { name: "ReceivedFeedback", path: "/feedback-settings", label: "Feedback" },
  { name: "AllApiKeys", path: "/key-settings", label: "API Keys" },
  { name: "AllAlerts", path: "/alert-settings", label: "Alerts" },
  { name: "Ownerless", path: "/ownerless-settings", label: "Without owner" },
] as const;

/** Tabs of the screens that administer people; the second panel links only to the users. Those without room scroll. */
export function UsersTabs() {
  const { disabledLinks } = usePortalSettings();
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    // Recent browsers return a promise, which must not be taken for the end of the effect.
    nav.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, []);
  return (
    <nav ref={nav} className={classes["tabs"]} aria-label="Users and feedback">
      {tabs
        .filter((tab) => !isLinkDisabled(tab, disabledLinks))
        .map(({ name, path, label }) => (
          <Link key={name} to={path} className={classes["tab"]} activeProps={{ "aria-current": "page" }}>
            {label}
          </Link>
        ))}
    </nav>
  );
}
