import type { ComponentFlow, FlowComponent, FlowReference, FlowValue } from "./flow-model.ts";
import { categoryOf } from "./field-labels.ts";

/** Ids of the newer flow to ids of the older one. */
export type Matches = ReadonlyMap<string, string>;

/**
 * Finds out which components of two flows are the same. Most have the same identifier. One that copied process groups repeat says
 * which they are within process groups that match. Components of templates and copies have new ones: they are matched by what they
 * are, within such groups too.
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
    const [before, after] = [
      groupBy([...this.#before.components.values()], identityOf),
      groupBy([...this.#after.components.values()], identityOf),
    ];
    for (const [identity, [component, ...twins]] of after) {
      const [same, ...others] = before.get(identity) ?? [];
      if (component === undefined || same === undefined || twins.length > 0 || others.length > 0) continue;
      this.#add([same, component]);
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
    let at = 0;
    const matchAll = () => {
      // Groups that match hold others that do.
      for (; at < groups.length; at += 1) {
        const [before = "", after = ""] = groups[at] ?? [];
        const found = this.#matchChildren(childrenBefore.get(before) ?? [], childrenAfter.get(after) ?? [], after);
        for (const [one, other] of found) if (childrenAfter.has(other.id)) groups.push([one.id, other.id]);
      }
    };
    matchAll();
    const rest = (children: ReadonlyMap<string, FlowComponent[]>) => [...children.values()].flat().filter(hasIdentifier);
    const moved = this.#matchByKey(rest(childrenBefore), rest(childrenAfter), { before: identityOf, after: identityOf, isUnique: true });
    for (const [one, other] of moved) if (childrenAfter.has(other.id)) groups.push([one.id, other.id]);
    matchAll();
    // Connections are distinguished by their ends, which are all matched by now.
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
  #matchChildren(before: readonly FlowComponent[], after: readonly FlowComponent[], groupId: string): Pair[] {
    const pairs: Pair[] = [];
    for (const key of [(one: FlowComponent) => JSON.stringify([identityOf(one), one.name]), identityOf]) {
      pairs.push(...this.#matchByKey(before.filter(hasIdentifier), after.filter(hasIdentifier), { before: key, after: key }));
    }
    const isCopy = !this.#keepsIdentifiers.has(groupId);
    const by = (kinds: ReadonlySet<string>, key: (component: FlowComponent) => string, isUnique = false) => {
      const wanted = ({ kind }: FlowComponent) => kinds.has(kind);
      const keys = {
        before: (one: FlowComponent) => `${one.kind} ${key(one)}`,
        after: (one: FlowComponent) => `${one.kind} ${key(one)}`,
        isUnique,
      };
      pairs.push(...this.#matchByKey(before.filter(wanted), after.filter(wanted), keys));
    };
    by(named, (one) => JSON.stringify([one.name, one.type, contentKey(one), one.fields.get("position")]));
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
    const keepsIdentifier = identityOf(before) === identityOf(after);
    if (keepsIdentifier && configured.has(after.kind) && after.parentId !== null) this.#keepsIdentifiers.add(after.parentId);
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

const hasIdentifier = ({ identifier }: FlowComponent): boolean => identifier !== "";

/** Those without an identifier are distinguished by their order. */
const identityOf = ({ kind, id, identifier }: FlowComponent): string => `${kind} ${identifier === "" ? `without ${id}` : identifier}`;

const referenceId = (value: FlowValue | undefined): string => (isReference(value) ? value.referenceTo : "");

export const isReference = (value: FlowValue | undefined): value is FlowReference => typeof value === "object" && "referenceTo" in value;

/** Key of a component's behavior, without layout. Ids of references change when a flow is copied. */
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
