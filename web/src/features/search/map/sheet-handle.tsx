import { useRef } from "react";
import classes from "./frame/map.module.css";

/** How far a drag must go, in pixels. */
const dragPixels = 24;

interface Props {
  isExpanded: boolean;
  onExpand: (isExpanded: boolean) => void;
  onClose: () => void;
}

/** The handle of a bottom sheet: dragged up or pressed it expands the sheet, dragged down it shrinks and then closes it. */
export function SheetHandle({ isExpanded, onExpand, onClose }: Props) {
  const start = useRef<number | null>(null);
  const hasDragged = useRef(false);
  return (
    <button
      type="button"
      className={classes["handle"]}
      aria-label={isExpanded ? "Shrink details" : "Expand details"}
      onPointerDown={(event) => {
        start.current = event.clientY;
        hasDragged.current = false;
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerUp={(event) => {
        const moved = start.current === null ? 0 : event.clientY - start.current;
        start.current = null;
        hasDragged.current = Math.abs(moved) >= dragPixels;
        if (moved <= -dragPixels) onExpand(true);
        else if (moved >= dragPixels) {
          if (isExpanded) onExpand(false);
          else onClose();
        }
      }}
      onClick={() => {
        if (!hasDragged.current) onExpand(!isExpanded);
        hasDragged.current = false;
      }}
    />
  );
}
