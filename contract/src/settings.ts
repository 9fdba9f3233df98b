import { z } from "zod";
import { cacConfiguration } from "./cac.ts";
import { limits } from "./limits.ts";
import { passwordRules } from "./passwords.ts";
import { route } from "./route.ts";

export const banner = z.object({ text: z.string().min(1), textColor: z.string(), bgColor: z.string() });
export type Banner = z.infer<typeof banner>;

export const externalPage = z.object({
  name: z.string(),
  displayName: z.string(),
  faIcon: z.string().optional(),
  role: z.string(),
  navBar: z.enum(["search", "docs"]),
});

/** Raster tiles that lie over the bundled world map. */
export const mapTiles = z.object({
  /** With `{z}`, `{x}` and `{y}`, as web map tiles are addressed. */
  url: z
    .url({ protocol: /^https?$/ })
    .refine((url) => ["{z}", "{x}", "{y}"].every((part) => url.includes(part)), "expected {z}, {x} and {y} in it"),
  /** Text that the tiles' owner wants to see on the map. */
  attribution: z.string().max(500),
  /** The closest zoom that there are tiles of. */
  maxZoom: z.int().min(0).max(22),
});
export type MapTiles = z.infer<typeof mapTiles>;

/** `/static/settings.json`: what the browser needs to know before anyone signs in. Public, so it holds no secret. */
export const portalSettings = z
  .object({
    disabledLinks: z.array(z.string()),
    banner: banner.nullable(),
    externalPages: z.array(externalPage),
    supplementalHelp: z.array(z.object({ name: z.string(), display: z.string() })),
    helpFilesetId: z.string(),
    tools: z.array(z.object({ display: z.string(), description: z.string().optional() })),
    mapTiles: mapTiles.nullable(),
    limits,
    /** Under `asvs`, common passwords and the like are refused, too. How many characters are needed stands in `limits`. */
    passwordRules: passwordRules.default("specification"),
    /** True only on the demo platform; Login then names the demo accounts. */
    demo: z.boolean(),
  })
  .meta({ id: "PortalSettings" });
export type PortalSettings = z.infer<typeof portalSettings>;

export const uiConfig = z
  .object({
    /** Empty where no branding is configured; the page title is then 'Fairway'. */
    appTitle: z.string(),
    appSubtitle: z.string(),
    feedbackEnabled: z.boolean(),
    availableTorchServices: z.array(z.string()),
    downloadableTools: z.array(z.object({ display: z.string(), icon: z.object({ type: z.string(), name: z.string() }).optional() })),
    /** Null where nobody can sign in with a card. */
    cac: cacConfiguration.nullable(),
  })
  .meta({ id: "UiConfig" });
export type UiConfig = z.infer<typeof uiConfig>;

export const settings = {
  portal: route({
    method: "GET",
    path: "/static/settings.json",
    access: "public",
    summary: "The portal's settings file: disabled links, banner, external pages, limits.",
    response: portalSettings,
  }),
  ui: route({
    method: "GET",
    path: "/ui/config",
    access: "public",
    summary: "Branding and what this installation offers.",
    response: uiConfig,
  }),
};
