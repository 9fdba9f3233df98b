import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useIsScreenDisabled } from "#lib/screens/disabled-screens.ts";
import { ownDataQuery } from "#parts/own-datasets/queries.ts";
import classes from "#parts/users-tabs/users-tabs.module.css";

/** Tabs between the datasets of administrators and those of users, where users may bring any. */
export function DatasetTabs() {
  const { data } = useQuery(ownDataQuery);
  const isDisabled = useIsScreenDisabled("AllOwnData");
  if (data === undefined || data.who === "nobody" || isDisabled) return null;
  return (
    <nav className={classes["tabs"]} aria-label="Datasets and own data">
      <Link to="/internal-dataset-settings" className={classes["tab"]} activeProps={{ "aria-current": "page" }}>
        Datasets of the portal
      </Link>
      <Link to="/own-data-settings" className={classes["tab"]} activeProps={{ "aria-current": "page" }}>
        Own data
      </Link>
    </nav>
  );
}
