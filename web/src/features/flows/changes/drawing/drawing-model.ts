import type { FlowDrawing, FlowDrawingState, FlowEdge, FlowGroupDrawing, FlowNode } from "@fairway/contract/flow-differences";
import { compareNames } from "@fairway/contract/name-order";
import type { Bounds, Point } from "./viewport.ts";

export interface PlacedNode extends FlowNode, Bounds {
  /** Of a process group: whether something in it or below it changed. */
  readonly hasChangesInside: boolean;
}

export interface PlacedEdge extends FlowEdge, Bounds {
  /** From the border of one node over the bends to that of the other. */
  readonly points: readonly Point[];
  /** Name in lists. */
  readonly title: string;
}

/** A component that can be selected. */
export type DrawnItem = ({ readonly shape: "node" } & PlacedNode) | ({ readonly shape: "edge" } & PlacedEdge);

/** One process group, ready to be painted. */
export interface DrawnGroup {
  readonly id: string;
  readonly name: string;
  readonly state: FlowDrawingState;
  /** From the outermost group to this one. */
  readonly path: readonly { readonly id: string; readonly name: string }[];
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
  /** Changed ones first, then by name. */
  readonly items: readonly DrawnItem[];
  readonly bounds: Bounds;
}

export type DrawnGroups = FlowDrawing & { outcome: "drawn" };

const order: Record<FlowDrawingState, number> = { removed: 0, added: 0, changed: 0, moved: 0, same: 1 };

const isChanged = (item: DrawnItem): boolean => item.state !== "same" || (item.shape === "node" && item.hasChangesInside);

/** Places everything in a group. */
export function drawnGroup({ groups }: DrawnGroups, group: FlowGroupDrawing): DrawnGroup {
  const byId = new Map(groups.map((one) => [one.id, one]));
  const nodes = group.nodes.map((node): PlacedNode => ({
    ...node,
    left: node.x,
    top: node.y,
    right: node.x + node.width,
    bottom: node.y + node.height,
    hasChangesInside: node.kind === "process-group" && (byId.get(node.id)?.hasChanges ?? false),
  }));
  const nodesById = new Map(nodes.map((node) => [node.id, node]));
  const asides = asidesOf(group.edges);
  const edges = group.edges.flatMap((edge) => {
    const [from, to] = [nodesById.get(edge.from), nodesById.get(edge.to)];
    return from && to ? [placedEdge(edge, from, to, asides.get(edge) ?? 0)] : [];
  });
  const items: DrawnItem[] = [
    ...nodes.map((node) => ({ shape: "node" as const, ...node })),
    ...edges.map((edge) => ({ shape: "edge" as const, ...edge })),
  ];
  items.sort((a, b) => rankOf(a) - rankOf(b) || compareNames(titleOf(a), titleOf(b)));
  return {
    id: group.id,
    name: group.name,
    state: group.state,
    path: pathOf(group, byId),
    nodes,
    edges,
    items,
    bounds: boundsOf([...nodes, ...edges]),
  };
}

const rankOf = (item: DrawnItem): number => (isChanged(item) ? 0 : order[item.state]) * 2 + (item.shape === "edge" ? 1 : 0);
const titleOf = (item: DrawnItem): string => (item.shape === "edge" ? item.title : item.name);

/** Broken parents, as of a hostile content, end the path. */
function pathOf(group: FlowGroupDrawing, byId: ReadonlyMap<string, FlowGroupDrawing>): DrawnGroup["path"] {
  const path: { id: string; name: string }[] = [];
  const seen = new Set<string>();
  for (let one: FlowGroupDrawing | undefined = group; one && !seen.has(one.id);) {
    seen.add(one.id);
    path.unshift({ id: one.id, name: one.name || "Flow" });
    one = one.parentId === null ? undefined : byId.get(one.parentId);
  }
  return path;
}

function boundsOf(parts: readonly Bounds[]): Bounds {
  const bounds = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const part of parts) {
    bounds.left = Math.min(bounds.left, part.left);
    bounds.top = Math.min(bounds.top, part.top);
    bounds.right = Math.max(bounds.right, part.right);
    bounds.bottom = Math.max(bounds.bottom, part.bottom);
  }
  return parts.length === 0 ? { left: 0, top: 0, right: 1, bottom: 1 } : bounds;
}

const centerOf = ({ left, top, right, bottom }: Bounds): Point => ({ x: (left + right) / 2, y: (top + bottom) / 2 });

const asideStep = 80;

