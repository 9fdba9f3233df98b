import { IconFocusCentered } from "#ui/icons/focus-centered.ts";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { logFailure } from "#lib/browser/log.ts";
import type { Bounds, DrawnPath, MapCanvas, Picked, TimeWindow, Viewpoint } from "#features/search/map/canvas/map-canvas.ts";
import { NoWebGl } from "#features/search/map/canvas/map-frame.ts";
import { openMapCanvas } from "#features/search/map/canvas/open-map-canvas.ts";
import { drawnItems } from "#features/search/map/model/drawn-items.ts";
import type { MapItem } from "#features/search/map/model/map-items.ts";
import type { Tracks } from "#features/search/map/model/tracks.ts";
import { highlightProperties } from "#features/search/map/model/path-model.ts";
import type { PlaybackClock } from "#features/search/map/playback/clock.ts";
import { MapLoading } from "#parts/area/map-loading.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { ErrorState } from "#ui/states.tsx";
import { coveredEdges } from "./frame/covered-edges.ts";
import classes from "./frame/map.module.css";

interface Props {
  icon: string | null;
  items: readonly MapItem[];
  /** Colors of the items, in their order. */
  colors: Uint8Array;
  /** CSS colors of the columns' colors. */
  marks: readonly string[] | undefined;
  isGrouped: boolean;
  /** More tools beside the map. */
  tools: ReactNode;
  paths: readonly DrawnPath[];
  gapMs: number;
  clock: PlaybackClock;
  selected: string | null;
  hovered: string | null;
  /** The initial view; null fits all items. */
  firstView: Viewpoint | null;
  /** The item to center on; a new object for each request. */
  target: { item: MapItem } | null;
  /** The map fits them once they are loaded, unless it has been moved. */
  tracks: Tracks;
  onMove: (view: Viewpoint, bounds: Bounds) => void;
  onPick: (picked: Picked | null, how: "point" | "press") => void;
  /** The map once it is open; null when it is closed. */
  onOpened: (map: MapCanvas | null) => void;
  children: ReactNode;
}

/** The room of a marker on each side. */
const markerPx = 24;

type Failure = "webgl" | "other";

/** The map itself. If the browser cannot draw it, a message is shown and the list remains usable. */
export function MapStage(props: Props) {
  const [failure, setFailure] = useState<Failure | null>(null);
  return (
    <div className={classes["stage"]}>
      {failure === null ? (
        <MapDrawing {...props} onFailed={setFailure} />
      ) : (
        <ErrorState
          message={failure === "webgl" ? "This browser can't show the map." : "The map could not be loaded."}
          details={[
            `${failure === "webgl" ? "It needs WebGL 2, which is switched off or missing. " : ""}The list of items, their details and paths work without it.`,
          ]}
          onRetry={() => setFailure(null)}
        />
      )}
      {props.children}
    </div>
  );
}

function MapDrawing(props: Omit<Props, "children"> & { onFailed: (failure: Failure) => void }) {
  const { items, colors, marks, isGrouped, paths, gapMs, clock, selected, hovered, target, tracks } = props;
  const container = useRef<HTMLDivElement>(null);
  const [canvas, setCanvas] = useState<MapCanvas | null>(null);
  const latest = useRef(props);
  const isMoved = useRef(props.firstView !== null);
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    const element = container.current;
    if (!element) return undefined;
    let isOpen = true;
    let close = () => {};
    const { icon, firstView } = latest.current;
    const highlights = highlightProperties.map((property) => `var(${property})`);
    openMapCanvas(element, { icon, highlights, bounds: null, viewpoint: firstView }).then(
      (opened) => {
        if (!isOpen) return opened.destroy();
        opened.onPick((picked, how) => latest.current.onPick(picked, how));
        opened.onMove((view, bounds) => {
          isMoved.current = true;
          latest.current.onMove(view, bounds);
        });
        setCanvas(opened);
        latest.current.onOpened(opened);
        close = () => {
          setCanvas(null);
          latest.current.onOpened(null);
          opened.destroy();
        };
      },
      (error: unknown) => {
        logFailure("The map cannot be shown", error);
        if (isOpen) latest.current.onFailed(error instanceof NoWebGl ? "webgl" : "other");
      },
    );
    return () => {
      isOpen = false;
      close();
    };
  }, []);

  const fitted = useRef<MapCanvas | null>(null);
  useEffect(() => {
    if (!canvas) return;
    canvas.setItems(drawnItems(items));
    if (fitted.current === canvas) return;
    fitted.current = canvas;
    if (latest.current.firstView === null) canvas.fitTo(null, coveredEdges(container.current));
  }, [canvas, items]);
  useEffect(() => canvas?.setColors(colors, marks), [canvas, colors, marks]);
  useEffect(() => canvas?.setGrouped(isGrouped), [canvas, isGrouped]);
  useEffect(() => canvas?.setPaths(paths, gapMs), [canvas, paths, gapMs]);
  useEffect(() => {
    if (canvas && tracks.size > 0 && !isMoved.current) canvas.fitTo(null, coveredEdges(container.current));
  }, [canvas, tracks]);
  useEffect(() => canvas?.select(selected), [canvas, selected]);
  useEffect(() => canvas?.hover(hovered), [canvas, hovered]);
  useEffect(() => {
    if (target?.item.problem !== null) return;
    const { left, right, bottom } = coveredEdges(container.current);
    const width = container.current?.clientWidth ?? 0;
    const isFree = width / 2 > left + markerPx && width / 2 < width - right - markerPx;
    canvas?.lookAt(target.item, [isFree ? 0 : (left - right) / 2, -bottom / 2]);
  }, [canvas, target]);
  useEffect(() => {
    if (!canvas) return undefined;
    const tick = () => canvas.setTime(visibleWindow(clock));
    tick();
    return clock.subscribe(tick);
  }, [canvas, clock]);

  return (
    <>
      <div
        ref={container}
        className={classes["canvas"]}
        role="application"
        aria-label="Map of items"
        aria-describedby="map-help"
        data-ready={canvas !== null}
      />
      {canvas === null && <MapLoading />}
      <p id="map-help" className="visually-hidden">
        Every item on the map is also in the list. Arrow keys move the map, plus and minus zoom it.
      </p>
      {canvas && (
        <div className={classes["tools"]} data-map-tools>
          {props.tools}
          <IconButton
            label="Fit to items"
            className={classes["tool"] ?? ""}
            onClick={() => canvas.fitTo(null, coveredEdges(container.current))}
          >
            <IconFocusCentered size={16} aria-hidden />
          </IconButton>
        </div>
      )}
    </>
  );
}

/** Null at the end of the time, where everything is shown, including items without a time. */
function visibleWindow(clock: PlaybackClock): TimeWindow | null {
  const { mode, nowMs, domain } = clock.state;
  return mode === "cumulative" && nowMs >= domain.toMs ? null : clock.window();
}
