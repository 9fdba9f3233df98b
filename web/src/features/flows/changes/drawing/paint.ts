import type { FlowDrawingState } from "@fairway/contract/flow-differences";
import { kindName, shortType } from "../component-text.ts";
import type { DrawnGroup, PlacedEdge, PlacedNode } from "./drawing-model.ts";
import type { Palette } from "./palette.ts";
import { type Bounds, overlap, shownBounds, type Size, type Viewport } from "./viewport.ts";

interface Picture {
  readonly group: DrawnGroup;
  readonly view: Viewport;
  readonly size: Size;
  readonly pixelRatio: number;
  readonly palette: Palette;
  readonly selectedId: string | null;
}

const drawnStates: readonly FlowDrawingState[] = ["same", "moved", "changed", "added", "removed"];
/** Below these scales, texts are too small to read. */
const nameScale = 0.3;
const detailScale = 0.5;
const markPx = 18;

/** Paints a group. Only what is in view costs time, and texts only where they can be read. */
export function paint(context: CanvasRenderingContext2D, picture: Picture): void {
  const { group, view, size, pixelRatio, palette, selectedId } = picture;
  context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
  context.fillStyle = palette.background;
  context.fillRect(0, 0, size.width, size.height);
  const shown = shownBounds(view, size);
  const nodes = group.nodes.filter((node) => overlap(node, shown));
  const edges = group.edges.filter((edge) => overlap(edge, shown));

  toWorldScale(context, picture);
  for (const node of nodes) if (node.kind === "label") paintNote(context, node, picture);
  for (const state of drawnStates) paintEdges(context, edges, state, picture);
  const boxes = nodes.filter(({ kind }) => kind !== "label");
  for (const state of drawnStates) paintBoxes(context, boxes, state, picture);
  if (view.scale >= nameScale) {
    for (const node of boxes) paintNames(context, node, picture);
  }
  if (view.scale >= detailScale) for (const edge of edges) paintEdgeName(context, edge, picture);

  context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
  for (const node of nodes) paintMark(context, node, picture);
  for (const edge of edges) paintEdgeMark(context, edge, picture);
  const selected =
    selectedId === null ? undefined : (nodes.find(({ id }) => id === selectedId) ?? edges.find(({ id }) => id === selectedId));
  if (selected) paintSelection(context, selected, picture);
}

function toWorldScale(context: CanvasRenderingContext2D, { view, pixelRatio }: Picture): void {
  const scale = view.scale * pixelRatio;
  context.setTransform(scale, 0, 0, scale, view.x * pixelRatio, view.y * pixelRatio);
}

