import type { FlowChange, FlowComponentRef } from "@fairway/contract/flow-differences";
import { groupHeading } from "./component-text.ts";

export type ChangeKind = FlowChange["kind"];

/** The changes of one component. */
export interface ChangeCard {
  readonly key: string;
  readonly component: FlowComponentRef;
  /** The heading above the first card of a process group; null above the others. */
  readonly heading: string | null;
  /** Change of the component as a whole. */
  readonly kind: ChangeKind;
  readonly changes: readonly FlowChange[];
  /** Position of the first change among all that are shown. */
  readonly firstChange: number;
}

const precedence: readonly ChangeKind[] = ["added", "removed", "moved", "renamed", "changed"];

/** Groups changes, which come sorted by process group and component, into cards. */
export function changeCards(changes: readonly FlowChange[]): ChangeCard[] {
  const byComponent = new Map<string, FlowChange[]>();
  for (const change of changes) {
    const key = `${change.component.kind} ${change.component.id}`;
    const same = byComponent.get(key);
    if (same) same.push(change);
    else byComponent.set(key, [change]);
  }
  let heading: string | undefined;
  let firstChange = 0;
  return [...byComponent].flatMap(([key, own]) => {
    const component = own[0]?.component;
    if (!component) return [];
    const name = groupHeading(component);
    const kind = precedence.find((one) => own.some((change) => change.kind === one)) ?? "changed";
    const card: ChangeCard = { key, component, heading: name === heading ? null : name, kind, changes: own, firstChange };
    heading = name;
    firstChange += own.length;
    return [card];
  });
}

/** Those that mention every word of the text: in the sentence, the component, its process group or a value. */
export function matchingChanges(changes: readonly FlowChange[], text: string): readonly FlowChange[] {
  const words = text.toLowerCase().split(/\s/).filter(Boolean);
  if (words.length === 0) return changes;
  return changes.filter(({ sentence, component, fields }) => {
    const parts = [
      sentence,
      component.name,
      component.type,
      ...component.groupPath,
      ...fields.flatMap(({ label, before, after }) => [label, before ?? "", after ?? ""]),
    ];
    const all = parts.join("\n").toLowerCase();
    return words.every((word) => all.includes(word));
  });
}
