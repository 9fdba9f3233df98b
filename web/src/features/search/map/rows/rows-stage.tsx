import { useEffect, useRef, useState, type ReactNode } from "react";
import { NoWebGl } from "#features/search/map/canvas/map-frame.ts";
import { openRowsCanvas } from "#features/search/map/canvas/open-rows-canvas.ts";
import type { Viewpoint } from "#features/search/map/canvas/map-canvas.ts";
import type { RowsCanvas } from "#features/search/map/canvas/rows-canvas.ts";
import { logFailure } from "#lib/browser/log.ts";
import { MapLoading } from "#parts/area/map-loading.tsx";
import { IconFocusCentered } from "#ui/icons/focus-centered.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { pressed } from "#ui/shortcut-keys.ts";
import { ErrorState } from "#ui/states.tsx";
import mapClasses from "#features/search/map/frame/map.module.css";
import classes from "./rows.module.css";

interface Props {
  canvas: RowsCanvas | null;
  /** The initial view; null shows the world until the rows are fitted. */
  firstView: Viewpoint | null;
  /** The map once it is open; null when it is closed. */
  onOpened: (canvas: RowsCanvas | null) => void;
  /** The browser cannot draw the map. */
  onFailed: () => void;
  onFit: () => void;
  /** Enter was pressed on the map. */
  onEnter: () => void;
  children: ReactNode;
}

/** The map of all rows. If the browser cannot draw it, a message is shown and the list remains usable. */
export function RowsStage({ onFailed, children, ...drawing }: Props) {
  const [failure, setFailure] = useState<"webgl" | "other" | null>(null);
  return (
    <div className={mapClasses["stage"]}>
      {failure === null ? (
        <RowsDrawingArea
          {...drawing}
          onFailed={(error) => {
            logFailure("The map cannot be shown", error);
            setFailure(error instanceof NoWebGl ? "webgl" : "other");
            onFailed();
          }}
        />
      ) : (
        <ErrorState
          message={failure === "webgl" ? "This browser can't show the map." : "The map could not be loaded."}
          details={[
            `${failure === "webgl" ? "It needs WebGL 2, which is switched off or missing. " : ""}The list of cells and their details work without it.`,
          ]}
          onRetry={() => setFailure(null)}
        />
      )}
      {children}
    </div>
  );
}

type AreaProps = Omit<Props, "children" | "onFailed"> & { onFailed: (error: unknown) => void };

function RowsDrawingArea(props: AreaProps) {
  const { canvas, onFit, onEnter } = props;
  const container = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    const element = container.current;
    if (!element) return undefined;
    let isOpen = true;
    let close = () => {};
    openRowsCanvas(element, { viewpoint: latest.current.firstView }).then(
      (opened) => {
        if (!isOpen) return opened.destroy();
        latest.current.onOpened(opened);
        close = () => {
          latest.current.onOpened(null);
          opened.destroy();
        };
      },
      (error: unknown) => {
        if (isOpen) latest.current.onFailed(error);
      },
    );
    return () => {
      isOpen = false;
      close();
    };
  }, []);
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- MapLibre's canvas within takes the focus */}
      <div
        ref={container}
        className={`${mapClasses["canvas"]} ${classes["canvas"]}`}
        role="application"
        aria-label="Map of rows"
        aria-describedby="rows-map-help"
        data-ready={canvas !== null}
        onKeyDown={(event) => {
          if (pressed(event, "map.cell") === null || !(event.target instanceof HTMLCanvasElement)) return;
          event.preventDefault();
          onEnter();
        }}
      />
      <i className={classes["cross"]} aria-hidden />
      {canvas === null && <MapLoading />}
      <p id="rows-map-help" className="visually-hidden">
        The cells with the highest values are also in the list. Arrow keys move the map, plus and minus zoom it, Enter selects the cell at
        its center.
      </p>
      {canvas && (
        <div className={`${mapClasses["tools"]} ${classes["tools"]}`}>
          <IconButton label="Fit to rows" className={mapClasses["tool"] ?? ""} onClick={onFit}>
            <IconFocusCentered size={16} aria-hidden />
          </IconButton>
        </div>
      )}
    </>
  );
}
