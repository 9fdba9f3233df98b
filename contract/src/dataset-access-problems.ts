import { countCorners, parseRing } from "./areas.ts";
import { type Column, type ColumnType, type Operator, operatorsOf } from "./columns.ts";
import {
  type AccessGrant,
  type AccessRule,
  accessLimits,
  type DatasetAccess,
  fitsType,
  hasValueOfReader,
  type RuleComparison,
  type RuleFilter,
} from "./dataset-access.ts";
import { parseFilterValue } from "./filter-values.ts";

/** The part of a dataset that rules are about. */
export interface RuledDataset {
  readonly schema: { readonly columns: readonly Pick<Column, "name" | "type" | "combined" | "computed">[] };
  readonly lookups?: readonly { readonly columns: readonly { readonly name: string }[] }[] | undefined;
  readonly temporalField: string | null;
  readonly locationField: string | null;
  readonly filterSupport: {
    readonly requiredOrFields?: readonly string[] | null | undefined;
    readonly staticFilters: readonly { readonly name: string; readonly required: boolean }[];
    readonly additionalFilters: readonly { readonly name: string; readonly required: boolean }[];
    readonly preFilledFilters: readonly { readonly name: string }[];
  };
}

export interface AccessProblem {
  readonly path: (string | number)[];
  readonly message: string;
}

/** Why rules cannot be applied to their dataset. */
export function accessProblems(dataset: RuledDataset, access: DatasetAccess): AccessProblem[] {
  const { rules = [] } = access;
  const stored = new Map(
    dataset.schema.columns.flatMap((one) => (one.combined === null && one.computed === undefined ? [[one.name, one.type] as const] : [])),
  );
  const rows = rules.flatMap(({ grants }, index) =>
    grants.flatMap(({ rows: granted }, at) =>
      granted === "all"
        ? []
        : rowProblems(dataset, stored, granted).map(({ path, message }) => ({
            path: ["rules", index, "grants", at, "rows", ...path],
            message,
          })),
    ),
  );
  return [...repeatedNames(rules), ...rows, ...cornerProblems(rules), ...columnProblems(dataset, access)];
}

const repeatedNames = (rules: readonly AccessRule[]): AccessProblem[] =>
  rules.flatMap(({ name }, index) =>
    rules.slice(0, index).some((earlier) => earlier.name === name)
      ? [{ path: ["rules", index, "name"], message: `there is another rule '${name}'` }]
      : [],
  );

type GrantedRows = Exclude<AccessGrant["rows"], "all">;

function rowProblems(
  { schema, temporalField, locationField }: RuledDataset,
  stored: ReadonlyMap<string, ColumnType>,
  { filters = [], timeRange, geospatial }: GrantedRows,
): AccessProblem[] {
  const problems = filters.flatMap((filter, index) =>
    filterProblems(stored, filter).map(({ path, message }): AccessProblem => ({ path: ["filters", index, ...path], message })),
  );
  if (timeRange !== undefined && (temporalField === null || !stored.has(temporalField))) {
    problems.push({ path: ["timeRange"], message: "the dataset has no time field" });
  }
  const { start, end } = timeRange ?? {};
  if (start !== undefined && end !== undefined && Date.parse(start) > Date.parse(end)) {
    problems.push({ path: ["timeRange"], message: "ends before it starts" });
  }
  const parts = schema.columns.find(({ name }) => name === locationField)?.combined?.fields ?? [];
  if (geospatial !== undefined && (parts.length === 0 || !parts.every((part) => stored.has(part)))) {
    problems.push({ path: ["geospatial"], message: "the dataset has no location field" });
  }
  for (const [index, text] of (geospatial?.polygons ?? []).entries()) {
    const ring = parseRing(text);
    if (!("ring" in ring)) problems.push({ path: ["geospatial", "polygons", index], message: ring.problem });
  }
  return problems;
}

function filterProblems(stored: ReadonlyMap<string, ColumnType>, filter: RuleFilter): AccessProblem[] {
  const type = stored.get(filter.name);
  if (type === undefined) return [{ path: ["name"], message: `there is no stored column '${filter.name}'` }];
  if (hasValueOfReader(filter)) {
    return type === "STRING" ? [] : [{ path: ["name"], message: `'${filter.name}' is ${type}; values of readers are STRING` }];
  }
  const { operator: sign, value } = filter;
  if (sign === "in" || sign === "between") return listProblems(type, sign, value);
  if (!operatorsOf(type).includes(sign)) return [{ path: ["operator"], message: `'${sign}' is not for ${type}` }];
  if (Array.isArray(value)) return [{ path: ["value"], message: `'${sign}' takes one value` }];
  if (value === null) return takesNull(sign) ? [] : [{ path: ["operator"], message: "null takes '=' or '<>'" }];
  const parsed = parseFilterValue(type, value);
  return "problem" in parsed ? [{ path: ["value"], message: `'${value}' ${parsed.problem}` }] : [];
}

