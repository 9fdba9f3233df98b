import type { Column, ColumnType } from "@fairway/contract/columns";
import { formatList, plural } from "@fairway/contract/counts";
import type { OwnDatasetSettings } from "@fairway/contract/internal-datasets";

export const typeNames: Readonly<Record<ColumnType, string>> = {
  STRING: "text",
  BOOLEAN: "true or false",
  integer: "a column of integers",
  decimal: "a column of decimals",
  TIMESTAMP_SECONDS: "a column of times",
  TIMESTAMP_MILLS: "a column of times",
};

/** Columns that are stored with the rows. */
export const plainOf = ({ schema }: Pick<OwnDatasetSettings, "schema">): Column[] =>
  schema.columns.filter(({ combined, computed }) => combined === null && computed === undefined);

const placeOf = ({ schema, locationField }: OwnDatasetSettings): readonly string[] =>
  schema.columns.find((column) => column.name === locationField)?.combined?.fields ?? [];

/** Whether the dataset does not work without a column: as its time, place or item, or for a required filter. */
export function isNeeded(name: string, settings: OwnDatasetSettings): boolean {
  const { temporalField, mapSupport, filterSupport } = settings;
  const required = filterSupport.staticFilters.filter((filter) => filter.required).map((filter) => filter.name);
  return [temporalField, mapSupport?.groupItemField, ...placeOf(settings), ...required].includes(name);
}

/**
 * Settings that cannot stay without a column, in words; with `type`, those that cannot stay if it has this type. Computed columns and
 * lookups are not among them: they stay, and are left out while they cannot be made.
 */
export function usesOf(name: string, settings: OwnDatasetSettings, type?: ColumnType): string[] {
  const { filterSupport, linkedDatasets, orderBy, titleField, subtitleField, temporalField, mapSupport, mapView, schema } = settings;
  const isGone = type === undefined;
  const isTime = type?.startsWith("TIMESTAMP") === true;
  const isNumber = type === "integer" || type === "decimal";
  const filters = [...filterSupport.staticFilters, ...filterSupport.preFilledFilters, ...filterSupport.additionalFilters].filter(
    (filter) => filter.name === name && filter.type !== type,
  );
  const links = isGone ? linkedDatasets.filter((link) => link.filters.some(({ fromColumn }) => fromColumn === name)) : [];
  const combined = schema.columns.filter((column) => column.combined?.fields.includes(name) === true);
  const isItem = mapSupport !== null && [mapSupport.groupItemField, mapSupport.colorField, mapSupport.sizeField].includes(name);
  const isOfView = [mapView?.colorBy, mapView?.sizeBy, mapView?.rows?.measure?.column].includes(name);
  return [
    ...(temporalField === name && !isTime ? ["the time of the dataset"] : []),
    ...(placeOf(settings).includes(name) && !isNumber ? ["the location of the dataset"] : []),
    ...(isGone && (isItem || isOfView) ? ["its part in the map"] : []),
    ...(filters.length > 0 ? [plural(filters.length, "the filter on it", `${filters.length} filters on it`)] : []),
    ...links.map(({ datasetId }) => `the link to '${datasetId}'`),
    ...(isGone ? combined.filter((column) => column.name !== settings.locationField).map((column) => `the column '${column.name}'`) : []),
    ...(isGone && [titleField, subtitleField].includes(name) ? ["the title of its rows"] : []),
    ...(isGone && (orderBy ?? []).some(({ column }) => column === name) ? ["the order of its rows"] : []),
  ];
}

/** The end of a sentence about a column that is gone or has another type. */
export const goesWithIt = (uses: readonly string[]): string =>
  uses.length === 0 ? "." : `: ${formatList(uses)} ${uses.length === 1 ? "goes" : "go"} with it.`;
