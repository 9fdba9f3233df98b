/** Position and scale of a drawing: `screen = world * scale + offset`, in CSS pixels. */
export interface Viewport {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Bounds {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

const largestScale = 3;
const smallestScale = 0.05;
const paddingPx = 32;

/** Shows everything within the bounds, at most in its natural size. */
export function fitted({ left, top, right, bottom }: Bounds, { width, height }: Size): Viewport {
  const [spanX, spanY] = [Math.max(1, right - left), Math.max(1, bottom - top)];
  const scale = Math.min(1, Math.max(1, width - 2 * paddingPx) / spanX, Math.max(1, height - 2 * paddingPx) / spanY);
  return { scale, x: width / 2 - ((left + right) / 2) * scale, y: height / 2 - ((top + bottom) / 2) * scale };
}

export const panned = ({ scale, x, y }: Viewport, byX: number, byY: number): Viewport => ({ scale, x: x + byX, y: y + byY });

/** Zooms around a point of the screen. `smallest` allows for drawings that only fit at a smaller scale than usual. */
export function zoomed({ scale, x, y }: Viewport, factor: number, { x: atX, y: atY }: Point, smallest = smallestScale): Viewport {
  const next = Math.min(largestScale, Math.max(Math.min(smallest, smallestScale), scale * factor));
  const applied = next / scale;
  return { scale: next, x: atX - (atX - x) * applied, y: atY - (atY - y) * applied };
}

/** Moves the bounds into the middle unless they are in view and large enough to read. */
export function revealed(view: Viewport, bounds: Bounds, size: Size): Viewport {
  const scale = Math.max(view.scale, 0.4);
  const isShown =
    scale === view.scale &&
    bounds.left * scale + view.x >= 0 &&
    bounds.top * scale + view.y >= 0 &&
    bounds.right * scale + view.x <= size.width &&
    bounds.bottom * scale + view.y <= size.height;
  if (isShown) return view;
  return {
    scale,
    x: size.width / 2 - ((bounds.left + bounds.right) / 2) * scale,
    y: size.height / 2 - ((bounds.top + bounds.bottom) / 2) * scale,
  };
}

/** The part of the world that is shown. */
export const shownBounds = ({ scale, x, y }: Viewport, { width, height }: Size): Bounds => ({
  left: -x / scale,
  top: -y / scale,
  right: (width - x) / scale,
  bottom: (height - y) / scale,
});

export const toWorld = ({ scale, x, y }: Viewport, point: Point): Point => ({ x: (point.x - x) / scale, y: (point.y - y) / scale });

export const overlap = (a: Bounds, b: Bounds): boolean => a.left <= b.right && a.right >= b.left && a.top <= b.bottom && a.bottom >= b.top;
