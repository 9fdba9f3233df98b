import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { loadPart } from "#lib/chunk-load.ts";
import { canonicalPath } from "#shell/aliases.ts";
import { Frame } from "#shell/frame.tsx";

const root = createRootRoute({ component: Frame });
const toDatasets = () => {
  throw redirect({ to: "/search", replace: true });
};

const routes = [
  createRoute({ getParentRoute: () => root, path: "/", beforeLoad: toDatasets }),
  createRoute({
    getParentRoute: () => root,
    path: "/search",
    component: lazyRouteComponent(() => loadPart("datasets", () => import("#features/search/datasets-page.tsx")), "DatasetsPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/search/$searchId",
    component: lazyRouteComponent(() => loadPart("results", () => import("#features/search/results-page.tsx")), "ResultsPage"),
  }),
  createRoute({ getParentRoute: () => root, path: "$", beforeLoad: toDatasets }),
];

export const router = createRouter({
  routeTree: root.addChildren(routes),
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
  defaultPendingMs: 150,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
