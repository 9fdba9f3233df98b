import type { CoarseForm, ReaderAccess } from "@fairway/contract/dataset-access";
import { type Column, columnTitle } from "@fairway/contract/columns";
import type { DatasetDescription } from "@fairway/contract/datasets";

/** How the values of a column are coarse: in a form of the rules, or because they are made of coarse ones. */
export type ShownForm = CoarseForm | "made";

/** The columns whose values are coarse to the reader, by name. */
export type CoarseColumns = ReadonlyMap<string, ShownForm>;

export const noCoarseColumns: CoarseColumns = new Map();
const known = new WeakMap<ReaderAccess, CoarseColumns>();

/** The same map for the same description. A position with a coarse part is coarse, and so is what is computed from one. */
export function coarseColumnsOf({ access, schema }: Pick<DatasetDescription, "access" | "schema">): CoarseColumns {
  if (access === undefined || access.coarse.length + access.madeOfCoarse.length === 0) return noCoarseColumns;
  const found = known.get(access) ?? withPositions(access, schema.columns);
  known.set(access, found);
  return found;
}

function withPositions({ coarse, madeOfCoarse }: ReaderAccess, columns: readonly Column[]): CoarseColumns {
  const forms = new Map<string, ShownForm>(coarse.map(({ name, form }) => [name, form]));
  for (const name of madeOfCoarse) forms.set(name, "made");
  for (const { name, combined } of columns) {
    const form = combined?.fields.map((field) => forms.get(field)).find((one) => one !== undefined);
    if (form !== undefined) forms.set(name, form);
  }
  return forms;
}

/** The columns for titles in which nothing can be pressed: with a sign at coarse ones. The same ones without any. */
export function signedColumns(description: Pick<DatasetDescription, "access" | "schema">): readonly Column[] {
  const { columns } = description.schema;
  const coarse = coarseColumnsOf(description);
  if (coarse.size === 0) return columns;
  return columns.map((column) => (coarse.has(column.name) ? withSign(column) : column));
}

const withSign = (column: Column): Column => ({ ...column, label: `≈ ${columnTitle(column)}` });

/** How the values of a column are coarse. */
export function coarseText(form: ShownForm): string {
  if (form === "made") return "Computed from coarse values.";
  if (form === "empty") return "Values are not shown.";
  if ("first" in form) return form.first === 1 ? "First character only." : `First ${form.first} characters only.`;
  return "step" in form ? `Rounded to steps of ${form.step}.` : `Start of the ${form.start} only.`;
}

/** The same, with what filters on it compare. */
export const coarseNote = (form: ShownForm): string =>
  `${coarseText(form)} ${form === "empty" ? "Filters find no values in it." : "Filters compare these values, not the exact ones."}`;
