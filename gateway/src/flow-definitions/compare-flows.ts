import { alignFormats, areAlike } from "./align-formats.ts";
import { type ComponentChange, type ComponentFlow, type FlowComponent, type FlowValue, typeField } from "./flow-model.ts";
import { type Matches, groupBy, isReference, matchComponents } from "./match-components.ts";

/** Both flows with one set of ids, and every difference between them. */
export interface FlowDifferences {
  readonly before: ComponentFlow;
  /** With the ids of the older flow for everything that is in both. */
  readonly after: ComponentFlow;
  /** Ordered by process group, from the outside in. */
  readonly changes: readonly ComponentChange[];
}

export function compareFlows(before: ComponentFlow, after: ComponentFlow): FlowDifferences {
  const isSameFormat = before.format === after.format;
  const [older, newer] = isSameFormat ? [before, after] : alignFormats(before, after);
  const aligned = alignFlow(newer, { before: older, matches: matchComponents(older, newer) });
  const changes: ComponentChange[] = [];
  for (const one of aligned.components.values()) {
    const other = older.components.get(one.id);
    if (other) changes.push(...changesOf(other, one, isSameFormat ? areEqual : isSameInFormats));
    else changes.push({ kind: "added", after: one });
  }
  for (const one of older.components.values()) if (!aligned.components.has(one.id)) changes.push({ kind: "removed", before: one });
  return { before: older, after: aligned, changes: inOrder(changes, { before: older, after: aligned }) };
}

type Equality = (one: FlowValue | undefined, other: FlowValue | undefined, field: string) => boolean;

const isSameInFormats: Equality = (one, other, field) => areEqual(one, other) || areAlike(field, one, other);

function changesOf(before: FlowComponent, after: FlowComponent, isSame: Equality): ComponentChange[] {
  const both = { before, after };
  const fields = new Set([...before.fields.keys(), ...after.fields.keys()]);
  const changed = [...fields].filter((field) => !isSame(before.fields.get(field), after.fields.get(field), field));
  return [
    ...(before.name === after.name ? [] : [{ kind: "renamed" as const, ...both }]),
    ...(before.parentId === after.parentId ? [] : [{ kind: "moved" as const, ...both }]),
    ...(before.type === after.type ? [] : [{ kind: "changed" as const, field: typeField, ...both }]),
    ...changed.map((field): ComponentChange => ({ kind: "changed", field, before, after })),
  ];
}

export function areEqual(one: FlowValue | undefined, other: FlowValue | undefined): boolean {
  if (typeof one !== "object" || typeof other !== "object") return one === other;
  if (isReference(one) || isReference(other)) return isReference(one) && isReference(other) && one.referenceTo === other.referenceTo;
  return one.fingerprint === other.fingerprint;
}

/** Gives components the ids of those that they match, and new ids to others if theirs are taken. */
function alignFlow(flow: ComponentFlow, { before, matches }: { before: ComponentFlow; matches: Matches }): ComponentFlow {
  const isAligned = [...flow.components.keys()].every((id) => (matches.get(id) ?? (before.components.has(id) ? undefined : id)) === id);
  if (isAligned) return flow;
  const ids = new Map(matches);
  const taken = new Set([...before.components.keys(), ...flow.components.keys()]);
  for (const id of flow.components.keys()) {
    if (ids.has(id)) continue;
    let free = id;
    for (let number = 2; before.components.has(free) || (free !== id && taken.has(free)); number += 1) free = `${id}~${number}`;
    taken.add(free);
    ids.set(id, free);
  }
  const idOf = (id: string) => ids.get(id) ?? id;
  const alignValue = (value: FlowValue): FlowValue => (isReference(value) ? { ...value, referenceTo: idOf(value.referenceTo) } : value);
  const components = Array.from(flow.components.values(), (one): [string, FlowComponent] => {
    const fields = new Map(Array.from(one.fields, ([field, value]) => [field, alignValue(value)]));
    const id = idOf(one.id);
    return [id, { ...one, id, parentId: one.parentId === null ? null : idOf(one.parentId), fields }];
  });
  return { ...flow, components: new Map(components), rootId: idOf(flow.rootId) };
}

/** Changes of a group precede those of its components; components of one flow alone follow their parent. */
function inOrder(changes: readonly ComponentChange[], flows: { before: ComponentFlow; after: ComponentFlow }): ComponentChange[] {
  const indexes = new Map<string, number>();
  const components = [...flows.after.components.values(), ...flows.before.components.values()];
  const children = groupBy(components, ({ parentId }) => parentId);
  const waiting = (children.get(null) ?? []).toReversed();
  for (let one = waiting.pop(); one; one = waiting.pop()) {
    if (indexes.has(one.id)) continue;
    indexes.set(one.id, indexes.size);
    waiting.push(...(children.get(one.id) ?? []).toReversed());
  }
  const indexOf = (change: ComponentChange) => indexes.get(("after" in change ? change.after : change.before).id) ?? indexes.size;
  return changes.toSorted((one, other) => indexOf(one) - indexOf(other));
}
