import type { Edges } from "#features/search/map/canvas/map-canvas.ts";

/** The least room in which a map can be read, in pixels. */
const least = 200;

/** Space between the tools and what is beside them. */
const besideTools = 8;

/**
 * How far the cards beside a map, and its tools, reach into it from its edges, in pixels. Cards that would leave no room are not counted, the layers
 * of a path before the details.
 */
export function coveredEdges(container: HTMLElement | null): Edges {
  const stage = container?.parentElement;
  if (!stage) return { left: 0, right: 0, bottom: 0 };
  const map = stage.getBoundingClientRect();
  let [left, right, bottom] = [0, 0, 0];
  for (const card of stage.querySelectorAll(":scope > section")) {
    const box = card.getBoundingClientRect();
    if (box.width > map.width * 0.75) bottom = Math.max(bottom, map.bottom - box.top);
    else if (box.left - map.left < map.right - box.right) left = Math.max(left, box.right - map.left);
    else right = Math.max(right, map.right - box.left);
  }
  const tools = stage.querySelector("[data-map-tools]")?.getBoundingClientRect();
  const toolsPx = tools === undefined || tools.width > map.width / 4 ? 0 : map.right - tools.left + besideTools;
  right = Math.max(right, toolsPx);
  if (map.width - left - right < least) right = toolsPx;
  if (map.width - left < least) left = 0;
  if (map.height - bottom < least) bottom = 0;
  return { left, right, bottom };
}