/** How far the middles of straight lines between the same two nodes leave the straight line, so that they do not cover each other. */
function asidesOf(edges: readonly FlowEdge[]): ReadonlyMap<FlowEdge, number> {
  const byEnds = new Map<string, FlowEdge[]>();
  for (const edge of edges) {
    if (edge.bends.length > 0) continue;
    const ends = JSON.stringify(edge.from <= edge.to ? [edge.from, edge.to] : [edge.to, edge.from]);
    const same = byEnds.get(ends);
    if (same) same.push(edge);
    else byEnds.set(ends, [edge]);
  }
  const asides = new Map<FlowEdge, number>();
  for (const same of byEnds.values()) {
    for (const [index, edge] of same.entries()) {
      asides.set(edge, (index - (same.length - 1) / 2) * asideStep * (edge.from <= edge.to ? 1 : -1));
    }
  }
  return asides;
}

function bendsOf(edge: FlowEdge, from: PlacedNode, to: PlacedNode, aside: number): readonly Point[] {
  if (edge.bends.length > 0) return edge.bends;
  // A loop without bends would be hidden by its node.
  if (from === to) {
    const x = from.right + 60 + Math.abs(aside);
    return [
      { x, y: from.top + 20 },
      { x, y: from.bottom - 20 },
    ];
  }
  if (aside === 0) return [];
  const [start, end] = [centerOf(from), centerOf(to)];
  const length = Math.hypot(end.x - start.x, end.y - start.y) || 1;
  const middle = { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 };
  return [{ x: middle.x - ((end.y - start.y) / length) * aside, y: middle.y + ((end.x - start.x) / length) * aside }];
}

function placedEdge(edge: FlowEdge, from: PlacedNode, to: PlacedNode, aside: number): PlacedEdge {
  const bends = bendsOf(edge, from, to, aside);
  const start = borderPoint(from, bends[0] ?? centerOf(to));
  const end = borderPoint(to, bends.at(-1) ?? centerOf(from));
  const points = [start, ...bends, end];
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  return {
    ...edge,
    points,
    title: edgeTitle(edge, from, to),
    left: Math.min(...xs),
    top: Math.min(...ys),
    right: Math.max(...xs),
    bottom: Math.max(...ys),
  };
}

type Named = Pick<FlowNode, "name">;

/** Name of a connection in lists. */
export const edgeTitle = ({ name }: Named, from: Named | undefined, to: Named | undefined): string =>
  `${name === "" ? "" : `${name}, `}${from?.name || "unnamed"} to ${to?.name || "unnamed"}`;

/** Point at which the line from the middle of the box to another point leaves the box. */
function borderPoint(box: Bounds, towards: Point): Point {
  const center = centerOf(box);
  const [dx, dy] = [towards.x - center.x, towards.y - center.y];
  const [halfWidth, halfHeight] = [(box.right - box.left) / 2, (box.bottom - box.top) / 2];
  const share = Math.min(dx === 0 ? Infinity : halfWidth / Math.abs(dx), dy === 0 ? Infinity : halfHeight / Math.abs(dy));
  if (!Number.isFinite(share) || share >= 1) return center;
  return { x: center.x + dx * share, y: center.y + dy * share };
}

/** The item at a point: the topmost node, or a line within `reach`. */
export function itemAt(group: DrawnGroup, { x, y }: Point, reach: number): DrawnItem | undefined {
  const node = group.nodes.findLast((one) => x >= one.left && x <= one.right && y >= one.top && y <= one.bottom);
  // A note lies under the lines.
  if (node && node.kind !== "label") return { shape: "node", ...node };
  let nearest: { edge: PlacedEdge; distance: number } | undefined;
  for (const edge of group.edges) {
    if (x < edge.left - reach || x > edge.right + reach || y < edge.top - reach || y > edge.bottom + reach) continue;
    const distance = distanceTo(edge.points, { x, y });
    if (distance <= reach && distance < (nearest?.distance ?? Infinity)) nearest = { edge, distance };
  }
  if (nearest) return { shape: "edge", ...nearest.edge };
  return node && { shape: "node", ...node };
}

function distanceTo(points: readonly Point[], { x, y }: Point): number {
  let nearest = Infinity;
  points.slice(1).forEach((to, index) => {
    const from = points[index] ?? to;
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const length = dx * dx + dy * dy;
    const share = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - from.x) * dx + (y - from.y) * dy) / length));
    nearest = Math.min(nearest, Math.hypot(x - from.x - share * dx, y - from.y - share * dy));
  });
  return nearest;
}

/** The ids of all changed components, group by group in the order of their lists, for stepping through them. */
export const changedItems = (groups: readonly DrawnGroup[]): { readonly groupId: string; readonly itemId: string }[] =>
  groups.flatMap(({ id, items }) => items.filter(({ state }) => state !== "same").map((item) => ({ groupId: id, itemId: item.id })));
