import { operator } from "../columns.ts";
import { filterValue } from "../datasets.ts";
import { aggregationType, type SearchDataDraft } from "../search.ts";
import { type Summary, versionedSummary } from "../summaries.ts";
import { z } from "zod";

export const graphTypes = ["bar", "line", "doughnut", "pie"] as const;
export type GraphType = (typeof graphTypes)[number];

export const groupingTypes = ["day", "hour", "custom"] as const;
export type GroupingType = (typeof groupingTypes)[number];

export const derivedTypes = ["ratio", "ratio-percent", "product", "sum", "delta"] as const;
export type DerivedType = (typeof derivedTypes)[number];

const color = z.string().regex(/^#[0-9a-f]{6}$/);
const key = z.string().min(1).max(100);
const name = z.string().max(1_000);

/** An additional filter of a group. `model` is the column name; the value is null for rows without a value. */
const condition = z.object({ id: key, model: name, operator, value: filterValue.nullable() });
export type Condition = z.infer<typeof condition>;

/**
 * A custom group. Temporal groups come from the time range; for them only chosen colors are stored here. `isRest`: the group of the
 * rows that are in no other group, without conditions of its own.
 */
const grouping = z.object({ id: key, label: name, conditions: z.array(condition).max(100), color, isRest: z.boolean().optional() });
export type Grouping = z.infer<typeof grouping>;

/** An aggregation per group. `model` is a column name, or `*` for a count of rows. */
const aggregate = z.object({ model: name, aggregation: aggregationType });
export type Aggregate = z.infer<typeof aggregate>;

const aggregateColumn = aggregate.extend({ id: key, color });
export type AggregateColumn = z.infer<typeof aggregateColumn>;

const derivedColumn = z.object({ id: key, label: name, type: z.enum(derivedTypes), column1: aggregate, column2: aggregate, color });
export type DerivedColumn = z.infer<typeof derivedColumn>;

export type GraphColumn = AggregateColumn | DerivedColumn;

export const isDerived = (column: GraphColumn): column is DerivedColumn => "column1" in column;

/** The definition of a graph, as stored in templates and in the tab. */
export const graphDefinition = z.object({
  title: name,
  type: z.enum(graphTypes),
  groupingType: z.enum(groupingTypes),
  /** Days of one temporal group by day. Default: 1. */
  days: z.int().min(1).max(100_000).optional(),
  groupings: z.array(grouping).max(10_000),
  columns: z.array(z.union([derivedColumn, aggregateColumn])).max(100),
  stacked: z.boolean().default(false),
  logAxis: z.boolean().default(false),
  /** Whether the line of a column is drawn across groups without a value, dashed. Default: true. */
  bridged: z.boolean().optional(),
});
export type GraphDefinition = z.infer<typeof graphDefinition>;

/** A graph as stored in the tab across reloads; its values are requested again. */
export const storedGraph = graphDefinition.extend({
  id: key,
  hasShownLargeGroupingWarning: z.boolean(),
  isCancelled: z.boolean().default(false),
});
export type StoredGraph = z.infer<typeof storedGraph>;

/** A number; a string for integers beyond 2^53; null if the group has none. */
export type GraphValue = number | string | null;

/** One group of rows: its color in round charts, and the constraints on its rows. */
export interface Group {
  id: string;
  label: string;
  color: string;
  /** Epoch milliseconds, both ends inclusive. Null for a custom group. */
  time: { startMs: number; endMs: number } | null;
  conditions: readonly Condition[];
  /** The group of the rows that are in no other one. */
  isRest?: boolean;
}

/** Values from the gateway: one row per group, in the order of the aggregates. */
export interface GraphData {
  groups: readonly Group[];
  aggregates: readonly Aggregate[];
  values: readonly (readonly GraphValue[])[];
}

/** A graph of an open search. */
export interface Graph extends GraphDefinition {
  readonly id: string;
  data: GraphData | null;
  isLoading: boolean;
  hasLoadingError: boolean;
  /** Messages of the failure. */
  loadingErrors: readonly string[];
  /** The user canceled it before its values were loaded. */
  isCancelled: boolean;
  /** Start of the running request and its progress. */
  startedMs: number | null;
  progress: { done: number; of: number };
  isZoomed: boolean;
  hasShownLargeGroupingWarning: boolean;
  /** The search whose rows are grouped, as sent. */
  searchPayload: SearchDataDraft;
  datasetCategory: string;
  datasetId: string;
}

export const aggregateKey = ({ model, aggregation }: Aggregate): string => `${aggregation}(${model})`;

export const definitionOf = (graph: GraphDefinition): GraphDefinition => ({
  title: graph.title,
  type: graph.type,
  groupingType: graph.groupingType,
  ...(graph.days === undefined ? {} : { days: graph.days }),
  groupings: graph.groupings,
  columns: graph.columns,
  stacked: graph.stacked,
  logAxis: graph.logAxis,
  ...(graph.bridged === undefined ? {} : { bridged: graph.bridged }),
});

/** Doughnut and pie charts have a color per group; bar and line charts have one per column. */
export const isRound = ({ type }: { type: GraphType }): boolean => type === "doughnut" || type === "pie";

/** Serializes a graph for a template, without values. */
export const templateText = (definition: GraphDefinition): string => JSON.stringify(definitionOf(definition));

export const templateOf = (definition: GraphDefinition) => ({ title: definition.title, json: templateText(definition) });

/** Null if the text is not a graph. */
export function templateDefinition(text: string): GraphDefinition | null {
  const parsed = graphDefinition.safeParse(parseJson(text));
  return parsed.success ? parsed.data : null;
}

/** Null if the text is not a summary. */
export const templateSummary = (text: string): Summary | null => summaryOf(parseJson(text));

/** The summary that a template or a panel of a board keeps; null for anything else. */
export function summaryOf(stored: unknown): Summary | null {
  const parsed = versionedSummary.safeParse(stored);
  if (!parsed.success) return null;
  const { version: _, ...summary } = parsed.data;
  return summary;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
