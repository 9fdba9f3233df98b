import { type Column, operator, operatorsOf } from "@fairway/contract/columns";
import type { AccessGrant, AccessRule, CoarseForm, ColumnRule, DatasetAccess, RuleFilter } from "@fairway/contract/dataset-access";
import type { FieldFilter, FilterValue } from "@fairway/contract/datasets";
import { hasValueOfReader } from "@fairway/contract/dataset-access";
import { listItemText } from "@fairway/contract/filter-writing";
import { readFilterValue } from "#parts/filters/filter-value.ts";
import { listOf } from "#parts/filters/further-draft.ts";
import { type Edge, parseTime } from "#parts/filters/time-input.ts";
import { columnFilter } from "#parts/search-model/filter-list.ts";

/** Conditions beyond the six comparisons, by their value in the list of conditions. */
export const furtherConditions = ["in", "between", "empty", "filled", "username", "groups", "roles"] as const;
export type Condition = Extract<RuleFilter, { value: unknown }>["operator"] | (typeof furtherConditions)[number];

/** A filter of a grant, with its values as they are typed. */
export interface FilterDraft {
  readonly key: number;
  readonly name: string;
  readonly condition: Condition;
  readonly value: FilterValue;
  readonly list: string;
  readonly low: FilterValue;
  readonly high: FilterValue;
  /** As it is stored; undefined once it is changed. */
  readonly stored?: RuleFilter | undefined;
}

export interface GrantDraft {
  readonly key: number;
  readonly roles: readonly string[];
  readonly isAll: boolean;
  readonly filters: readonly FilterDraft[];
  /** Ends as they are typed; null without a time range. */
  readonly timeRange: { readonly start: string; readonly end: string } | null;
  /** Polygons, one a line; null without an area. */
  readonly area: string | null;
}

export interface RuleDraft {
  readonly key: number;
  readonly name: string;
  readonly note: string;
  readonly grants: readonly GrantDraft[];
}

/** Columns by their names. Those without an entry have no rule. */
export type ColumnDrafts = Readonly<Record<string, Pick<ColumnRule, "roles" | "others">>>;

export interface AccessDraft {
  /** Of the dataset. */
  readonly roles: string[];
  readonly rules: readonly RuleDraft[];
  readonly columns: ColumnDrafts;
  readonly unnamedColumns: "shown" | "withheld";
  readonly tellReaders: boolean;
}

let lastKey = 0;
const newKey = (): number => (lastKey += 1);

export const newFilter = ({ name }: Pick<Column, "name">): FilterDraft => ({
  key: newKey(),
  name,
  condition: "=",
  value: "",
  list: "",
  low: "",
  high: "",
});
export const newGrant = (): GrantDraft => ({ key: newKey(), roles: [], isAll: true, filters: [], timeRange: null, area: null });
export const newRule = (): RuleDraft => ({ key: newKey(), name: "", note: "", grants: [newGrant()] });

/** The draft of stored rules. */
export function draftOfAccess(roles: string[], access: DatasetAccess | null | undefined): AccessDraft {
  return {
    roles,
    rules: (access?.rules ?? []).map((rule) => ({
      key: newKey(),
      name: rule.name,
      note: rule.note ?? "",
      grants: rule.grants.map(draftOfGrant),
    })),
    columns: Object.fromEntries(
      (access?.columns ?? []).flatMap(({ names, ...rule }) => names.map((name) => [name, { roles: rule.roles, others: rule.others }])),
    ),
    unnamedColumns: access?.unnamedColumns ?? "shown",
    tellReaders: access?.tellReaders ?? true,
  };
}

function draftOfGrant({ roles, rows }: AccessGrant): GrantDraft {
  if (rows === "all") return { ...newGrant(), roles };
  const { filters = [], timeRange, geospatial } = rows;
  return {
    key: newKey(),
    roles,
    isAll: false,
    filters: filters.map(draftOfFilter),
    timeRange: timeRange === undefined ? null : { start: timeRange.start ?? "", end: timeRange.end ?? "" },
    area: geospatial === undefined ? null : geospatial.polygons.join("\n"),
  };
}

