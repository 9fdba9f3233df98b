import { mapViewOf } from "@fairway/contract/map-view";
import type { Column } from "@fairway/contract/columns";
import type { FieldFilter } from "@fairway/contract/datasets";
import type { OwnDatasetSettings } from "@fairway/contract/internal-datasets";

/**
 * The settings for other plain columns: those that stay keep what is set of them, and what needs a column that is gone goes with it. Types
 * are those of `columns`.
 */
export function withColumns(settings: OwnDatasetSettings, columns: readonly Column[]): OwnDatasetSettings {
  const computed = settings.schema.columns.filter((column) => column.computed !== undefined);
  const taken = new Set(computed.map(({ name }) => name));
  const before = new Map(settings.schema.columns.filter(({ combined }) => combined === null).map((column) => [column.name, column]));
  const stored = columns
    .filter(({ name, combined }) => combined === null && !taken.has(name))
    .map((column): Column => Object.assign({}, column, before.get(column.name) ?? {}, typeOf(column)));
  // Those that cannot be made of the new columns are left out where the dataset is read.
  const plain = [...stored, ...computed];
  const looked = (settings.lookups ?? []).flatMap((lookup) => lookup.columns.map(({ name }) => name));
  const names = new Set([...plain.map(({ name }) => name), ...looked]);
  const combined = settings.schema.columns.filter((column) => column.combined?.fields.every((field) => names.has(field)) === true);
  const all = new Set([...names, ...combined.map(({ name }) => name)]);
  const times = new Set([...plain.filter(({ type }) => type.startsWith("TIMESTAMP")).map(({ name }) => name), ...looked]);
  const kept = (name: string | null, among: ReadonlySet<string> = all) => (name !== null && among.has(name) ? name : null);
  const map = settings.mapSupport;
  const isMapped =
    map !== null && [map.groupItemField, map.itemLocationField].every((name) => all.has(name)) && times.has(map.itemTemporalField);
  const [temporalField, locationField] = [kept(settings.temporalField, times), kept(settings.locationField)];
  const orderBy = settings.orderBy?.filter(({ column }) => names.has(column)) ?? [];
  const types = new Map(plain.map(({ name, type }) => [name, type]));
  const fitting = (filters: readonly FieldFilter[]) =>
    filters.filter(({ name, type }) => types.get(name) === type || looked.includes(name));
  const { filterSupport } = settings;
  return {
    ...settings,
    schema: { columns: [...plain, ...combined] },
    temporalField,
    locationField,
    orderBy: orderBy.length === 0 ? null : orderBy,
    mapSupport: isMapped
      ? {
          ...map,
          ...(map.colorField == null || names.has(map.colorField) ? {} : { colorField: null }),
          ...(map.sizeField == null || names.has(map.sizeField) ? {} : { sizeField: null }),
        }
      : null,
    ...(settings.mapView && { mapView: mapViewOf(settings.mapView, (name) => names.has(name)) }),
    titleField: kept(settings.titleField),
    subtitleField: kept(settings.subtitleField),
    linkedDatasets: settings.linkedDatasets.filter(({ filters }) =>
      filters.every(({ fromColumn }) => fromColumn === undefined || names.has(fromColumn)),
    ),
    filterSupport: {
      ...filterSupport,
      supportsTimeRange: filterSupport.supportsTimeRange && temporalField !== null,
      supportsGeospatial: filterSupport.supportsGeospatial && locationField !== null,
      requiredOrFields: filterSupport.requiredOrFields?.filter((name) => names.has(name)) ?? null,
      staticFilters: fitting(filterSupport.staticFilters),
      preFilledFilters: fitting(filterSupport.preFilledFilters),
      additionalFilters: fitting(filterSupport.additionalFilters),
    },
  };
}

/** The part of a column that the rows decide. */
const typeOf = ({ type, day }: Column): Pick<Column, "type" | "day"> => (day === undefined ? { type } : { type, day });
