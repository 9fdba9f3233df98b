import {
  type AccessGrant,
  type CoarseForm,
  type DatasetAccess,
  accessLimits,
  hasValueOfReader,
  holdsAny,
  type ReaderAccess,
  type RuleComparison,
  type RuleFilter,
  rulesCannotBeAppliedText,
} from "@fairway/contract/dataset-access";
import { parseRing } from "@fairway/contract/areas";
import { type Column, isDay } from "@fairway/contract/columns";
import { parseFilterValue } from "@fairway/contract/filter-values";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { madeUpReader } from "#identity/made-up-reader.ts";
import { columnsOfGrant } from "#query/conditions.ts";
import { type ComparisonCondition, EngineFailed, type Operand, type PlainCondition } from "#query/engine.ts";
import { conditionsKey, furtherOf, ownConditionsOf } from "#query/own-conditions.ts";
import { type Coarsening, type GrantedRows, type Part, Scope } from "#query/scope.ts";
import type { Dataset } from "./dataset.ts";
import { mergedGrants } from "./merged-grants.ts";

/** The part of a dataset that its rules leave to a reader. */
export interface ReaderPart {
  readonly scope: Scope;
  /** Stored, computed and looked-up columns that the reader does not have. */
  readonly withheld: ReadonlySet<string>;
  /** Stored columns whose values are coarse. */
  readonly coarse: ReadonlyMap<string, CoarseForm>;
  readonly rows: ReaderAccess["rows"];
  readonly notes: readonly string[];
  /** Whether the reader is told of it. */
  readonly isTold: boolean;
}

/** Makes the key of a scope from a text that tells the whole scope. */
export type KeyOfScope = (text: string) => string;

type StoredColumn = Pick<Column, "name" | "type" | "day">;

/** Null for a dataset without rules. Never throws: what cannot be applied makes a scope of which nothing can be read. */
export function partOf(dataset: Dataset, reader: SignedInUser, keyOf: KeyOfScope): ReaderPart | null {
  const { access } = dataset;
  if (!access) return null;
  const { withheld, coarse } = columnsOf(dataset, access, reader.roles);
  const about = { withheld, coarse, isTold: access.tellReaders !== false };
  const stored = dataset.schema.columns.filter(({ combined, computed }) => combined === null && computed === undefined);
  try {
    const narrowing = (access.rules ?? []).flatMap((rule) => {
      const grants = grantsOf(dataset, rule.grants, reader, stored);
      return grants === "all" ? [] : [{ grants, note: rule.note }];
    });
    const rules = narrowing.map(({ grants }) => grants);
    const notes = narrowing.flatMap(({ note = "" }) => (note === "" ? [] : [note]));
    const rows = rules.length === 0 ? "all" : rules.some((grants) => grants.length === 0) ? "none" : "some";
    const inner = [...rules, ...unseenFilters(dataset, stored, about)];
    return { ...about, scope: scopeOf(inner, stored, about, keyOf), rows, notes };
  } catch (error) {
    if (!(error instanceof RuleMismatch || error instanceof EngineFailed)) throw error;
    return { ...about, scope: Scope.unreadable(rulesCannotBeAppliedText), rows: "none", notes: [] };
  }
}

/** A rule that does not fit its dataset any more. */
class RuleMismatch extends Error {}

type ColumnsOfPart = Pick<ReaderPart, "withheld" | "coarse">;

/** The columns of a dataset that a holder of these roles does not have, and those whose values are coarse. */
export function columnsOf({ schema, lookups = [] }: Pick<Dataset, "schema" | "lookups">, access: DatasetAccess, roles: readonly string[]) {
  const withheld = new Set<string>();
  const coarse = new Map<string, CoarseForm>();
  const named = new Set<string>();
  for (const { names, roles: shownTo, others } of access.columns ?? []) {
    for (const name of names) named.add(name);
    if (holdsAny(roles, shownTo)) continue;
    for (const name of names) {
      if (others === "withheld") withheld.add(name);
      else coarse.set(name, others);
    }
  }
  if (access.unnamedColumns === "withheld") {
    const plain = schema.columns.flatMap(({ name, combined }) => (combined === null ? [name] : []));
    const looked = lookups.flatMap(({ columns }) => columns.map(({ name }) => name));
    for (const name of [...plain, ...looked]) if (!named.has(name)) withheld.add(name);
  }
  return { withheld, coarse };
}

/** The grants that a reader holds; `all` if one shows every row. */
function grantsOf(
  dataset: Dataset,
  grants: readonly AccessGrant[],
  reader: SignedInUser,
  stored: readonly StoredColumn[],
): readonly GrantedRows[] | "all" {
  const held = grants.filter(({ roles }) => holdsAny(reader.roles, roles));
  const found: GrantedRows[] = [];
  for (const { rows } of held) {
    if (rows === "all") return "all";
    const conditions = conditionsOf(rows.filters ?? [], reader, stored);
    if (conditions === null) continue;
    found.push({ conditions, timeRange: timeRangeOf(dataset, rows, stored), area: areaOf(dataset, rows) });
  }
  return mergedGrants(found);
}

/** The number of alternatives for a holder of every grant of a rule but those of all rows, for each rule. */
export function grantCounts(dataset: Dataset): number[] {
  const rules = dataset.access?.rules ?? [];
  const stored = dataset.schema.columns.filter(({ combined, computed }) => combined === null && computed === undefined);
  try {
    return rules.map(({ grants }) => {
      const narrowing = grants.filter(({ rows }) => rows !== "all");
      const reader = madeUpReader({ roles: narrowing.flatMap(({ roles }) => roles), groupNames: ["group"], username: "username" });
      return grantsOf(dataset, narrowing, reader, stored).length;
    });
  } catch (error) {
    if (!(error instanceof RuleMismatch)) throw error;
    return [];
  }
}