function draftOfFilter(filter: RuleFilter): FilterDraft {
  const started = { ...newFilter(filter), stored: filter };
  if (hasValueOfReader(filter)) return { ...started, condition: filter.valueFrom };
  const { operator: sign, value } = filter;
  if (Array.isArray(value)) {
    const [low, high] = value;
    return sign === "between"
      ? { ...started, condition: sign, low: low ?? "", high: high ?? "" }
      : { ...started, condition: sign, list: value.map((one) => (one === null ? "empty" : listItemText(String(one)))).join("\n") };
  }
  if (value === null) return { ...started, condition: sign === "<>" ? "filled" : "empty" };
  return { ...started, condition: sign, value };
}

/** A filter of the search form on the column. */
export const fieldOfColumn = (column: Column): FieldFilter => ({ ...columnFilter(column, []), operators: [...operatorsOf(column.type)] });

/** Rules as they are stored, and what of the draft cannot be read. */
export type Written = { readonly access: DatasetAccess | null; readonly problems: readonly { path: string; message: string }[] };

/** The rules as they are stored. Values that cannot be read are problems. */
export function accessOf(draft: AccessDraft, columns: readonly Column[]): Written {
  const problems: { path: string; message: string }[] = [];
  const rules = draft.rules.map(({ name, note, grants }, index): AccessRule => ({
    name,
    ...(note.trim() === "" ? {} : { note }),
    grants: grants.map((grant, at): AccessGrant => {
      const path = `access.rules.${index}.grants.${at}.rows`;
      return {
        roles: [...grant.roles],
        rows: rowsOf(grant, columns, (place, message) => problems.push({ path: `${path}.${place}`, message })),
      };
    }),
  }));
  const columnRules = columnRulesOf(draft.columns);
  for (const [index, { others }] of columnRules.entries()) {
    const message = numberProblem(others);
    if (message !== undefined) problems.push({ path: `access.columns.${index}.others`, message });
  }
  const access: DatasetAccess = {
    ...(rules.length > 0 ? { rules } : {}),
    ...(columnRules.length > 0 ? { columns: columnRules } : {}),
    ...(draft.unnamedColumns === "withheld" ? { unnamedColumns: draft.unnamedColumns } : {}),
    ...(draft.tellReaders ? {} : { tellReaders: draft.tellReaders }),
  };
  return { access: Object.keys(access).length === 0 ? null : access, problems };
}

function numberProblem(others: ColumnRule["others"]): string | undefined {
  if (typeof others === "string" || "start" in others) return undefined;
  if ("step" in others) return others.step > 0 ? undefined : "Add a number above 0.";
  return Number.isInteger(others.first) && others.first >= 1 && others.first <= 20 ? undefined : "Add a whole number from 1 to 20.";
}

type Refuse = (place: string, message: string) => void;

function rowsOf({ isAll, filters, timeRange, area }: GrantDraft, columns: readonly Column[], refuse: Refuse): AccessGrant["rows"] {
  if (isAll) return "all";
  const start = timeRange === null ? undefined : momentOf(timeRange.start, "start", refuse);
  const end = timeRange === null ? undefined : momentOf(timeRange.end, "end", refuse);
  if (timeRange !== null && timeRange.start.trim() === "" && timeRange.end.trim() === "") refuse("timeRange", "Add a start or an end.");
  const polygons = area === null ? [] : area.split(/\r?\n/).filter((line) => line.trim() !== "");
  if (area !== null && polygons.length === 0) refuse("geospatial", "Add a polygon.");
  return {
    ...(filters.length > 0
      ? {
          filters: filters.map((filter, index) =>
            filterOf(filter, columns, (place, message) => refuse(`filters.${index}.${place}`, message)),
          ),
        }
      : {}),
    ...(timeRange === null ? {} : { timeRange: { ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) } }),
    ...(area === null ? {} : { geospatial: { polygons, antimeridianPolygons: false as const } }),
  };
}

function momentOf(text: string, edge: Edge, refuse: Refuse): string | undefined {
  if (text.trim() === "") return undefined;
  // As it is stored: typed times are whole seconds.
  const epochMs = parseTime(text, edge);
  if (epochMs !== undefined && /^\d{4}-[^T]*T[^Z]*Z$/.test(text)) return text;
  if (epochMs === undefined) refuse(`timeRange.${edge}`, "Not a time. Try 09/02/2004, 12:00:00 AM or 2004-09-02T00:00:00Z.");
  return epochMs === undefined ? undefined : new Date(epochMs).toISOString();
}

