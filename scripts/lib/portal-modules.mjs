// @ts-check
import { access } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { checkout } from "./checkout.mjs";

/** @typedef {{ "portal-process": typeof import("@fairway/gateway/portal/portal-process"), service: typeof import("@fairway/gateway/portal/service"), platform: typeof import("@fairway/demo/platform") }} PortalModules */

/** The modules that the portal's process imports of the server. @type {Record<keyof PortalModules, { source: string, module: string }>} */
export const portalModules = {
  "portal-process": { source: "gateway/src/portal/portal-process.ts", module: "@fairway/gateway/portal/portal-process" },
  service: { source: "gateway/src/portal/service.ts", module: "@fairway/gateway/portal/service" },
  platform: { source: "demo/src/platform.ts", module: "@fairway/demo/platform" },
};

/** Written by the build, removed by the first save of `npm run dev`. */
export const bundleFolder = join(checkout, "gateway/dist/bundle");

/**
 * Imports a module from the bundle, which loads in less time, or from the compiled files where there is none. Its parts must not be
 * mixed with modules of compiled files in one process: each would have its own copy of what they share.
 * @template {keyof PortalModules} Name
 * @param {Name} name
 * @param {{ fromFiles?: boolean }} [options]
 * @returns {Promise<PortalModules[Name]>}
 */
export async function importPortalModule(name, { fromFiles = false } = {}) {
  const bundled = join(bundleFolder, `${name}.js`);
  const isBundled =
    !fromFiles &&
    (await access(bundled).then(
      () => true,
      () => false,
    ));
  return import(isBundled ? pathToFileURL(bundled).href : portalModules[name].module);
}
