import { createRootRoute, createRoute, createRouter, redirect } from "@tanstack/react-router";
import type { ComponentType } from "react";
import { loadPart } from "#lib/chunk-load.ts";
import { usePortal } from "#lib/portal-settings.ts";
import { Frame } from "#shell/frame.tsx";
import { ScreenError } from "#shell/screen-error.tsx";
import { latePart } from "#ui/late-part.tsx";
import { canonicalPath, type EntityScreen, isDisabled, type ScreenName, screens } from "#lib/screens.ts";

/** The component of a screen, which comes with the screen's first use. */
const screenPart = (name: string, load: () => Promise<{ default: ComponentType }>) => latePart(() => loadPart(name, load));

const toDatasets = () => {
  throw redirect({ to: "/search", replace: true });
};

const root = createRootRoute({
  component: Frame,
  beforeLoad: ({ matches }) => {
    const screen = matches.at(-1)?.staticData.screen;
    if (screen && isDisabled(screen, usePortal.getState().settings.disabledLinks)) toDatasets();
  },
});

const entityScreen = (screen: EntityScreen) =>
  createRoute({
    getParentRoute: () => root,
    path: screens[screen].path,
    staticData: { screen, group: "power" },
    // A component of its own, so that another type begins anew.
    component: screenPart("administration", async () => ({ default: (await import("#features/admin/entity-page.tsx")).EntityPage })),
  });

const routes = [
  createRoute({ getParentRoute: () => root, path: "/", beforeLoad: toDatasets }),
  createRoute({
    getParentRoute: () => root,
    path: screens.UnifiedDatasets.path,
    staticData: { screen: "UnifiedDatasets", group: "search" },
    component: screenPart("datasets", async () => ({
      default: (await import("#features/search/datasets/datasets-page.tsx")).DatasetsPage,
    })),
  }),
  createRoute({
    getParentRoute: () => root,
    path: screens.SearchResults.path,
    staticData: { screen: "SearchResults", group: "search" },
    component: screenPart("results", async () => ({ default: (await import("#features/search/results/results-page.tsx")).ResultsPage })),
  }),
  createRoute({
    getParentRoute: () => root,
    path: screens.UserProfile.path,
    staticData: { screen: "UserProfile", group: "profile" },
    component: screenPart("profile", async () => ({ default: (await import("#features/account/profile-page.tsx")).ProfilePage })),
  }),
  createRoute({
    getParentRoute: () => root,
    path: screens.ChangePassword.path,
    staticData: { screen: "ChangePassword", group: "profile" },
    component: screenPart("password", async () => ({ default: (await import("#features/account/password-page.tsx")).PasswordPage })),
  }),
  createRoute({
    getParentRoute: () => root,
    path: screens.SignInMethods.path,
    staticData: { screen: "SignInMethods", group: "profile" },
    component: screenPart("sign-in-methods", async () => ({
      default: (await import("#features/account/methods-page.tsx")).SignInMethodsPage,
    })),
  }),
  createRoute({
    getParentRoute: () => root,
    path: screens.ApiKeys.path,
    staticData: { screen: "ApiKeys", group: "profile" },
    component: screenPart("api-keys", async () => ({ default: (await import("#features/account/keys-page.tsx")).KeysPage })),
  }),
  createRoute({
    getParentRoute: () => root,
    path: screens.ManageCac.path,
    staticData: { screen: "ManageCac", group: "profile" },
    component: screenPart("cac", async () => ({ default: (await import("#features/account/cac-page.tsx")).CacPage })),
  }),
  createRoute({
    getParentRoute: () => root,
    path: screens.Auditing.path,
    staticData: { screen: "Auditing", group: "power" },
    component: screenPart("auditing", async () => ({ default: (await import("#features/auditing/auditing-page.tsx")).AuditingPage })),
  }),
  createRoute({
    getParentRoute: () => root,
    path: screens.Notices.path,
    staticData: { screen: "Notices", group: "profile" },
    component: screenPart("notices", async () => ({ default: (await import("#features/notices/notices-page.tsx")).NoticesPage })),
  }),
  createRoute({
    getParentRoute: () => root,
    path: screens.About.path,
    staticData: { screen: "About", group: "power" },
    component: screenPart("about", async () => ({ default: (await import("#features/admin/about-page.tsx")).AboutPage })),
  }),
  createRoute({
    getParentRoute: () => root,
    path: screens.AllApiKeys.path,
    staticData: { screen: "AllApiKeys", group: "power" },
    component: screenPart("all-keys", async () => ({ default: (await import("#features/admin/all-keys-page.tsx")).AllKeysPage })),
  }),
  entityScreen("ConfigurationSettings"),
  entityScreen("DocSettings"),
  entityScreen("EcosystemSettings"),
  entityScreen("ExternalDatasetSettings"),
  entityScreen("FilesetSettings"),
  entityScreen("FlowEnvironmentSettings"),
  entityScreen("FlowGroupSettings"),
  entityScreen("GroupSettings"),
  entityScreen("InternalDatasetSettings"),
  entityScreen("JoltSpecificationSettings"),
  entityScreen("NoticeSettings"),
  entityScreen("RoleSettings"),
  entityScreen("TorchServiceSettings"),
  entityScreen("UserSettings"),
  createRoute({
    getParentRoute: () => root,
    path: screens.ReceivedFeedback.path,
    staticData: { screen: "ReceivedFeedback", group: "power" },
    component: screenPart("feedback", async () => ({
      default: (await import("#features/feedback/feedback-admin-page.tsx")).FeedbackAdminPage,
    })),
  }),
  // Unknown paths.
  createRoute({ getParentRoute: () => root, path: "$", beforeLoad: toDatasets }),
];

const routeTree = root.addChildren(routes);

/** A router of the application, at the address of this page. */
export const openRouter = () =>
  createRouter({
    routeTree,
    rewrite: {
      input: ({ url }) => {
        url.pathname = canonicalPath(url.pathname);
        return url;
      },
    },
    // Plain strings both ways: the router's own reading turns `code=001` into a number.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries(search)) if (value !== undefined && value !== null) query.set(name, String(value));
      return query.size > 0 ? `?${query}` : "";
    },
    defaultErrorComponent: ScreenError,
    defaultPendingMs: 150,
  });

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof openRouter>;
  }
  interface StaticDataRouteOption {
    /** The route's name, by which it can be disabled. */
    screen?: ScreenName;
    /** The rail's group that it belongs to. */
    group?: string;
  }
}
