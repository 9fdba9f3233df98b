import "#ui/theme/base.css";
import "#ui/theme/mantine.css";
import { MantineProvider } from "@mantine/core";
import { createRoot } from "react-dom/client";
import { openMap } from "#parts/area/basemap.ts";
import { NoWebGl, openMapCanvas } from "#features/search/map/canvas/open-map-canvas.ts";
import { PlaybackClock } from "#features/search/map/playback/clock.ts";
import { sortedTimes } from "#features/search/map/playback/event-times.ts";
import { Scrubber } from "#features/search/map/playback/scrubber.tsx";
import { cssVariablesResolver, theme } from "#ui/theme/theme.ts";

/** The map and its playback as in the view, with data from the script that drives the page. */
const mapPage = {
  openMap,
  openMapCanvas,
  NoWebGl,
  PlaybackClock,
  showScrubber(element: HTMLElement, clock: PlaybackClock, times: readonly Float64Array[], zone: string): void {
    createRoot(element).render(
      <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver}>
        <Scrubber clock={clock} times={times.map(sortedTimes)} zone={zone} />
      </MantineProvider>,
    );
  },
};

export type MapPage = typeof mapPage;

Object.assign(globalThis, { mapPage });
