import type { CoarseForm, ReaderAccess } from "@fairway/contract/dataset-access";
import type { Column } from "@fairway/contract/columns";
import type { DatasetDescription } from "@fairway/contract/datasets";

/** The columns whose values are coarse to the reader, by name. */
export type CoarseColumns = ReadonlyMap<string, CoarseForm>;

export const noCoarseColumns: CoarseColumns = new Map();
const known = new WeakMap<ReaderAccess, CoarseColumns>();

/** The same map for the same description. A position with a coarse part is coarse. */
export function coarseColumnsOf({ access, schema }: Pick<DatasetDescription, "access" | "schema">): CoarseColumns {
  if (access === undefined || access.coarse.length === 0) return noCoarseColumns;
  const found = known.get(access) ?? withPositions(access, schema.columns);
  known.set(access, found);
  return found;
}

function withPositions({ coarse }: ReaderAccess, columns: readonly Column[]): CoarseColumns {
  const forms = new Map(coarse.map(({ name, form }) => [name, form]));
  for (const { name, combined } of columns) {
    const form = combined?.fields.map((field) => forms.get(field)).find((one) => one !== undefined);
    if (form !== undefined) forms.set(name, form);
  }
  return forms;
}

/** How the values of a column are coarse. */
export function coarseText(form: CoarseForm): string {
  if (form === "empty") return "Values are not shown.";
  if ("first" in form) return form.first === 1 ? "First character only." : `First ${form.first} characters only.`;
  return "step" in form ? `Rounded to steps of ${form.step}.` : `Start of the ${form.start} only.`;
}

/** The same, with what filters on it compare. */
export const coarseNote = (form: CoarseForm): string =>
  `${coarseText(form)} ${form === "empty" ? "Filters find no values in it." : "Filters compare these values, not the exact ones."}`;
