import { Link } from "@tanstack/react-router";
import { IconLogout } from "#ui/icons/logout.ts";
import { IconMessage } from "#ui/icons/message.ts";
import { isLinkDisabled } from "#lib/screens/disabled-links.ts";
import { defaultTitle, usePortal, usePortalSettings } from "#lib/gateway/portal-settings.ts";
import { useCurrentUser } from "#lib/session/current-session.ts";
import { BrandMark } from "#ui/brand-mark.tsx";
import { Toolbar } from "#ui/toolbar.tsx";
import { logout } from "../session/logout.ts";
import { MoreMenu } from "./more-menu.tsx";
import type { NavigationGroup } from "./navigation-entries.ts";
import { NotificationsBell } from "../notices/notifications-bell.tsx";
import { openOverlay } from "./overlays.ts";
import { chooseGroup, setDrawer, usePanel } from "./panel-state.ts";
import classes from "./frame.module.css";

interface RailProps {
  groups: readonly NavigationGroup[];
  /** The group of the current screen. */
  current: string | undefined;
  /** The panel is always visible, as in the phone's drawer, so choosing a group never hides it. */
  panelStays?: boolean;
}

/** The narrow column on the left: the groups at the top, the user at the bottom. */
export function Rail({ groups, current, panelStays = false }: RailProps) {
  const user = useCurrentUser();
  const { open, group: panelGroup } = usePanel();
  const { disabledLinks } = usePortalSettings();
  const title = usePortal(({ ui }) => ui?.appTitle ?? "");
  const feedbackEnabled = usePortal(({ ui }) => ui?.feedbackEnabled === true);
  const name = user.name === "" ? user.preferred_username : user.name;
  const userLabel = (
    <>
      <span className={classes["avatar"]} aria-hidden>
        {initials(name)}
      </span>
      <span className={classes["name"]}>{name}</span>
    </>
  );
  return (
    <nav className={classes["railNav"]} aria-label="Main">
      <Toolbar label="Main" orientation="vertical" className={classes["rail"]}>
        <Link
          to="/search"
          className={classes["mark"]}
          aria-label={`${title === "" ? defaultTitle : title}, go to Datasets`}
          onClick={() => setDrawer(false)}
        >
          <BrandMark size={32} />
        </Link>
        {groups
          .filter(({ offRail }) => offRail !== true)
          .map(({ id, label, icon: Icon }) => (
            <button
              key={id}
              type="button"
              className={classes["railItem"]}
              aria-expanded={panelStays ? panelGroup === id : open && panelGroup === id}
              aria-controls="second-panel"
              data-current={current === id || undefined}
              onClick={() => (panelStays ? usePanel.setState({ group: id }) : chooseGroup(id))}
            >
              <Icon size={20} stroke={1.6} aria-hidden />
              {label}
            </button>
          ))}
        <span className={classes["gap"]} />
        <MoreMenu className={classes["railItem"]} />
        <NotificationsBell className={classes["railItem"]} />
        {feedbackEnabled && (
          <button
            type="button"
            className={classes["railItem"]}
            onClick={() => {
              setDrawer(false);
              openOverlay("feedback");
            }}
          >
            <IconMessage size={20} stroke={1.6} aria-hidden />
            Submit Feedback
          </button>
        )}
        {isLinkDisabled({ name: "UserProfile", path: "/user-profile" }, disabledLinks) ? (
          <span className={classes["railItem"]} title={name}>
            {userLabel}
          </span>
        ) : (
          <Link
            to="/user-profile"
            className={classes["railItem"]}
            activeProps={{}}
            data-current={current === "profile" || undefined}
            title={name}
            onClick={() => setDrawer(false)}
          >
            {userLabel}
          </Link>
        )}
        <button type="button" className={classes["railItem"]} onClick={() => void logout()}>
          <IconLogout size={20} stroke={1.6} aria-hidden />
          Logout
        </button>
      </Toolbar>
    </nav>
  );
}

/** Two letters for a name: the initials of the first and last word, or the first two letters of a single word. */
function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const letters =
    words.length > 1 ? [words[0], words.at(-1)].map((word) => Array.from(word ?? "")[0]) : Array.from(words[0] ?? "").slice(0, 2);
  return letters.join("").toUpperCase();
}
