import { usePortal } from "#lib/gateway/portal-settings.ts";
import type { Caption } from "./report-frame.ts";

/** The title of a picture, with the source of the base map. */
export const mapCaption = (title: string): Caption => ({
  title,
  attribution: usePortal.getState().settings.mapTiles?.attribution || "Natural Earth",
});
