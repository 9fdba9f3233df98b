export type Side = "top" | "bottom" | "right" | "right-start" | "right-end";

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

const gap = 8;
const edge = 4;

/** Where a floating box goes beside its target: on the wanted side, else on the opposite one, and never over the window's edge. */
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
      left: within(target.left + target.width / 2 - box.width / 2, box.width, window.width),
      top: within(top, box.height, window.height),
    };
  }
  const left = right + box.width <= window.width - edge ? right : target.left - gap - box.width;
  const top = {
    right: target.top + target.height / 2 - box.height / 2,
    "right-start": target.top,
    "right-end": target.top + target.height - box.height,
  }[side];
  return { left: within(left, box.width, window.width), top: within(top, box.height, window.height) };
}

const within = (at: number, size: number, room: number): number => Math.round(Math.max(edge, Math.min(at, room - size - edge)));
