import { calledTable } from "./called-table.ts";
import type { FunctionDescription } from "./function-description.ts";
import { operatorTable } from "./operator-table.ts";
import type { CalledName, FunctionName } from "./tree.ts";

const byName: ReadonlyMap<string, FunctionDescription> = new Map(
  [...operatorTable, ...calledTable].map((description) => [description.name, description]),
);

/** All functions that are called by name, and operators, in the order of the documentation. */
export const functionTable: readonly FunctionDescription[] = [...operatorTable, ...calledTable];

export function describeFunction(name: FunctionName): FunctionDescription {
  const description = byName.get(name);
  if (description === undefined) throw new Error(`No description of ${name}.`);
  return description;
}

const called: ReadonlyMap<string, CalledName> = new Map(calledTable.map(({ name }) => [name, name]));

/** The function that is called by this name in any case; undefined if there is none. */
export const findCalled = (name: string): CalledName | undefined => called.get(name.toLowerCase());

/** How many values a function takes. */
export function arity({ parameters }: FunctionDescription): { readonly least: number; readonly most: number } {
  return {
    least: parameters.filter(({ optional }) => optional !== true).length,
    most: parameters.at(-1)?.repeated === true ? Infinity : parameters.length,
  };
}
