import { useMediaQuery } from "@mantine/hooks";
import { IconLayoutSidebarLeftExpand } from "@tabler/icons-react";
import { everyone, passesRole } from "@fairway/contract/access";
import { Outlet, useMatches, useRouter } from "@tanstack/react-router";
import { useEffect, useLayoutEffect, useMemo, useState } from "react";
import { logFailure } from "#lib/log.ts";
import { usePortal, usePortalSettings } from "#lib/portal-settings.ts";
import { forgetSecondFactorNeeded, useSecondFactorNeeded } from "#lib/second-factor-needed.ts";
import { useCurrentUser } from "#lib/session/current-session.ts";
import { whenIdle } from "#lib/when-idle.ts";
import { Announcer, expectScreenFocus } from "#ui/announcer.tsx";
import { ConfirmHost } from "#ui/confirm-host.tsx";
import { lazyPart, loadPartsAhead } from "#ui/lazy-part.tsx";
import { useBehindDialog } from "#ui/open-dialogs.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { InformationBanner } from "#ui/information-banner.tsx";
import { ToastHost } from "#ui/toast-host.tsx";
import { PageHeaderLeading } from "#ui/page-header.tsx";
import classes from "./frame.module.css";
import { ConnectionBar } from "./connection-bar.tsx";
import { useLeaveGuard } from "./leave-guard.ts";
import { navigation, visibleNavigation } from "./navigation.ts";
import { NewNotices } from "./new-notices.tsx";
import { OverlayHost } from "./overlay-host.tsx";
import { Panel } from "./panel.tsx";
import { setDrawer, setPanelOpen, usePanel } from "./panel-state.ts";
import { Rail } from "./rail.tsx";
import { roleOf } from "./screens.ts";
import { SessionBar } from "./session-bar.tsx";
import { TopBar } from "./top-bar.tsx";
import { useShortcuts } from "./use-shortcuts.ts";

const MissingPage = lazyPart(() => import("./missing-page.tsx"));
const SecondFactorNeeded = lazyPart(() => import("./second-factor-needed.tsx"));
const PhoneDrawer = lazyPart(() => import("./phone-drawer.tsx"));

/** Everything around a screen: banners, rail, second panel, and what may lie over them. */
export function Frame() {
  const { banner, disabledLinks } = usePortalSettings();
  const ui = usePortal((portal) => portal.ui);
  const { roles, preferred_username: username } = useCurrentUser();
  const { open, group: shown } = usePanel();
  const phone = useMediaQuery("(max-width: 720px)", undefined, { getInitialValueInEffect: false });
  const groups = useMemo(() => visibleNavigation(navigation, roles, disabledLinks, ui), [roles, disabledLinks, ui]);
  const current = useCurrentGroup();
  const behind = useBehindDialog();
  const group = groups.find(({ id }) => id === shown) ?? groups[0];
  useLayoutEffect(() => {
    if (current !== undefined) usePanel.setState({ group: current });
  }, [current]);
  useShortcuts();
  useScreenChanges();
  useSavedFetched(username);
  useEffect(loadPartsAhead, []);
  useLeaveGuard();

  return (
    <div className={classes["frame"]}>
      <a className={classes["skip"]} href="#content" onClick={skipToContent} inert={behind}>
        Skip to content
      </a>
      <InformationBanner banner={banner} />
      <ConnectionBar />
      <SessionBar />
      {phone && <TopBar inert={behind} />}
      <div className={classes["columns"]} inert={behind}>
        {!phone && <Rail groups={groups} current={current} />}
        {!phone && open && group && <Panel group={group} closeLabel="Hide panel" onClose={() => setPanelOpen(false)} />}
        <main className={classes["page"]} id="content" tabIndex={-1}>
          <PageHeaderLeading value={!phone && !open && <PanelButton />}>
            <Screen roles={roles} />
          </PageHeaderLeading>
        </main>
      </div>
      <InformationBanner banner={banner} />
      {phone && <Drawers groups={groups} current={current} />}
      <Announcer />
      <ConfirmHost />
      <NewNotices key={username} />
      <OverlayHost />
      <ToastHost />
    </div>
  );
}

/** What the address leads to. A screen for others than this user does not exist. */
function Screen({ roles }: { roles: readonly string[] }) {
  const screen = useMatches({ select: (matches) => matches.at(-1)?.staticData.screen });
  if (screen === undefined) return <Outlet />;
  const role = roleOf(screen);
  if (!passesRole(roles, role)) return <MissingPage />;
  return role === everyone ? <Outlet /> : <AdministratorsScreen key={screen} />;
}

/** Where its calls are refused for want of a second factor, what to do about that. */
function AdministratorsScreen() {
  const { needed } = useSecondFactorNeeded();
  useEffect(() => {
    // What calls of another screen were told does not count here.
    forgetSecondFactorNeeded();
    return forgetSecondFactorNeeded;
  }, []);
  return needed ? <SecondFactorNeeded /> : <Outlet />;
}

function PanelButton() {
  return (
    <IconButton label="Show panel" onClick={() => setPanelOpen(true)} className={classes["show"]}>
      <IconLayoutSidebarLeftExpand size={16} aria-hidden />
    </IconButton>
  );
}

function Drawers(props: { groups: ReturnType<typeof visibleNavigation>; current: string | undefined }) {
  const drawer = usePanel((state) => state.drawer);
  const [used, setUsed] = useState(false);
  if (drawer && !used) setUsed(true);
  // A window that grows past a phone's width shows the rail itself.
  useEffect(() => () => setDrawer(false), []);
  return used && <PhoneDrawer {...props} />;
}

/** Fetches what this user has saved, once the screen has what it needs itself. */
function useSavedFetched(username: string): void {
  useEffect(
    () =>
      whenIdle(() => {
        import("#features/search/saved-searches/queries.ts")
          .then(({ fetchSaved }) => fetchSaved())
          .catch((error: unknown) => logFailure(`What ${username} has saved could not be loaded`, error));
      }),
    [username],
  );
}

/** The group that the shown screen belongs to. */
function useCurrentGroup(): string | undefined {
  return useMatches({ select: (matches) => matches.at(-1)?.staticData.group });
}

function useScreenChanges(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe("onResolved", ({ fromLocation, pathChanged }) => {
        if (fromLocation && pathChanged) expectScreenFocus();
      }),
    [router],
  );
}

// Not by the fragment: that belongs to the search.
function skipToContent(event: React.MouseEvent): void {
  event.preventDefault();
  document.querySelector<HTMLElement>("#content")?.focus();
}