export function filterOf(filter: FilterDraft, columns: readonly Column[], refuse: Refuse): RuleFilter {
  if (filter.stored) return filter.stored;
  const { name, condition } = filter;
  const column = columns.find((one) => one.name === name);
  const read = (value: FilterValue, place = "value"): FilterValue => {
    const parsed = column === undefined ? { value } : readFilterValue(column, value);
    if ("problem" in parsed) refuse(place, parsed.problem);
    else if (parsed.value === "") refuse(place, "Add a value.");
    return "value" in parsed ? parsed.value : value;
  };
  switch (condition) {
    case "username":
    case "groups":
    case "roles":
      return { name, operator: "=", valueFrom: condition };
    case "empty":
    case "filled":
      return { name, operator: condition === "empty" ? "=" : "<>", value: null };
    case "between":
      return { name, operator: condition, value: [read(filter.low, "value.0"), read(filter.high, "value.1")] };
    case "in": {
      const list = column === undefined ? { problem: "The dataset has no such column." } : readList(column, filter.list);
      if ("problem" in list) refuse("value", list.problem);
      return { name, operator: condition, value: "values" in list ? list.values : [filter.list] };
    }
    case "=":
    case "<>":
    case "<":
    case "<=":
    case ">":
    case ">=":
      return { name, operator: condition, value: read(filter.value) };
    default:
      return condition satisfies never;
  }
}

/** The values of a column in a list as typed, one a line or separated by commas; null stands for rows without one. */
function readList(column: Column, text: string): { readonly values: (FilterValue | null)[] } | { readonly problem: string } {
  const typed = { ...column, operators: [], moreOperators: ["in"] as const, canBeEmpty: true };
  const list = listOf(typed, "in", text);
  if ("problem" in list) return list;
  const read = list.value.map((value) => (value === null || column.type === "STRING" ? { value } : readFilterValue(column, value)));
  const refused = read.find((one) => "problem" in one);
  return refused && "problem" in refused ? refused : { values: read.flatMap((one) => ("value" in one ? [one.value] : [])) };
}

/** Whether a text of a time means the same second as the stored one: a field that is left writes its time in another format. */
export function isStoredMoment(stored: FilterValue, text: FilterValue, edge: Edge = "start"): boolean {
  const [a, b] = [parseTime(String(stored), edge), parseTime(String(text), edge)];
  return String(stored).endsWith("Z") && a !== undefined && a === b;
}

/** Columns with the same readers and the same form are one rule. */
export function columnRulesOf(columns: ColumnDrafts): ColumnRule[] {
  const rules = new Map<string, ColumnRule>();
  for (const [name, { roles, others }] of Object.entries(columns)) {
    const key = JSON.stringify([roles, others]);
    const rule = rules.get(key) ?? { names: [], roles: [...roles], others };
    rules.set(key, { ...rule, names: [...rule.names, name] });
  }
  return [...rules.values()];
}

/** The conditions that a column takes. */
export function conditionsOf({ type }: Pick<Column, "type">): readonly Condition[] {
  return [
    ...operator.options.filter((one) => operatorsOf(type).includes(one)),
    "in",
    ...(type === "BOOLEAN" ? [] : (["between"] as const)),
    "empty",
    "filled",
    ...(type === "STRING" ? (["username", "groups", "roles"] as const) : []),
  ];
}

export const conditionLabels: Readonly<Record<Condition, string>> = {
  "=": "is",
  "<>": "is not",
  "<": "is less than",
  "<=": "is at most",
  ">": "is greater than",
  ">=": "is at least",
  in: "is one of",
  between: "is between",
  empty: "has no value",
  filled: "has a value",
  username: "is the reader's username",
  groups: "is one of the reader's groups",
  roles: "is one of the reader's roles",
};

/** The forms of values that others than the named readers get. */
export type FormKind = "stored" | "withheld" | "empty" | "first" | "step" | "hour" | "day" | "month" | "year";

export function kindOfOthers(others: "withheld" | CoarseForm | undefined): FormKind {
  if (others === undefined) return "stored";
  if (typeof others === "string") return others;
  return "first" in others ? "first" : "step" in others ? "step" : others.start;
}
