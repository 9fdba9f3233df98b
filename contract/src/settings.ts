import { z } from "zod";
import { cacConfiguration } from "./cac.ts";
import { limits } from "./limits.ts";
import { oidcConfiguration } from "./oidc.ts";
import { passwordRules } from "./passwords.ts";
import { route } from "./route.ts";
import { downloadableTool } from "./tools.ts";

export const banner = z.object({ text: z.string().min(1), textColor: z.string(), bgColor: z.string() });
export type Banner = z.infer<typeof banner>;

export const externalPage = z.object({
  name: z.string(),
  displayName: z.string(),
  faIcon: z.string().optional(),
  role: z.string(),
  navBar: z.enum(["search", "docs"]),
});

/** Raster tiles on top of the bundled world map. */
export const mapTiles = z.object({
  /** URL template with `{z}`, `{x}` and `{y}`. */
  url: z
    .url({ protocol: /^https?$/ })
    .refine((url) => ["{z}", "{x}", "{y}"].every((part) => url.includes(part)), "expected {z}, {x} and {y} in it"),
  /** Attribution text that the provider requires on the map. */
  attribution: z.string().max(500),
  /** Highest zoom level with tiles. */
  maxZoom: z.int().min(0).max(22),
});
export type MapTiles = z.infer<typeof mapTiles>;

/** A PMTiles file of raster tiles that the portal serves itself, on top of the bundled world map. */
const mapFileSettings = mapTiles.pick({ attribution: true, maxZoom: true });
export type MapFileSettings = z.infer<typeof mapFileSettings>;

/** `/static/settings.json`: what the browser needs before sign-in. Public, so it holds no secrets. */
export const portalSettings = z
  .object({
    disabledLinks: z.array(z.string()),
    banner: banner.nullable(),
    externalPages: z.array(externalPage),
    supplementalHelp: z.array(z.object({ name: z.string(), display: z.string() })),
    helpFilesetId: z.string(),
    tools: z.array(z.object({ display: z.string(), description: z.string().optional() })),
    mapTiles: mapTiles.nullable(),
    /** Null if no file is configured, or if it cannot be read. */
    mapFile: mapFileSettings.nullable().default(null),
    limits,
    /** `asvs` also refuses common passwords and the like. `limits` has the minimum length. */
    passwordRules: passwordRules.default("specification"),
    /** Whether uploaded files are scanned before they are stored. */
    scansUploads: z.boolean().default(false),
    /** True only on the demo platform, where the login screen lists the demo accounts. */
    demo: z.boolean(),
  })
  .meta({ id: "PortalSettings" });
export type PortalSettings = z.infer<typeof portalSettings>;

export const uiConfig = z
  .object({
    /** Empty if no branding is configured; the page title is then 'Fairway'. */
    appTitle: z.string(),
    appSubtitle: z.string(),
    feedbackEnabled: z.boolean(),
    availableTorchServices: z.array(z.string()),
    downloadableTools: z.array(downloadableTool),
    /** Null if card sign-in is not configured. */
    cac: cacConfiguration.nullable(),
    /** Null if no OpenID Connect provider is configured. */
    oidc: oidcConfiguration.nullable().default(null),
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
