import { toolName } from "@fairway/contract/tools";
import { IconCode } from "#ui/icons/code.ts";
import { IconExternalLink } from "#ui/icons/external-link.ts";
import { IconFileTypePdf } from "#ui/icons/file-type-pdf.ts";
import { IconLayoutSidebarLeftCollapse } from "#ui/icons/layout-sidebar-left-collapse.ts";
import { IconX } from "#ui/icons/x.ts";
import { Link, useMatches } from "@tanstack/react-router";
import { FaIconImage } from "#ui/fa-icon-image.tsx";
import { useFlowMembership } from "#lib/screens/flow-membership.ts";
import { useSavedFilesetQuery } from "#lib/screens/fileset-view.ts";
import { addressedTool, solidIconName, sortedTools } from "#lib/screens/downloadable-tools.ts";
import { usePortal } from "#lib/gateway/portal-settings.ts";
import type { ScreenName } from "#lib/screens/screen-table.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { Toolbar } from "#ui/toolbar.tsx";
import { openHelpFile } from "../tour/help-file.ts";
import type { NavigationEntry, NavigationGroup } from "./navigation-entries.ts";
import { setDrawer } from "./panel-state.ts";
import classes from "./frame.module.css";
import { RecentSearches } from "../palette/recent-searches.tsx";

interface PanelProps {
  group: NavigationGroup;
  /** Label of the close button, which hides the panel or closes the drawer. */
  closeLabel: "Hide panel" | "Close menu";
  onClose: () => void;
}

// Screens that are tabs of another entry's screen, or that are reached from it.
const tabScreens: Partial<Record<ScreenName, readonly ScreenName[]>> = {
  UserSettings: ["ReceivedFeedback", "AllApiKeys", "AllAlerts", "Ownerless"],
  ApiKeys: ["Assistants"],
};

/** The aria-current value of an entry: `page` on its screen, `true` on one of its other screens. */
function ariaCurrent(screen: ScreenName | undefined, entry: ScreenName): "page" | "true" | undefined {
  if (screen === entry) return "page";
  return screen !== undefined && tabScreens[entry]?.includes(screen) ? "true" : undefined;
}

function useOpenTool(): string | undefined {
  const tools = usePortal(({ ui }) => ui?.downloadableTools);
  const name = useMatches({
    select: (matches): unknown => {
      const search: { name?: unknown } | undefined = matches.at(-1)?.search;
      return search?.name;
    },
  });
  const open = addressedTool(sortedTools(tools ?? []), name);
  return open && toolName(open.display);
}

/** The second panel: the entries of one group. */
export function Panel({ group, closeLabel, onClose }: PanelProps) {
  const screen = useMatches({ select: (matches) => matches.at(-1)?.staticData.screen });
  const openTool = useOpenTool();
  const CloseIcon = closeLabel === "Hide panel" ? IconLayoutSidebarLeftCollapse : IconX;
  return (
    <nav className={classes["nav"]} id="second-panel" aria-label={group.label}>
      <Toolbar label={group.label} orientation="vertical" className={classes["panel"]}>
        <div className={classes["head"]}>
          {group.label}
          <IconButton label={closeLabel} onClick={onClose}>
            <CloseIcon size={16} aria-hidden />
          </IconButton>
        </div>
        <div className={classes["body"]}>
          {group.entries.map((entry) => (
            <Entry key={keyOf(entry)} entry={entry} screen={screen} openTool={openTool} />
          ))}
        </div>
      </Toolbar>
    </nav>
  );
}

function keyOf(entry: NavigationEntry): string {
  if ("screen" in entry) return entry.screen;
  if ("tool" in entry) return `tool ${entry.tool}`;
  return "page" in entry ? `page ${entry.page}` : `file ${entry.helpFile}`;
}

interface EntryProps {
  entry: NavigationEntry;
  screen: ScreenName | undefined;
  /** Name of the tool that the tools screen shows. */
  openTool: string | undefined;
}

function Entry({ entry, screen, openTool }: EntryProps) {
  const filesetQuery = useSavedFilesetQuery();
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
  if ("tool" in entry) {
    return (
      <Link
        to="/tools"
        search={{ name: entry.tool }}
        className={classes["entry"]}
        activeProps={{}}
        aria-current={screen === "Tools" && openTool === entry.tool ? "page" : undefined}
        onClick={() => setDrawer(false)}
      >
        <FaIconImage name={solidIconName(entry.toolIcon)} size={16} fallback={IconCode} />
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
        {entry.screen === "NiFlowRequests" && <ReviewCount />}
      </Link>
      {entry.screen === "UnifiedDatasets" && <RecentSearches />}
    </div>
  );
}

/** How many requests wait for a review by the user. */
function ReviewCount() {
  const count = useFlowMembership((state) => state.needsMyReview);
  if (count === 0) return null;
  return (
    <span className={classes["count"]}>
      {count} <span className="visually-hidden">waiting for your review</span>
    </span>
  );
}
