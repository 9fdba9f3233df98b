import type { DescriptionLayer, DescriptionsDraft } from "@fairway/contract/descriptions";

/** One description in two states of a layer. */
export interface DescriptionChange {
  /** Null for the description of the dataset itself. */
  column: string | null;
  before: string;
  after: string;
}

/** The descriptions that differ, the dataset's first, then in the order of the columns. */
export function changesBetween(before: DescriptionLayer, after: DescriptionLayer): DescriptionChange[] {
  const previous = new Map(before.columns.map(({ name, description }) => [name, description]));
  return [
    { column: null, before: before.description, after: after.description },
    ...after.columns.map(({ name, description }) => ({ column: name, before: previous.get(name) ?? "", after: description })),
  ].filter((change) => change.before !== change.after);
}

/** The body that saves these changes of a layer and nothing else. */
export const changesBody = (current: DescriptionLayer, changes: readonly DescriptionChange[]): DescriptionsDraft => ({
  description: changes.find(({ column }) => column === null)?.after ?? current.description,
  columnDescriptions: changes.flatMap(({ column, after }) => (column === null ? [] : [{ columnName: column, description: after }])),
});
