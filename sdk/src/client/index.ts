export type * from "./api.ts";
export { FairwayError, type ErrorItem, type FailureCode } from "./errors.ts";
export { Fairway, type AggregateOptions, type DatasetEntry, type ExportOptions, type SearchOptions } from "./fairway.ts";
export type { Content, FileEntry, Files, GetOptions, ListOptions, PutOptions } from "./files.ts";
export {
  anyOf,
  type CalendarMembers,
  type ColumnConditions,
  type Conditions,
  type DatasetName,
  type FilterValue,
  type Lookup,
  type Operator,
  type Query,
  type SearchFilter,
  type Where,
} from "./query.ts";
export type { Page, Row, Search } from "./search.ts";
export type { FilteredMeasure, Measure, MeasureCondition, Summary, SummaryOptions, SummaryRow, Top } from "./summary.ts";
export type { CallOf, CallOptions, TransportOptions } from "./transport.ts";
