import type { FlowComponent } from "./flow-model.ts";

interface WantedEnd {
  readonly identifier: string;
  /** Identifier of the group that holds it. */
  readonly group: string | undefined;
  /** The id in the NiFi that wrote the flow. */
  readonly instance: string | undefined;
}

type Components = ReadonlyMap<string, FlowComponent>;

/** Index of components by their identifiers: copied process groups repeat those of the components in them. */
export class ComponentIndex {
  readonly #components: Components;
  /** The first component for each key, because a key can be looked up as often as there are connections. */
  readonly #ids = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  /** @param components gets every component before it is added here */
  constructor(components: Components) {
    this.#components = components;
  }

  add(identifier: string, { id, parentId, instance }: { id: string; parentId: string | null; instance: string | undefined }): void {
    this.#counts.set(identifier, (this.#counts.get(identifier) ?? 0) + 1);
    const group = this.#components.get(parentId ?? "");
    const outer = group?.parentId ?? null;
    const keys = [
      ["in", identifier, parentId],
      ["somewhere", identifier],
      ...(outer === null
        ? []
        : ([
            ["below", identifier, outer],
            ["below", identifier, outer, group?.identifier],
          ] as const)),
      ...(instance === undefined ? [] : [["instance", identifier, instance]]),
    ];
    for (const key of keys.map((parts) => JSON.stringify(parts))) if (!this.#ids.has(key)) this.#ids.set(key, id);
  }

  #at(...parts: readonly unknown[]): string | undefined {
    return this.#ids.get(JSON.stringify(parts));
  }

  /** In the group or the nearest one above it; elsewhere only what no other component can be mistaken for. */
  visibleFrom(groupId: string | null, identifier: string): string | undefined {
    const count = this.#counts.get(identifier);
    if (count === undefined) return undefined;
    for (let id = groupId; id !== null; id = this.#components.get(id)?.parentId ?? null) {
      const found = this.#at("in", identifier, id);
      if (found !== undefined) return found;
    }
    return count === 1 ? this.#at("somewhere", identifier) : undefined;
  }

  /** The component that a connection of the group can lead to: in the group, or directly below it, as NiFi looks for it. */
  reachableFrom(groupId: string | null, { identifier, group, instance }: WantedEnd): string | undefined {
    if (!this.#counts.has(identifier)) return undefined;
    // Groups beside each other can have the same identifier, too.
    const exact = instance === undefined ? undefined : this.#at("instance", identifier, instance);
    if (exact !== undefined && this.#isReachable(exact, groupId) && (group === undefined || this.#groupOf(exact)?.identifier === group)) {
      return exact;
    }
    const inGroup = this.#at("in", identifier, groupId);
    if (inGroup !== undefined && (group === undefined || this.#components.get(groupId ?? "")?.identifier === group)) return inGroup;
    return this.#at("below", identifier, groupId, group) ?? inGroup ?? this.#at("below", identifier, groupId);
  }

  #isReachable(id: string, groupId: string | null): boolean {
    const group = this.#groupOf(id);
    return group?.id === groupId || group?.parentId === groupId;
  }

  #groupOf(id: string): FlowComponent | undefined {
    return this.#components.get(this.#components.get(id)?.parentId ?? "");
  }
}
