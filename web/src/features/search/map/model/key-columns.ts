import { type Column, isNumeric } from "@fairway/contract/columns";
import type { DatasetDescription } from "@fairway/contract/datasets";

const maxKeyColumns = 6;

/**
 * The columns that say most about an item, in this order: subtitle, time, position, numbers with a unit, other numbers. Not
 * among them are its title and the parts of its position.
 */
export function keyColumns({ schema, titleField, subtitleField, mapSupport }: DatasetDescription): readonly Column[] {
  const named = (name: string | null | undefined) => schema.columns.filter((column) => column.name === name && name !== titleField);
  const location = named(mapSupport?.itemLocationField);
  const locationFields = new Set(location.flatMap(({ combined }) => combined?.fields ?? []));
  const numbers = schema.columns.filter(
    ({ name, type, combined }) => combined === null && isNumeric(type) && name !== titleField && !locationFields.has(name),
  );
  const hasUnit = ({ unit }: Column) => (unit ?? "") !== "";
  const ordered = [
    ...named(subtitleField),
    ...named(mapSupport?.itemTemporalField),
    ...location,
    ...numbers.filter(hasUnit),
    ...numbers.filter((column) => !hasUnit(column)),
  ];
  return [...new Set(ordered)].slice(0, maxKeyColumns);
}
