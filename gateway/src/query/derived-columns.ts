import type { Column } from "@fairway/contract/columns";
import { columnsIn } from "@fairway/expressions/tree";
import { columnsInConditions } from "./conditions.ts";
import type { Condition, DerivedStep, QueryableDataset } from "./engine.ts";

type PlainColumn = QueryableDataset["columns"][number];

export const columnsOfStep = (step: DerivedStep): readonly PlainColumn[] =>
  step.kind === "computed" ? [step.column] : step.columns.map(({ column }) => column);

/** The columns of the row that a step needs. */
export const inputsOfStep = (step: DerivedStep): readonly string[] =>
  step.kind === "computed" ? columnsIn(step.expression) : step.key.map(({ column }) => column);

const derivedNames = ({ derived = [] }: Pick<QueryableDataset, "derived">): ReadonlySet<string> =>
  new Set(derived.flatMap((step) => columnsOfStep(step).map(({ name }) => name)));

/** The dataset as its source has it. The same one if it has no derived columns. */
export function storedDataset<Dataset extends Pick<QueryableDataset, "columns" | "derived">>(dataset: Dataset): Dataset {
  if (dataset.derived === undefined) return dataset;
  const derived = derivedNames(dataset);
  return { ...dataset, derived: undefined, columns: dataset.columns.filter(({ name }) => !derived.has(name)) };
}

/** The datasets that its lookups read. */
export const lookedUpIn = ({ derived = [] }: Pick<QueryableDataset, "derived">): readonly QueryableDataset[] =>
  derived.flatMap((step) => (step.kind === "lookup" ? [step.dataset] : []));

/** Whether the values of a column are those of the source. */
export function isAsStored(dataset: Pick<QueryableDataset, "derived" | "scope">): (name: string) => boolean {
  const derived = derivedNames(dataset);
  const coarse = dataset.scope.part?.coarse;
  return (name) => !derived.has(name) && coarse?.has(name) !== true;
}

/** The conditions that compare values of the source only: rows of a search satisfy them as well. */
function storedConditions(dataset: Pick<QueryableDataset, "derived" | "scope">, conditions: readonly Condition[]): readonly Condition[] {
  if (dataset.derived === undefined && dataset.scope.part === null) return conditions;
  const isStored = isAsStored(dataset);
  return conditions.filter((condition) => columnsInConditions([condition]).every(isStored));
}

/** The conditions on values of the source that all rows of a search satisfy. A rule with a single grant is one as well. */
export const sourceConditions = (
  dataset: Pick<QueryableDataset, "derived" | "scope">,
  conditions: readonly Condition[],
): readonly Condition[] => {
  const single = (dataset.scope.part?.rules ?? []).flatMap(([grant, ...others]) => (others.length === 0 ? (grant?.conditions ?? []) : []));
  const stored = storedConditions(dataset, conditions);
  return single.length === 0 ? stored : [...stored, ...single];
};

/** The columns of the source that these columns are made of. */
export function storedInputs({ derived = [] }: Pick<QueryableDataset, "derived">, names: Iterable<string>): ReadonlySet<string> {
  const needed = new Set(names);
  for (const step of derived.toReversed()) {
    const made = columnsOfStep(step).filter(({ name }) => needed.delete(name));
    if (made.length > 0) for (const name of inputsOfStep(step)) needed.add(name);
  }
  return needed;
}

/** A column of the product's description as engines see it. */
export const plainColumnOf = ({ name, type, day }: Pick<Column, "name" | "type" | "day">): PlainColumn => ({
  name,
  type,
  ...(day === undefined ? {} : { day }),
});
