import type { FlowChange, FlowDrawing } from "@fairway/contract/flow-differences";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { CommentedComponent, Compared } from "./comparison-props.ts";
import { componentName } from "./component-text.ts";
import { edgeTitle } from "./drawing/drawing-model.ts";
import { drawingQuery } from "./queries.ts";

interface PresentComponent {
  id: string;
  /** As the changes and the drawing call it. */
  names: readonly string[];
  isRemoved: boolean;
}

/** Positions of comments on components in a comparison. */
export interface FoundComponents {
  /** By the id of a component: ids by which comments know it, from exports of the flow that had other ids. */
  formerIds: ReadonlyMap<string, readonly string[]>;
  /** Names of components that comments are on and that are not found, with the number of components of that name. */
  outdated: readonly { name: string; namesakes: number }[];
}

const nothing: FoundComponents = { formerIds: new Map(), outdated: [] };

/** A component whose id is not there is the only one of its name: the comparison matches those of other exports by names too. */
export function findComponents(commented: readonly CommentedComponent[], present: readonly PresentComponent[]): FoundComponents {
  const ids = new Set(present.map(({ id }) => id));
  // A moved component is drawn as removed in the group that it left.
  const staying = new Set(present.filter(({ isRemoved }) => !isRemoved).map(({ id }) => id));
  const idsByName = new Map<string, Set<string>>();
  for (const { id, names } of present) {
    for (const name of names) idsByName.set(name, (idsByName.get(name) ?? new Set()).add(id));
  }
  const formerIds = new Map<string, string[]>();
  const outdated = new Map<string, number>();
  for (const { id, name, isInContent } of commented) {
    if (ids.has(id)) continue;
    const namesakes = [...(idsByName.get(name) ?? [])];
    const shown = namesakes.filter((one) => staying.has(one));
    const [only, ...others] = shown.length > 0 ? shown : namesakes;
    if (only !== undefined && others.length === 0) formerIds.set(only, [...(formerIds.get(only) ?? []), id]);
    // A component that did not change and is not drawn, such as a controller service, is still there.
    else if (!isInContent) outdated.set(name, only === undefined ? 0 : others.length + 1);
  }
  return { formerIds, outdated: Array.from(outdated, ([name, namesakes]) => ({ name, namesakes })) };
}

function presentIn(changes: readonly FlowChange[], drawing: FlowDrawing): PresentComponent[] {
  const changed = changes.map(({ kind, component }) => ({
    id: component.id,
    names: [componentName(component)],
    isRemoved: kind === "removed",
  }));
  if (drawing.outcome !== "drawn") return changed;
  const drawn = drawing.groups.flatMap(({ nodes, edges }) => {
    const byId = new Map(nodes.map((node) => [node.id, node]));
    return [
      ...nodes.map((node) => ({ id: node.id, names: [componentName(node)], isRemoved: node.state === "removed" })),
      ...edges.map((edge) => ({
        id: edge.id,
        names: [componentName({ ...edge, kind: "connection", type: "" }), edgeTitle(edge, byId.get(edge.from), byId.get(edge.to))],
        isRemoved: edge.state === "removed",
      })),
    ];
  });
  return [...changed, ...drawn];
}

/**
 * Finds the components that comments are on, also those that had other ids.
 * @param changes undefined while they are loaded
 */
export function useFoundComponents(
  compared: Compared,
  commented: readonly CommentedComponent[],
  changes: readonly FlowChange[] | undefined,
): FoundComponents & { isPending: boolean } {
  const isUnknown = changes !== undefined && commented.some(({ id }) => !changes.some(({ component }) => component.id === id));
  const { data, isLoading } = useQuery({ ...drawingQuery(compared), enabled: isUnknown });
  const isPending = commented.length > 0 && (changes === undefined || isLoading);
  return useMemo(
    () => ({ ...(isUnknown && data ? findComponents(commented, presentIn(changes, data)) : nothing), isPending }),
    [isUnknown, commented, changes, data, isPending],
  );
}

/** The id in the comparison of a component that a comment knows by this one. */
export function currentId({ formerIds }: FoundComponents, id: string): string {
  for (const [current, former] of formerIds) if (former.includes(id)) return current;
  return id;
}