/** Null if no row can satisfy them, because the reader has no value to compare with. */
function conditionsOf(filters: readonly RuleFilter[], reader: SignedInUser, stored: readonly StoredColumn[]): PlainCondition[] | null {
  const conditions: PlainCondition[] = [];
  for (const filter of filters) {
    const column = stored.find(({ name }) => name === filter.name);
    if (column === undefined) throw new RuleMismatch();
    if (!hasValueOfReader(filter)) {
      conditions.push(conditionOf(column, filter));
      continue;
    }
    const values = valuesOf(reader)[filter.valueFrom];
    if (values.length > accessLimits.readerValues || column.type !== "STRING") throw new RuleMismatch();
    if (values.length === 0) return null;
    conditions.push({ column: column.name, type: column.type, operator: "in", values: values.map((value) => ({ value })), empty: false });
  }
  return conditions;
}

const valuesOf = ({ username, groupNames, roles }: SignedInUser) => ({
  username: [username],
  groups: groupNames.toSorted(),
  roles: roles.toSorted(),
});

function conditionOf(column: StoredColumn, { operator: sign, value }: RuleComparison): PlainCondition {
  const subject = { column: column.name, type: column.type };
  if (sign !== "in" && sign !== "between") {
    if (Array.isArray(value)) throw new RuleMismatch();
    if (value === null) return { ...subject, operator: sign, value: null };
    return { ...subject, operator: sign, value: operandOf(column, value).value, ...furtherOf(column, value) };
  }
  if (!Array.isArray(value)) throw new RuleMismatch();
  const days = isDay(column) ? ({ day: true } as const) : {};
  const operands = value.flatMap((one) => (one === null ? [] : [operandOf(column, one)]));
  if (sign === "in") return { ...subject, ...days, operator: sign, values: operands, empty: value.includes(null) };
  const [low, high] = operands;
  if (low === undefined || high === undefined) throw new RuleMismatch();
  return { ...subject, ...days, operator: sign, low, high };
}

function operandOf(column: StoredColumn, value: string | number | boolean): Operand {
  const parsed = parseFilterValue(column.type, value);
  if ("problem" in parsed) throw new RuleMismatch();
  const { digits } = furtherOf(column, value);
  return { value: parsed.value, ...(digits === undefined ? {} : { digits }) };
}

type Rows = Exclude<AccessGrant["rows"], "all">;

function timeRangeOf({ temporalField }: Dataset, { timeRange }: Rows, stored: readonly StoredColumn[]): GrantedRows["timeRange"] {
  if (timeRange === undefined) return null;
  const column = stored.find(({ name }) => name === temporalField);
  if (column === undefined) throw new RuleMismatch();
  const { start, end } = timeRange;
  return {
    column: column.name,
    type: column.type,
    startMs: start === undefined ? -Infinity : Date.parse(start),
    endMs: end === undefined ? Infinity : Date.parse(end),
  };
}

function areaOf({ schema, locationField }: Dataset, { geospatial }: Rows): GrantedRows["area"] {
  if (geospatial === undefined) return null;
  const combined = schema.columns.find(({ name }) => name === locationField)?.combined;
  const [latitude, longitude] = combined?.type === "COORDINATES" ? combined.fields : [];
  if (latitude === undefined || longitude === undefined) throw new RuleMismatch();
  const rings = geospatial.polygons.map((text) => {
    const parsed = parseRing(text);
    if (!("ring" in parsed)) throw new RuleMismatch();
    return parsed.ring;
  });
  return { latitude, longitude, rings };
}

/** The dataset's own filters on columns that the reader does not have as stored: they narrow the rows unseen. */
function unseenFilters({ filterSupport }: Dataset, stored: readonly StoredColumn[], { withheld, coarse }: ColumnsOfPart): GrantedRows[][] {
  const preFilledFilters = filterSupport.preFilledFilters.filter(
    ({ name }) => (withheld.has(name) || coarse.has(name)) && stored.some((column) => column.name === name),
  );
  if (preFilledFilters.length === 0) return [];
  const conditions: ComparisonCondition[] = ownConditionsOf(stored, { preFilledFilters });
  return [[{ conditions, timeRange: null, area: null }]];
}

function scopeOf(rules: Part["rules"], stored: readonly StoredColumn[], { withheld, coarse }: ColumnsOfPart, keyOf: KeyOfScope): Scope {
  const named = new Set(rules.flat().flatMap(columnsOfGrant));
  const hidden = stored.filter(({ name }) => withheld.has(name) && named.has(name)).map(({ name, type, day }) => ({ name, type, day }));
  // Not even if only computed columns are withheld: what is stored of rows with them is kept by the scope.
  if (rules.length + coarse.size + withheld.size === 0) return Scope.whole;
  const part: Part = { rules, hidden, coarse: new Map([...coarse].map(([name, form]) => [name, coarseningOf(form)])) };
  const text = [
    rules.map((grants) => grants.map(keyOfGrant)),
    [...withheld].toSorted(),
    [...coarse].toSorted(([one], [other]) => (one < other ? -1 : 1)),
  ];
  return Scope.of(keyOf(JSON.stringify(text)), part);
}

const keyOfGrant = ({ conditions, timeRange, area }: GrantedRows): unknown => [conditionsKey(conditions), timeRange, area];

function coarseningOf(form: CoarseForm): Coarsening {
  if (form === "empty") return { kind: "empty" };
  if ("first" in form) return { kind: "first", characters: form.first };
  return "step" in form ? { kind: "step", step: form.step } : { kind: "start", unit: form.start };
}
