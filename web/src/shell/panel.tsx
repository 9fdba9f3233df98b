import { IconExternalLink, IconFileTypePdf, IconLayoutSidebarLeftCollapse, IconX } from "@tabler/icons-react";
import { Link, useMatches } from "@tanstack/react-router";
import { FaIconImage } from "#ui/fa-icon-image.tsx";
import { useSavedFilesetQuery } from "#lib/fileset-place.ts";
import { useCurrentUser } from "#lib/session/current-session.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { openHelpFile } from "./help-file.ts";
import type { NavigationEntry, NavigationGroup } from "./navigation-entries.ts";
import { setDrawer } from "./panel-state.ts";
import classes from "./panel.module.css";
import { RecentSearches } from "./recent-searches.tsx";
import type { ScreenName } from "./screens.ts";

interface PanelProps {
  group: NavigationGroup;
  /** Label of the close button, which hides the panel or closes the drawer. */
  closeLabel: "Hide panel" | "Close menu";
  onClose: () => void;
}

// Screens that are tabs of another entry's screen.
const tabScreens: Partial<Record<ScreenName, readonly ScreenName[]>> = { UserSettings: ["ReceivedFeedback", "AllApiKeys"] };

/** The aria-current value of an entry: `page` on its screen, `true` on one of its tabs. */
function ariaCurrent(screen: ScreenName | undefined, entry: ScreenName): "page" | "true" | undefined {
  if (screen === entry) return "page";
  return screen !== undefined && tabScreens[entry]?.includes(screen) ? "true" : undefined;
}

/** The second panel: the entries of one group. */
export function Panel({ group, closeLabel, onClose }: PanelProps) {
  const screen = useMatches({ select: (matches) => matches.at(-1)?.staticData.screen });
  const CloseIcon = closeLabel === "Hide panel" ? IconLayoutSidebarLeftCollapse : IconX;
  return (
    <nav className={classes["panel"]} id="second-panel" aria-label={group.label}>
      <div className={classes["head"]}>
        {group.label}
        <IconButton label={closeLabel} onClick={onClose}>
          <CloseIcon size={16} aria-hidden />
        </IconButton>
      </div>
      <div className={classes["body"]}>
        {group.entries.map((entry) => (
          <Entry key={keyOf(entry)} entry={entry} screen={screen} />
        ))}
      </div>
    </nav>
  );
}

const keyOf = (entry: NavigationEntry): string =>
  "screen" in entry ? entry.screen : "page" in entry ? `page ${entry.page}` : `file ${entry.helpFile}`;

function Entry({ entry, screen }: { entry: NavigationEntry; screen: ScreenName | undefined }) {
  const filesetQuery = useSavedFilesetQuery(useCurrentUser().preferred_username);
  const openPage = useMatches({ select: (matches) => (matches.at(-1)?.params as { name?: string } | undefined)?.name });
  if ("helpFile" in entry) {
    return (
      <button
        type="button"
        className={classes["entry"]}
        onClick={() => {
          setDrawer(false);
          openHelpFile({ name: entry.helpFile, display: entry.label });
        }}
      >
        <IconFileTypePdf size={16} stroke={1.75} aria-hidden />
        {entry.label}
      </button>
    );
  }
  if ("page" in entry) {
    const isOpen = screen === "ExternalView" && openPage === entry.page;
    return (
      <Link
        to="/external/$name"
        params={{ name: entry.page }}
        className={classes["entry"]}
        activeProps={{}}
        aria-current={isOpen ? "page" : undefined}
        onClick={() => setDrawer(false)}
      >
        <FaIconImage name={entry.faIcon ?? ""} size={16} fallback={IconExternalLink} />
        {entry.label}
      </Link>
    );
  }
  return (
    <div>
      <Link
        to={entry.to}
        search={entry.screen === "Filesets" ? filesetQuery : {}}
        className={classes["entry"]}
        activeProps={{}}
        aria-current={ariaCurrent(screen, entry.screen)}
        onClick={() => setDrawer(false)}
      >
        {entry.icon && <entry.icon size={16} stroke={1.75} aria-hidden />}
        {entry.label}
      </Link>
      {entry.screen === "UnifiedDatasets" && <RecentSearches />}
    </div>
  );
}
