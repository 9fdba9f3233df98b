import type { ComponentFlow, FlowComponent, FlowReference, FlowValue } from "./flow-model.ts";
import { categoryOf } from "./field-labels.ts";

/** Ids of the newer flow to ids of the older one. */
export type Matches = ReadonlyMap<string, string>;

/**
 * Finds out which components of two flows are the same. Most have the same identifier. Those of templates and copies have new
 * ones: they are matched by what they are, within process groups that match.
 */
export function matchComponents(before: ComponentFlow, after: ComponentFlow): Matches {
  return new Matcher(before, after).match();
}

type Pair = readonly [before: FlowComponent, after: FlowComponent];

class Matcher {
  readonly #before: ComponentFlow;
  readonly #after: ComponentFlow;
  readonly #matches = new Map<string, string>();
  readonly #matchedBefore = new Set<string>();
  /** Groups of the newer flow that are no copies: another identifier in them is another component. */
  readonly #keepsIdentifiers = new Set<string>();

  constructor(before: ComponentFlow, after: ComponentFlow) {
    this.#before = before;
    this.#after = after;
  }

  match(): Matches {
    for (const component of this.#after.components.values()) {
      const same = this.#before.components.get(component.id);
      if (same?.kind !== component.kind) continue;
      this.#add([same, component]);
      if (configured.has(component.kind) && component.parentId !== null) this.#keepsIdentifiers.add(component.parentId);
    }
    const [rootBefore, rootAfter] = [this.#before.components.get(this.#before.rootId), this.#after.components.get(this.#after.rootId)];
    if (rootBefore && rootAfter && this.#areUnmatched([rootBefore, rootAfter])) this.#add([rootBefore, rootAfter]);
    if (this.#matches.size < this.#after.components.size && this.#matchedBefore.size < this.#before.components.size) this.#matchInGroups();
    return this.#matches;
  }

  #matchInGroups(): void {
    const [childrenBefore, childrenAfter] = [this.#unmatchedChildren(this.#before), this.#unmatchedChildren(this.#after)];
    const parents = [...this.#matches].filter(([after]) => childrenAfter.has(after));
    const groups: string[][] = parents.map(([after, before]) => [before, after]);
    for (const [before = "", after = ""] of groups) {
      const pairs = this.#matchChildren(
        childrenBefore.get(before) ?? [],
        childrenAfter.get(after) ?? [],
        !this.#keepsIdentifiers.has(after),
      );
      for (const [one, other] of pairs) if (childrenAfter.has(other.id)) groups.push([one.id, other.id]);
    }
    // Connections are told apart by their ends, which are all matched by now.
    for (const [before = "", after = ""] of groups) {
      const connections = (list: FlowComponent[] | undefined) => (list ?? []).filter(({ kind }) => kind === "connection");
      const ends: readonly ((connection: FlowComponent, end: (value: FlowValue | undefined) => string) => string)[] = [
        ({ fields, name }, end) =>
          JSON.stringify([end(fields.get("source")), end(fields.get("destination")), fields.get("selectedRelationships"), name]),
        ({ fields }, end) => JSON.stringify([end(fields.get("source")), end(fields.get("destination"))]),
      ];
      for (const key of ends) {
        this.#matchByKey(connections(childrenBefore.get(before)), connections(childrenAfter.get(after)), {
          before: (one) => key(one, (value) => referenceId(value)),
          after: (one) => key(one, (value) => this.#matches.get(referenceId(value)) ?? `new ${referenceId(value)}`),
        });
      }
    }
  }

  #unmatchedChildren(flow: ComponentFlow): Map<string, FlowComponent[]> {
    const matched = flow === this.#before ? this.#matchedBefore : this.#matches;
    const unmatched = [...flow.components.values()].filter(({ id }) => !matched.has(id));
    return groupBy(unmatched, ({ parentId }) => parentId ?? "");
  }

  /** From the surest signs to the vaguest. */
  #matchChildren(before: readonly FlowComponent[], after: readonly FlowComponent[], isCopy: boolean): Pair[] {
    const pairs: Pair[] = [];
    const by = (kinds: ReadonlySet<string>, key: (component: FlowComponent) => string, isUnique = false) => {
      const wanted = ({ kind }: FlowComponent) => kinds.has(kind);
      const keys = {
        before: (one: FlowComponent) => `${one.kind} ${key(one)}`,
        after: (one: FlowComponent) => `${one.kind} ${key(one)}`,
        isUnique,
      };
      pairs.push(...this.#matchByKey(before.filter(wanted), after.filter(wanted), keys));
    };
    by(named, (one) => JSON.stringify([one.name, one.type, contentKey(one)]));
    by(named, (one) => JSON.stringify([one.name, one.type]));
    if (isCopy) by(configured, (one) => JSON.stringify([one.type, contentKey(one)]), true);
    by(labels, contentKey);
    by(unnamed, (one) => JSON.stringify(one.fields.get("position")));
    by(funnels, () => "");
    return pairs;
  }

  /** Components with equal keys are paired in their order, or only if there is one on each side. */
  #matchByKey(
    before: readonly FlowComponent[],
    after: readonly FlowComponent[],
    keys: { before: (one: FlowComponent) => string; after: (one: FlowComponent) => string; isUnique?: boolean },
  ): Pair[] {
    const candidates = groupBy(
      before.filter(({ id }) => !this.#matchedBefore.has(id)),
      keys.before,
    );
    const sought = groupBy(
      after.filter(({ id }) => !this.#matches.has(id)),
      keys.after,
    );
    return [...sought].flatMap(([key, ours]) => {
      const theirs = candidates.get(key) ?? [];
      if (keys.isUnique && (ours.length > 1 || theirs.length > 1)) return [];
      return ours.flatMap((one, index): Pair[] => {
        const other = theirs[index];
        if (other === undefined) return [];
        this.#add([other, one]);
        return [[other, one]];
      });
    });
  }

  #areUnmatched([before, after]: Pair): boolean {
    return !this.#matchedBefore.has(before.id) && !this.#matches.has(after.id);
  }

  #add([before, after]: Pair): void {
    this.#matches.set(after.id, before.id);
    this.#matchedBefore.add(before.id);
  }
}

const named = new Set(
  "process-group processor input-port output-port remote-process-group remote-port controller-service parameter".split(" "),
);
/** So much configuration that equal ones are the same one under another name. */
const configured = new Set(["processor", "controller-service", "remote-process-group"]);
const labels = new Set(["label"]);
const funnels = new Set(["funnel"]);
const unnamed = new Set(["label", "funnel"]);

const referenceId = (value: FlowValue | undefined): string => (isReference(value) ? value.referenceTo : "");

export const isReference = (value: FlowValue | undefined): value is FlowReference => typeof value === "object" && "referenceTo" in value;

/** What a component does, without layout. Ids of references change when a flow is copied. */
function contentKey({ fields }: FlowComponent): string {
  const own = [...fields].filter(([field]) => categoryOf(field) === "behavior").toSorted(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify(own.map(([field, value]) => [field, isReference(value) ? "reference" : value]));
}

export function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
