import type { PointerEvent } from "react";
import classes from "./kit.module.css";

interface Props {
  widthPx: number;
  /** Undefined fits the width to what the column holds. */
  onResize: (px: number | undefined) => void;
}

/** The edge of a header, by which the pointer resizes the column. The keyboard does from the header: Shift+Left and Shift+Right. */
export function ColumnEdge({ widthPx, onResize }: Props) {
  return (
    <span
      aria-hidden
      className={classes["edge"]}
      onPointerDown={(event) => dragWidth(event, widthPx, onResize)}
      onDoubleClick={() => onResize(undefined)}
    />
  );
}

/** The pointer is captured, so that a drag goes on outside of the header. */
function dragWidth({ currentTarget, clientX, pointerId }: PointerEvent, widthPx: number, onWidth: (px: number) => void): void {
  const drag = (event: Event) => {
    if (event instanceof globalThis.PointerEvent) onWidth(widthPx + event.clientX - clientX);
  };
  const drop = new AbortController();
  currentTarget.setPointerCapture(pointerId);
  currentTarget.addEventListener("pointermove", drag, { signal: drop.signal });
  currentTarget.addEventListener("lostpointercapture", () => drop.abort(), { signal: drop.signal });
}
