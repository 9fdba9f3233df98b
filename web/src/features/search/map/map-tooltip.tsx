import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import type { Picked } from "#features/search/map/canvas/map-canvas.ts";
import { debounce } from "#lib/debounce.ts";
import { tooltipLingerMs } from "./delays.ts";
import classes from "./map-view.module.css";

/** What the mouse rests on. It stays for 750 ms after the mouse has left, so that a thin line can be read. */
export function useMapTooltip(): [Picked | null, (picked: Picked | null) => void] {
  const [shown, setShown] = useState<Picked | null>(null);
  const [linger] = useState(() => debounce(tooltipLingerMs));
  useEffect(() => linger.cancel, [linger]);
  const point = useCallback(
    (picked: Picked | null) => {
      if (picked === null) {
        // The mouse goes on moving beside the path: that is no new reason to stay.
        if (!linger.isPending()) linger.schedule(() => setShown(null));
        return;
      }
      linger.cancel();
      setShown((now) => (now && samePlace(now, picked) ? now : picked));
    },
    [linger],
  );
  return [shown, point];
}

const samePlace = (one: Picked, other: Picked): boolean =>
  one.kind === other.kind &&
  one.id === other.id &&
  one.x === other.x &&
  one.y === other.y &&
  (one.kind === "item" || (other.kind === "point" && one.index === other.index));

/** Beside its place, on the side where there is room. */
export function MapTooltip({ at: { x, y }, children }: { at: Picked; children: ReactNode }) {
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
