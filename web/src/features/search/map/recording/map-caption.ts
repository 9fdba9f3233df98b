import { usePortal } from "#lib/gateway/portal-settings.ts";
import type { Caption } from "./report-frame.ts";

/** The title of a picture, with the sources of the base map. */
export function mapCaption(title: string): Caption {
  const { mapTiles, mapFile } = usePortal.getState().settings;
  const own = [mapFile?.attribution, mapTiles?.attribution].filter((text) => text !== undefined && text !== "");
  return { title, attribution: [...(own.length > 0 ? own : ["Natural Earth"]), "GeoNames"].join(", ") };
}