const takesNull = (sign: Operator): boolean => sign === "=" || sign === "<>";

function listProblems(type: ColumnType, sign: "in" | "between", value: RuleComparison["value"]): AccessProblem[] {
  if (!Array.isArray(value)) return [{ path: ["value"], message: `'${sign}' takes a list of values` }];
  if (sign === "between" && (type === "BOOLEAN" || value.length !== 2 || value.includes(null))) {
    return [{ path: ["value"], message: type === "BOOLEAN" ? "'between' is not for BOOLEAN" : "'between' takes two values" }];
  }
  return value.flatMap((one, index): AccessProblem[] => {
    const parsed = one === null ? { value: null } : parseFilterValue(type, one);
    return "problem" in parsed ? [{ path: ["value", index], message: `'${one}' ${parsed.problem}` }] : [];
  });
}

function cornerProblems(rules: readonly AccessRule[]): AccessProblem[] {
  const areas = rules.flatMap(({ grants }) => grants.flatMap(({ rows }) => (rows === "all" ? [] : (rows.geospatial?.polygons ?? []))));
  const corners = areas.reduce((sum, text) => sum + countCorners(text), 0);
  return corners > accessLimits.corners + areas.length
    ? [{ path: ["rules"], message: `areas can have ${accessLimits.corners} corners together, not ${corners - areas.length}` }]
    : [];
}

function columnProblems(dataset: RuledDataset, { columns = [], unnamedColumns = "shown" }: DatasetAccess): AccessProblem[] {
  const { schema, lookups = [] } = dataset;
  const looked = new Set(lookups.flatMap((one) => one.columns.map(({ name }) => name)));
  const byName = new Map(schema.columns.map((one) => [one.name, one]));
  const named = new Set<string>();
  const problems = columns.flatMap(({ names, roles: shownTo, others }, index): AccessProblem[] => [
    ...(unnamedColumns === "shown" && shownTo.includes("*")
      ? [{ path: ["columns", index, "roles"], message: "'*' is for lists of the columns that are shown: set 'unnamedColumns' to withheld" }]
      : []),
    ...names.flatMap((name, at): AccessProblem[] => {
      const path = ["columns", index, "names", at];
      if (named.has(name)) return [{ path, message: `'${name}' is in another column rule` }];
      named.add(name);
      const column = byName.get(name);
      if (column === undefined && !looked.has(name)) return [{ path, message: `there is no column '${name}'` }];
      if (column !== undefined && column.combined !== null) return [{ path, message: `'${name}' is combined: name its parts` }];
      if (others === "withheld") return [];
      if (column === undefined || column.computed !== undefined) {
        return [{ path, message: `'${name}' is not stored: it can be withheld only, or follows from coarse columns` }];
      }
      return fitsType(others, column.type) ? [] : [{ path, message: `the coarse values do not fit '${name}', which is ${column.type}` }];
    }),
  ]);
  return [...problems, ...neededProblems(dataset, { columns, unnamedColumns })];
}

/** A search needs some columns: whoever does not have them could not search at all. */
function neededProblems(
  { schema, filterSupport }: RuledDataset,
  { columns, unnamedColumns }: Required<Pick<DatasetAccess, "columns" | "unnamedColumns">>,
): AccessProblem[] {
  const limited = new Map(
    columns.flatMap((one, index) => (one.roles.includes("*") ? [] : one.names.map((name) => [name, index] as const))),
  );
  const isNamed = new Set(columns.flatMap(({ names }) => names));
  const isLimited = (name: string) => limited.has(name) || (unnamedColumns === "withheld" && !isNamed.has(name));
  const pathOf = (name: string): AccessProblem["path"] => {
    const index = limited.get(name);
    return index === undefined ? ["unnamedColumns"] : ["columns", index, "names", columns[index]?.names.indexOf(name) ?? 0];
  };
  const { staticFilters, additionalFilters, preFilledFilters, requiredOrFields } = filterSupport;
  const required = [...staticFilters, ...additionalFilters].filter((filter) => filter.required && isLimited(filter.name));
  const derived = preFilledFilters.filter(
    ({ name }) => isLimited(name) && schema.columns.every((one) => one.name !== name || one.computed !== undefined),
  );
  const choices = requiredOrFields ?? [];
  const [choice] = choices;
  // Also where a time range or an area would do: an empty list requires nothing.
  const isLast = choice !== undefined && choices.every(isLimited);
  return [
    ...required.map(({ name }) => ({ path: pathOf(name), message: `every search needs a filter on '${name}'` })),
    ...derived.map(({ name }) => ({ path: pathOf(name), message: `the dataset's own filter needs '${name}', which is not stored` })),
    ...(isLast ? [{ path: pathOf(choice), message: `a search needs a filter on one of ${choices.join(", ")}` }] : []),
  ];
}
