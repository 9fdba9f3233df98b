import { createRootRoute, createRoute, createRouter, redirect } from "@tanstack/react-router";
import { loadPart } from "#lib/browser/chunk-load.ts";
import { usePortal } from "#lib/gateway/portal-settings.ts";
import { isScreenDisabled } from "#lib/screens/disabled-screens.ts";
import { screenNamed, type ScreenName, screenTable } from "#lib/screens/screen-table.ts";
import { Frame } from "#shell/frame/frame.tsx";
import { ScreenError } from "#shell/frame/screen-error.tsx";
import { canonicalPath, hasIds, isPageDisabled, screenParts } from "#shell/screens.ts";
import { latePart } from "#ui/late-part.tsx";

const toDatasets = () => {
  throw redirect({ to: "/search", replace: true });
};

const root = createRootRoute({
  component: Frame,
  beforeLoad: ({ matches }) => {
    const { staticData, params } = matches.at(-1) ?? {};
    const { disabledLinks } = usePortal.getState().settings;
    const screen = staticData?.screen;
    if (screen === undefined) return;
    if (!hasIds(screen, params ?? {})) toDatasets();
    const { name: page = "" } = params as { name?: string };
    if (isScreenDisabled(screen, disabledLinks) || (screen === "ExternalView" && isPageDisabled(page, disabledLinks))) toDatasets();
  },
});

const screenRoute = <const Name extends ScreenName>(screen: Name) => {
  const { group } = screenNamed(screen);
  const { load } = screenParts(screen);
  const path: (typeof screenTable)[Name]["path"] = screenTable[screen].path;
  return createRoute({
    getParentRoute: () => root,
    path,
    staticData: { screen, group },
    // Each route has its own component, so that screens of different entity types do not share state.
    component: latePart(() => loadPart(screen, async () => ({ default: await load() }))),
  });
};

type ScreenRoute = { [Name in ScreenName]: ReturnType<typeof screenRoute<Name>> }[ScreenName];

const screenRoutes = (Object.keys(screenTable) as ScreenName[]).map((screen) => screenRoute(screen) as unknown as ScreenRoute);

const routes = [
  createRoute({ getParentRoute: () => root, path: "/", beforeLoad: toDatasets }),
  ...screenRoutes,
  // Catch-all for unknown paths.
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
    // Plain strings both ways: the router's default parser turns `code=001` into a number.
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
    /** The id of the rail group it belongs to. */
    group?: string;
  }
}
