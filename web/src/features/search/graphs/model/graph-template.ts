import { definitionOf, graphDefinition, type GraphDefinition } from "./graph.ts";

/** A graph as a template holds it: what a person says of it, without values. */
export const templateText = (definition: GraphDefinition): string => JSON.stringify(definitionOf(definition));

/** Null where the text is no graph. */
export function templateDefinition(text: string): GraphDefinition | null {
  const parsed = graphDefinition.safeParse(parseJson(text));
  return parsed.success ? parsed.data : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
