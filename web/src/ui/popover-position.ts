export type Side = "top" | "bottom" | "right" | "right-start" | "right-end";

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

const gap = 8;
const edge = 4;

/** The position of a floating box next to its target: on the preferred side or the opposite one, within the window. */
export function popoverPosition(
  target: Box,
  box: Pick<Box, "width" | "height">,
  side: Side,
  window: { width: number; height: number },
): { left: number; top: number } {
  const right = target.left + target.width + gap;
  const below = target.top + target.height + gap;
  if (side === "top" || side === "bottom") {
    const above = target.top - gap - box.height;
    const fitsBelow = below + box.height <= window.height - edge;
    const top = side === "bottom" ? (fitsBelow || above < edge ? below : above) : above >= edge ? above : below;
    return {
      left: clamp(target.left + target.width / 2 - box.width / 2, box.width, window.width),
      top: clamp(top, box.height, window.height),
    };
  }
  const left = right + box.width <= window.width - edge ? right : target.left - gap - box.width;
  const top = {
    right: target.top + target.height / 2 - box.height / 2,
    "right-start": target.top,
    "right-end": target.top + target.height - box.height,
  }[side];
  return { left: clamp(left, box.width, window.width), top: clamp(top, box.height, window.height) };
}

const clamp = (position: number, size: number, available: number): number =>
  Math.round(Math.max(edge, Math.min(position, available - size - edge)));
