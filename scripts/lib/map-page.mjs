// @ts-check
import { serveComponentPage } from "./component-page.mjs";

/**
 * Serves the map components on a page of their own. `globalThis.mapPage` exposes them (web/src/testing/map-page.tsx); `#map` is the
 * container of the map, `#playback` that of the scrubber.
 */
export const serveMapPage = () =>
  serveComponentPage({
    entry: "map-page",
    style: "#map{flex:1;min-height:0;position:relative}",
    body: '<div id="map"></div><div id="playback"></div>',
  });
