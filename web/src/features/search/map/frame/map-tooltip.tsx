import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import type { Picked } from "#features/search/map/canvas/map-canvas.ts";
import { debounce } from "#lib/pacing/debounce.ts";
import { tooltipLingerMs } from "./delays.ts";
import classes from "./map.module.css";

/** The hovered item or point. It lingers for 750 ms after the mouse has left, so that thin lines are readable. */
export function useMapTooltip(): [Picked | null, (picked: Picked | null) => void] {
  const [shown, setShown] = useState<Picked | null>(null);
  const [linger] = useState(() => debounce(tooltipLingerMs));
  useEffect(() => linger.cancel, [linger]);
  const hover = useCallback(
    (picked: Picked | null) => {
      if (picked === null) {
        // Moving beside the path must not restart the delay.
        if (!linger.isPending()) linger.schedule(() => setShown(null));
        return;
      }
      linger.cancel();
      setShown((current) => (current && isSamePick(current, picked) ? current : picked));
    },
    [linger],
  );
  return [shown, hover];
}

const isSamePick = (a: Picked, b: Picked): boolean =>
  a.kind === b.kind && a.id === b.id && a.x === b.x && a.y === b.y && (a.kind === "item" || (b.kind === "point" && a.index === b.index));

/** Positioned beside the point, on the side with enough space. */
export function MapTooltip({ at: { x, y }, children }: { at: Pick<Picked, "x" | "y">; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const [side, setSide] = useState({ left: false, up: false });
  useEffect(() => {
    const map = box.current?.parentElement;
    if (map) setSide({ left: x > map.clientWidth - 300, up: y > map.clientHeight - 140 });
  }, [x, y]);
  return (
    <div ref={box} role="tooltip" className={classes["tooltip"]} style={{ left: x, top: y }} data-left={side.left} data-up={side.up}>
      {children}
    </div>
  );
}