/** One path for all lines of a state. */
function paintEdges(context: CanvasRenderingContext2D, edges: readonly PlacedEdge[], state: FlowDrawingState, { view, palette }: Picture) {
  const own = edges.filter((edge) => edge.state === state);
  if (own.length === 0) return;
  const width = (state === "same" ? 1.25 : 2.5) / view.scale;
  context.strokeStyle = palette.states[state].line;
  context.fillStyle = palette.states[state].line;
  context.lineWidth = width;
  context.lineJoin = "round";
  context.setLineDash(state === "removed" ? [6 / view.scale, 4 / view.scale] : []);
  context.beginPath();
  for (const { points } of own) points.forEach(({ x, y }, index) => (index === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
  context.stroke();
  context.setLineDash([]);
  if (view.scale < 0.12) return;
  const head = Math.min(16, 9 / view.scale);
  context.beginPath();
  for (const { points } of own) {
    const [before, end] = [points.at(-2), points.at(-1)];
    if (!before || !end) continue;
    const angle = Math.atan2(end.y - before.y, end.x - before.x);
    context.moveTo(end.x, end.y);
    context.lineTo(end.x - head * Math.cos(angle - 0.4), end.y - head * Math.sin(angle - 0.4));
    context.lineTo(end.x - head * Math.cos(angle + 0.4), end.y - head * Math.sin(angle + 0.4));
  }
  context.fill();
}

function paintBoxes(context: CanvasRenderingContext2D, nodes: readonly PlacedNode[], state: FlowDrawingState, { view, palette }: Picture) {
  const own = nodes.filter((node) => node.state === state);
  if (own.length === 0) return;
  context.fillStyle = palette.states[state].fill;
  context.strokeStyle = palette.states[state].line;
  context.lineWidth = (state === "same" ? 1 : 2) / view.scale;
  context.setLineDash(state === "removed" ? [6 / view.scale, 4 / view.scale] : []);
  context.beginPath();
  for (const node of own) {
    const radius = node.kind === "funnel" || node.kind.endsWith("-port") ? node.height / 2 : 6;
    if (view.scale < nameScale) context.rect(node.x, node.y, node.width, node.height);
    else context.roundRect(node.x, node.y, node.width, node.height, radius);
  }
  context.fill();
  context.stroke();
  context.setLineDash([]);
  const groups = own.filter(({ kind }) => kind === "process-group" || kind === "remote-process-group");
  if (groups.length === 0) return;
  // A group is a box with a second line under its name.
  context.beginPath();
  for (const { x, y, width } of groups) {
    context.moveTo(x, y + 56);
    context.lineTo(x + width, y + 56);
  }
  context.stroke();
}

interface CutTexts {
  readonly font: string;
  readonly name: string;
  readonly detail: string;
}
/** Measuring texts is slow, and their boxes never change. */
const cutTexts = new WeakMap<PlacedNode, CutTexts>();
const nameFont = (font: string) => `600 22px ${font}`;
const detailFont = (font: string) => `400 18px ${font}`;

function textsOf(context: CanvasRenderingContext2D, node: PlacedNode, font: string): CutTexts {
  const known = cutTexts.get(node);
  if (known?.font === font) return known;
  const room = node.width - 32;
  const texts: CutTexts = {
    font,
    // Of a note the first line, in the smaller font.
    name: cutToWidth(context, node.name.split("\n", 1)[0] ?? "", node.kind === "label" ? detailFont(font) : nameFont(font), room),
    detail: cutToWidth(context, shortType(node.type) || kindName(node.kind), detailFont(font), room),
  };
  cutTexts.set(node, texts);
  return texts;
}

function cutToWidth(context: CanvasRenderingContext2D, text: string, font: string, width: number): string {
  context.font = font;
  if (context.measureText(text).width <= width) return text;
  let [from, to] = [0, text.length];
  while (from < to) {
    const middle = Math.ceil((from + to) / 2);
    if (context.measureText(`${text.slice(0, middle)}…`).width <= width) from = middle;
    else to = middle - 1;
  }
  return `${text.slice(0, from)}…`;
}

function paintNames(context: CanvasRenderingContext2D, node: PlacedNode, { view, palette }: Picture): void {
  if (node.kind === "funnel") return;
  const { name, detail } = textsOf(context, node, palette.font);
  const hasDetail = view.scale >= detailScale && node.height >= 80;
  context.textBaseline = "middle";
  context.fillStyle = palette.text;
  context.font = nameFont(palette.font);
  context.fillText(name, node.x + 16, node.height < 80 ? node.y + node.height / 2 : node.y + 30);
  if (!hasDetail) return;
  context.fillStyle = palette.mutedText;
  context.font = detailFont(palette.font);
  context.fillText(detail, node.x + 16, node.y + 82);
}

function paintNote(context: CanvasRenderingContext2D, node: PlacedNode, { view, palette }: Picture): void {
  context.fillStyle = palette.note;
  context.strokeStyle = palette.states[node.state].line;
  context.lineWidth = (node.state === "same" ? 1 : 2) / view.scale;
  context.beginPath();
  context.rect(node.x, node.y, node.width, node.height);
  context.fill();
  context.stroke();
  if (view.scale < nameScale) return;
  context.fillStyle = palette.text;
  context.textBaseline = "middle";
  const { name } = textsOf(context, node, palette.font);
  context.font = detailFont(palette.font);
  context.fillText(name, node.x + 12, node.y + 20);
}

function paintEdgeName(context: CanvasRenderingContext2D, { points, name }: PlacedEdge, { palette }: Picture): void {
  if (name === "") return;
  const middle = middleOf(points);
  context.font = detailFont(palette.font);
  context.textBaseline = "middle";
  const text = name.length > 40 ? `${name.slice(0, 40)}…` : name;
  const width = context.measureText(text).width;
  context.fillStyle = palette.background;
  context.fillRect(middle.x - width / 2 - 6, middle.y - 13, width + 12, 26);
  context.fillStyle = palette.mutedText;
  context.fillText(text, middle.x - width / 2, middle.y);
}

function middleOf(points: PlacedEdge["points"]): { x: number; y: number } {
  const at = (points.length - 1) / 2;
  const [a, b] = [points[Math.floor(at)], points[Math.ceil(at)]];
  return a && b ? { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 } : { x: 0, y: 0 };
}

function paintMark(context: CanvasRenderingContext2D, node: PlacedNode, { view, palette }: Picture): void {
  const x = node.right * view.scale + view.x;
  const y = node.top * view.scale + view.y;
  if (node.state !== "same") paintSign(context, x, y, node.state, palette);
  else if (node.hasChangesInside) paintInside(context, x, y, palette);
}

function paintEdgeMark(context: CanvasRenderingContext2D, { state, points, name }: PlacedEdge, { view, palette }: Picture): void {
  if (state === "same" || view.scale < 0.12) return;
  const { x, y } = middleOf(points);
  // Above the name.
  const gap = name !== "" && view.scale >= detailScale ? 13 * view.scale + markPx / 2 : 0;
  paintSign(context, x * view.scale + view.x, y * view.scale + view.y - gap, state, palette);
}

/** A round mark with the sign of the state, in the same size at every scale. */
function paintSign(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  state: Exclude<FlowDrawingState, "same">,
  { states, background }: Palette,
): void {
  context.beginPath();
  context.arc(x, y, markPx / 2, 0, 2 * Math.PI);
  context.fillStyle = states[state].line;
  context.fill();
  context.strokeStyle = background;
  context.lineWidth = 1.5;
  context.stroke();
  context.strokeStyle = states[state].sign;
  context.lineWidth = 2;
  context.beginPath();
  for (const [fromX, fromY, toX, toY] of signs[state]) {
    context.moveTo(x + fromX, y + fromY);
    context.lineTo(x + toX, y + toY);
  }
  context.stroke();
}

/** Lines of a plus, a minus, a delta and an arrow. */
const signs: Record<Exclude<FlowDrawingState, "same">, readonly (readonly [number, number, number, number])[]> = {
  added: [
    [-4.5, 0, 4.5, 0],
    [0, -4.5, 0, 4.5],
  ],
  removed: [[-4.5, 0, 4.5, 0]],
  changed: [
    [-4, 3.5, 0, -4],
    [0, -4, 4, 3.5],
    [4.5, 3.5, -4.5, 3.5],
  ],
  moved: [
    [-5, 0, 4, 0],
    [1, -3.5, 4.5, 0],
    [1, 3.5, 4.5, 0],
  ],
};

/** A ring with a dot: something in the group changed. */
function paintInside(context: CanvasRenderingContext2D, x: number, y: number, { states, background }: Palette): void {
  context.beginPath();
  context.arc(x, y, markPx / 2 - 1, 0, 2 * Math.PI);
  context.fillStyle = background;
  context.fill();
  context.strokeStyle = states.changed.line;
  context.lineWidth = 2;
  context.stroke();
  context.beginPath();
  context.arc(x, y, 3, 0, 2 * Math.PI);
  context.fillStyle = states.changed.line;
  context.fill();
}

function paintSelection(context: CanvasRenderingContext2D, part: Bounds, { view, palette }: Picture): void {
  const gap = 5;
  context.strokeStyle = palette.focus;
  context.lineWidth = 3;
  context.beginPath();
  context.roundRect(
    part.left * view.scale + view.x - gap,
    part.top * view.scale + view.y - gap,
    (part.right - part.left) * view.scale + 2 * gap,
    (part.bottom - part.top) * view.scale + 2 * gap,
    8,
  );
  context.stroke();
}
