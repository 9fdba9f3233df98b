import { useMediaQuery } from "@mantine/hooks";
import { IconLayoutSidebarLeftExpand } from "#ui/icons/layout-sidebar-left-expand.ts";
import { everyone, passesRole } from "@fairway/contract/access";
import { Outlet, useMatches, useRouter } from "@tanstack/react-router";
import { useEffect, useLayoutEffect, useMemo, useState } from "react";
import { useFlowMembership } from "#lib/screens/flow-membership.ts";
import { logFailure } from "#lib/browser/log.ts";
import { usePortal, usePortalSettings } from "#lib/gateway/portal-settings.ts";
import { forgetSecondFactorNeeded, useSecondFactorNeeded } from "#lib/session/second-factor-needed.ts";
import { useCurrentUser } from "#lib/session/current-session.ts";
import MissingPage from "#parts/missing-page/missing-page.tsx";
import { Announcer, expectScreenFocus } from "#ui/announcer.tsx";
import { ConfirmHost } from "#ui/dialog/confirm-host.tsx";
import { CopyFailedHost } from "#ui/dialog/copy-failed-host.tsx";
import { closeMenusOnEscape } from "#ui/escape-menus.ts";
import { island, preloadParts } from "#ui/island.tsx";
import { useHasOpenDialog } from "#ui/dialog/open-dialogs.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { InformationBanner } from "#ui/information-banner.tsx";
import { ToastHost } from "#ui/toast/toast-host.tsx";
import { PageHeaderLeading } from "#ui/page-header.tsx";
import type { BackgroundParts } from "./background-parts.tsx";
import { ConnectionBar } from "./connection-bar.tsx";
import classes from "./frame.module.css";
import { useHelpFile } from "../tour/help-file.ts";
import { useLeaveGuard } from "../session/leave-guard.ts";
import { navigation, visibleNavigation } from "./navigation.ts";
import { OverlayHost } from "./overlay-host.tsx";
import { setDrawer, setPanelOpen, usePanel } from "./panel-state.ts";
import { Panel } from "./panel.tsx";
import { Rail } from "./rail.tsx";
import { roleOf } from "../screens.ts";
import SecondFactorNeeded from "../session/second-factor-needed.tsx";
import { SessionBar } from "../session/session-bar.tsx";
import { TopBar } from "./top-bar.tsx";
import { useHasTutorials } from "../tour/tutorials.ts";
import { useShortcuts } from "./use-shortcuts.ts";

const PhoneDrawer = island(async () => ({ default: (await import("../shell-dialogs.ts")).PhoneDrawer }));
const HelpFilePreview = island(() => import("../tour/help-file-preview.tsx"));

/** Everything around a screen: banners, rail, second panel and overlays. */
export function Frame() {
  const settings = usePortalSettings();
  const { banner } = settings;
  const ui = usePortal((portal) => portal.ui);
  const { roles, passwordless: isPasswordless = false } = useCurrentUser();
  const { open, group: panelGroup } = usePanel();
  const isPhone = useMediaQuery("(max-width: 720px)", undefined, { getInitialValueInEffect: false });
  const hasTutorials = useHasTutorials();
  const helpFile = useHelpFile(({ file }) => file);
  const isFlowMember = useFlowMembership((state) => state.isMember);
  const groups = useMemo(
    () => visibleNavigation(navigation, { roles, settings, ui, hasTutorials, isFlowMember, isPasswordless }),
    [roles, settings, ui, hasTutorials, isFlowMember, isPasswordless],
  );
  const current = useCurrentGroup();
  const hasOpenDialog = useHasOpenDialog();
  const group = groups.find(({ id }) => id === panelGroup) ?? groups[0];
  useLayoutEffect(() => {
    if (current !== undefined) usePanel.setState({ group: current });
  }, [current]);
  useShortcuts();
  // Ahead of the handlers of dialogs, which are added by effects.
  useLayoutEffect(closeMenusOnEscape, []);
  useScreenFocus();
  useEffect(preloadParts, []);
  useLeaveGuard();

  return (
    <div className={classes["frame"]}>
      <a className={classes["skip"]} href="#content" onClick={skipToContent} inert={hasOpenDialog}>
        Skip to content
      </a>
      <InformationBanner banner={banner} />
      <ConnectionBar />
      <SessionBar />
      <Background />
      {isPhone && <TopBar inert={hasOpenDialog} />}
      <div className={classes["columns"]} inert={hasOpenDialog}>
        {!isPhone && <Rail groups={groups} current={current} />}
        {!isPhone && open && group && <Panel group={group} closeLabel="Hide panel" onClose={() => setPanelOpen(false)} />}
        <main className={classes["page"]} id="content" tabIndex={-1}>
          <PageHeaderLeading value={!isPhone && !open && <PanelButton />}>
            <Screen roles={roles} />
          </PageHeaderLeading>
        </main>
      </div>
      <InformationBanner banner={banner} />
      {isPhone && <Drawers groups={groups} current={current} />}
      <Announcer />
      <ConfirmHost />
      <CopyFailedHost />
      <OverlayHost />
      {helpFile && <HelpFilePreview file={helpFile} />}
      <ToastHost />
    </div>
  );
}

/** The screen at the current address. Screens the user's roles do not allow are shown as missing. */
function Screen({ roles }: { roles: readonly string[] }) {
  const screen = useMatches({ select: (matches) => matches.at(-1)?.staticData.screen });
  if (screen === undefined) return <Outlet />;
  const role = roleOf(screen);
  if (!passesRole(roles, role)) return <MissingPage />;
  return role === everyone ? <Outlet /> : <AdministratorsScreen key={screen} />;
}

/** An administrators' screen, replaced if its calls are refused for lack of a second factor. */
function AdministratorsScreen() {
  const { needed } = useSecondFactorNeeded();
  useEffect(() => {
    // Refusals of another screen's calls do not apply here.
    forgetSecondFactorNeeded();
    return forgetSecondFactorNeeded;
  }, []);
  return needed ? <SecondFactorNeeded /> : <Outlet />;
}

/** Loads what works in the background. A failure is only logged. */
function Background() {
  const [Parts, setParts] = useState<typeof BackgroundParts | null>(null);
  useEffect(() => {
    import("./background-parts.tsx")
      .then((part) => setParts(() => part.BackgroundParts))
      .catch((error: unknown) => logFailure("What is new could not be loaded", error));
  }, []);
  return Parts && <Parts />;
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
  const [wasOpened, setWasOpened] = useState(false);
  if (drawer && !wasOpened) setWasOpened(true);
  // A window that grows past a phone's width shows the rail instead.
  useEffect(() => () => setDrawer(false), []);
  return wasOpened && <PhoneDrawer {...props} />;
}

/** The group of the current screen. External pages are in the group that their settings name. */
function useCurrentGroup(): string | undefined {
  const { externalPages } = usePortalSettings();
  return useMatches({
    select: (matches) => {
      const { staticData, params } = matches.at(-1) ?? {};
      if (staticData?.screen !== "ExternalView") return staticData?.group;
      const { name } = params as { name?: string };
      return externalPages.find((page) => page.name === name)?.navBar ?? staticData.group;
    },
  });
}

function useScreenFocus(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe("onResolved", ({ fromLocation, pathChanged }) => {
        if (fromLocation && pathChanged) expectScreenFocus();
      }),
    [router],
  );
}

// Not via the URL fragment, which holds the search.
function skipToContent(event: React.MouseEvent): void {
  event.preventDefault();
  document.querySelector<HTMLElement>("#content")?.focus();
}
