import { parseFilters, type TextColumn } from "@fairway/contract/filter-text";
import type { DatasetDescription, Operator, SearchFilter } from "../client/index.ts";
import { UsageError } from "./failures.ts";

const operators: readonly Operator[] = ["=", "<>", "<", "<=", ">", ">="];

/**
 * The filters of `--where`, each text with one condition or several: `wind>=64`, `origin in ORD,ATL`, `delay>=60 or distance<200`. They
 * are read by the grammar of the portal's filter bar. Values go as they are typed: the portal reads them, and says what a column does
 * not take.
 */
export function conditionsOf(texts: readonly string[], description: DatasetDescription): SearchFilter[] {
  const columns = textColumns(description);
  return texts.flatMap((text) => {
    const parsed = parseFilters(text, columns, description.schema.columns);
    if ("problem" in parsed) throw new UsageError(`--where ${JSON.stringify(text)} is not a condition. ${parsed.problem}`);
    return [...parsed.filters] as SearchFilter[];
  });
}

/** The columns with values, and the parameters of a service that are none of its columns. */
function textColumns({ schema, filterSupport, moreOperators }: DatasetDescription): TextColumn[] {
  const plain = schema.columns.filter(({ combined }) => combined === null);
  const own = [...filterSupport.staticFilters, ...filterSupport.additionalFilters];
  const parameters = own.filter(({ name }) => !plain.some((column) => column.name === name));
  const textColumn = (name: string, type: TextColumn["type"], unit?: string): TextColumn => ({
    name,
    type,
    unit,
    operators,
    moreOperators,
    canBeEmpty: true,
  });
  return [
    ...plain.map(({ name, type, unit }) => textColumn(name, type, unit)),
    ...parameters.map(({ name, type }) => textColumn(name, type)),
  ];
}
