import {
  type FlowComponentKind,
  type FlowDrawingState,
  type FlowEdge,
  type FlowGroupDrawing,
  type FlowNode,
  flowNameCharacters,
} from "@fairway/contract/flow-differences";
import type { FlowDifferences } from "./compare-flows.ts";
import { categoryOfChange } from "./describe-change.ts";
import type { ComponentFlow, FlowComponent } from "./flow-model.ts";
import { groupBy, isReference } from "./match-components.ts";
import { refOf, shownName } from "./name-component.ts";
import { cut } from "./shown-text.ts";

/** As on NiFi's canvas; labels have their own sizes. */
const sizes: Partial<Record<FlowComponentKind, readonly [width: number, height: number]>> = {
  processor: [352, 128],
  "process-group": [384, 176],
  "remote-process-group": [384, 176],
  "input-port": [240, 48],
  "output-port": [240, 48],
  funnel: [48, 48],
  label: [148, 148],
};

/** Both flows in one drawing for each process group, the outermost first. What was removed is where it was. */
export function drawComparison(differences: FlowDifferences): FlowGroupDrawing[] {
  const { before, after } = differences;
  const states = statesOf(differences);
  const changed = groupsWithChanges(differences);
  const inAfter = groupBy([...after.components.values()], ({ parentId }) => parentId);
  const left = groupBy(
    [...before.components.values()].filter((one) => after.components.get(one.id)?.parentId !== one.parentId),
    ({ parentId }) => parentId,
  );
  const removed = [...before.components.values()].filter(({ id }) => !after.components.has(id));
  const groups = [...after.components.values(), ...removed].filter(({ kind }) => kind === "process-group");
  return groups.map((group) => {
    const present = inAfter.get(group.id) ?? [];
    const gone = left.get(group.id) ?? [];
    const nodes = [
      ...present.flatMap((one) => drawNode(one, after, states.get(one.id) ?? "same")),
      ...gone.flatMap((one) => drawNode(one, before, "removed")),
    ];
    const drawn = new Set(nodes.map(({ id }) => id));
    const edges = [
      ...present.flatMap((one) => drawEdge(one, { flow: after, drawn, state: states.get(one.id) ?? "same" })),
      ...gone.flatMap((one) => drawEdge(one, { flow: before, drawn, state: "removed" })),
    ];
    return {
      id: group.id,
      name: cut(group.name, flowNameCharacters),
      parentId: group.parentId,
      state: states.get(group.id) ?? "same",
      hasChanges: changed.has(group.id),
      nodes,
      edges,
    };
  });
}

/** Of components that differ in what they do. */
function statesOf({ changes }: FlowDifferences): Map<string, FlowDrawingState> {
  const states = new Map<string, FlowDrawingState>();
  for (const change of changes) {
    if (categoryOfChange(change) !== "behavior") continue;
    const { id } = "after" in change ? change.after : change.before;
    const state = change.kind === "renamed" ? "changed" : change.kind;
    if (states.get(id) !== "moved") states.set(id, state);
  }
  return states;
}

/** Ids of process groups in which, or below which, something differs. */
function groupsWithChanges({ before, after, changes }: FlowDifferences): Set<string> {
  const changed = new Set<string>();
  const mark = (component: FlowComponent, flow: ComponentFlow) => {
    for (let one: FlowComponent | undefined = component; one && !changed.has(one.id);) {
      changed.add(one.id);
      one = one.parentId === null ? undefined : flow.components.get(one.parentId);
    }
  };
  for (const change of changes) {
    if (categoryOfChange(change) !== "behavior") continue;
    if ("after" in change) mark(change.after, after);
    if ("before" in change) mark(change.before, before);
  }
  return changed;
}

function drawNode(component: FlowComponent, flow: ComponentFlow, state: FlowDrawingState): FlowNode[] {
  const size = sizes[component.kind];
  if (size === undefined) return [];
  const { id, kind, name, type } = refOf(component, flow);
  const [{ x, y } = { x: 0, y: 0 }] = pointsOf(component, "position");
  const [width, height] = kind === "label" ? [lengthOf(component, "width", size[0]), lengthOf(component, "height", size[1])] : size;
  return [{ id, kind, name, type, x, y, width, height, state }];
}

function drawEdge(
  component: FlowComponent,
  { flow, drawn, state }: { flow: ComponentFlow; drawn: ReadonlySet<string>; state: FlowDrawingState },
): FlowEdge[] {
  if (component.kind !== "connection") return [];
  const [from, to] = [nodeAt(component, "source", flow), nodeAt(component, "destination", flow)];
  // A connection that leads to nothing cannot be drawn; the checks report it.
  if (from === undefined || to === undefined || !drawn.has(from) || !drawn.has(to)) return [];
  const name = cut(shownName(component), flowNameCharacters);
  return [{ id: component.id, from, to, name, bends: pointsOf(component, "bends").slice(0, 100), state }];
}

/** The node that represents an end of a connection in the group of the connection. */
function nodeAt({ parentId, fields }: FlowComponent, end: "source" | "destination", flow: ComponentFlow): string | undefined {
  const value = fields.get(end);
  let one = isReference(value) ? flow.components.get(value.referenceTo) : undefined;
  while (one && one.parentId !== parentId) one = one.parentId === null ? undefined : flow.components.get(one.parentId);
  return one?.id;
}

const farthest = 1_000_000;
const within = (value: number): number => Math.min(farthest, Math.max(-farthest, value));

/** Positions are stored as "1, 2; 3, 4". */
function pointsOf({ fields }: FlowComponent, field: string): { x: number; y: number }[] {
  const text = fields.get(field);
  if (typeof text !== "string") return [];
  return text.split("; ").map((point) => {
    const [x = 0, y = 0] = point.split(", ").map(Number);
    return { x: within(x), y: within(y) };
  });
}

function lengthOf({ fields }: FlowComponent, field: string, fallback: number): number {
  const length = Number(fields.get(field) ?? fallback);
  return Number.isFinite(length) ? Math.min(10_000, Math.max(10, length)) : fallback;
}
