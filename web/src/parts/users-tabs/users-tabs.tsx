import { Link } from "@tanstack/react-router";
import classes from "./users-tabs.module.css";

const tabs = [
  { to: "/user-settings", label: "Users" },
  { to: "/feedback-settings", label: "Feedback" },
  { to: "/key-settings", label: "API Keys" },
] as const;

/** What administrators look after that has to do with people; the second panel names the users alone. */
export function UsersTabs() {
  return (
    <nav className={classes["tabs"]} aria-label="Users and feedback">
      {tabs.map(({ to, label }) => (
        <Link key={to} to={to} className={classes["tab"]} activeProps={{ "aria-current": "page" }}>
          {label}
        </Link>
      ))}
    </nav>
  );
}
