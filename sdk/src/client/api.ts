// Generated from the OpenAPI document by sdk/build.

export type AggregateAnswer = Record<string, string | number | boolean | null>;

export interface AggregateBatch {
  search: SearchData;
  groups: Array<{
    id: string;
    timeRange?: {
      start?: string;
      end?: string;
    };
    filters?: Array<{
      name: string;
      value: string | number | boolean | null;
      operator: "=" | "<>" | "<" | "<=" | ">" | ">=";
    }>;
  }>;
  aggregations: Array<{
    aggregation: string;
    column: string;
  }>;
}

export interface AggregateBatchAnswer {
  groups: Array<{
    id: string;
    values: Array<string | number | boolean | null>;
  }>;
}

export interface Alert {
  id: string;
  name: string;
  savedSearch: {
    id: string;
    name: string;
  } | null;
  dataset: DatasetRef;
  link: string | null;
  condition: AlertCondition;
  everyMinutes: number;
  tellWhenOver: boolean;
  email: boolean;
  webhook: {
    url: string;
    state: "ok" | "failing" | "dead";
    problem: string;
  } | null;
  state: "new" | "ok" | "firing" | "snoozed" | "paused";
  pausedBy: "owner" | "portal" | "administrator" | null;
  reason: string;
  snoozedUntilMs: number | null;
  lastCheckedMs: number | null;
  nextCheckMs: number | null;
  seen: {
    rows: number | null;
    newestMs: number | null;
  } | null;
  createdDateMs: number;
}

export interface AlertCheck {
  id: string;
  checkedMs: number;
  kind: "ok" | "firing" | "failed" | "paused" | "resumed";
  seen: {
    rows: number | null;
    newestMs: number | null;
    newRows: number | null;
  } | null;
  told: Array<"portal" | "email" | "webhook">;
  reason: string;
  durationMs: number;
}

export type AlertCondition = {
  kind: "new-rows";
} | {
  kind: "above";
  rows: number;
} | {
  kind: "below";
  rows: number;
} | {
  kind: "changed";
  percent: number;
};

export interface AlertHistory {
  checks: AlertCheck[];
  hasMore: boolean;
}

export interface AlertList {
  alerts: Alert[];
  emailAddress: string | null;
  sendsEmail?: boolean;
}

export interface Board {
  id: string;
  name: string;
  description: string;
  owner: string;
  isOwn: boolean;
  sharedWithRoles: string[];
  panels: number;
  version: number;
  createdDateMs: number;
  updatedDateMs: number;
  content: BoardContent;
}

export interface BoardContent {
  timeRange?: {
    start?: string;
    end?: string;
    last: string;
  } | {
    start?: string;
    end?: string;
    last?: unknown;
  };
  geospatial?: {
    polygons: string[];
  };
  refreshMinutes: number | null;
  panels: BoardPanel[];
}

export type BoardPanel = {
  kind: "text";
  title: string;
  text: string;
  id: string;
  place: PanelPlace;
} | {
  kind: "number";
  title: string;
  dataset: DatasetRef;
  query: {
    timeRange?: {
      start?: string;
      end?: string;
      last: string;
    } | {
      start?: string;
      end?: string;
      last?: unknown;
    };
    geospatial?: {
      polygons: string[];
    };
    filters: Array<{
      name: string;
      value: string | number | boolean | null;
      operator: "=" | "<>" | "<" | "<=" | ">" | ">=";
    }>;
    columns?: string[];
    sort?: Array<{
      column: string;
      direction: "asc" | "desc";
    }>;
    view?: "table" | "raw" | "map" | "graphs";
  };
  value: {
    aggregation: "count" | "avg" | "min" | "max" | "sum";
    column: string;
  };
  id: string;
  place: PanelPlace;
} | {
  kind: "graph";
  title: string;
  dataset: DatasetRef;
  query: {
    timeRange?: {
      start?: string;
      end?: string;
      last: string;
    } | {
      start?: string;
      end?: string;
      last?: unknown;
    };
    geospatial?: {
      polygons: string[];
    };
    filters: Array<{
      name: string;
      value: string | number | boolean | null;
      operator: "=" | "<>" | "<" | "<=" | ">" | ">=";
    }>;
    columns?: string[];
    sort?: Array<{
      column: string;
      direction: "asc" | "desc";
    }>;
    view?: "table" | "raw" | "map" | "graphs";
  };
  graph: Record<string, unknown>;
  id: string;
  place: PanelPlace;
} | {
  kind: "table";
  title: string;
  dataset: DatasetRef;
  query: {
    timeRange?: {
      start?: string;
      end?: string;
      last: string;
    } | {
      start?: string;
      end?: string;
      last?: unknown;
    };
    geospatial?: {
      polygons: string[];
    };
    filters: Array<{
      name: string;
      value: string | number | boolean | null;
      operator: "=" | "<>" | "<" | "<=" | ">" | ">=";
    }>;
    columns?: string[];
    sort?: Array<{
      column: string;
      direction: "asc" | "desc";
    }>;
    view?: "table" | "raw" | "map" | "graphs";
  };
  id: string;
  place: PanelPlace;
} | {
  kind: "map";
  title: string;
  dataset: DatasetRef;
  query: {
    timeRange?: {
      start?: string;
      end?: string;
      last: string;
    } | {
      start?: string;
      end?: string;
      last?: unknown;
    };
    geospatial?: {
      polygons: string[];
    };
    filters: Array<{
      name: string;
      value: string | number | boolean | null;
      operator: "=" | "<>" | "<" | "<=" | ">" | ">=";
    }>;
    columns?: string[];
    sort?: Array<{
      column: string;
      direction: "asc" | "desc";
    }>;
    view?: "table" | "raw" | "map" | "graphs";
  };
  colorBy?: string;
  sizeBy?: string;
  id: string;
  place: PanelPlace;
} | {
  kind: "hidden";
  id: string;
  place: PanelPlace;
};

export interface BoardSummary {
  id: string;
  name: string;
  description: string;
  owner: string;
  isOwn: boolean;
  sharedWithRoles: string[];
  panels: number;
  version: number;
  createdDateMs: number;
  updatedDateMs: number;
}

export interface CatalogEntry {
  dataset: DatasetRef;
  description: string;
  communityDescription: string;
  containsLocationData: boolean;
  supportsMapResults: boolean;
}

export interface CatalogHit {
  dataset: DatasetRef;
  description: string;
  communityDescription: string;
  containsLocationData: boolean;
  supportsMapResults: boolean;
  matches: CatalogMatch[];
  missing?: string[];
}

export interface CatalogHits {
  total: number;
  hits: CatalogHit[];
}

export interface CatalogMatch {
  field: "name" | "category" | "tag" | "column" | "description" | "columnDescription";
  layer: "system" | "community" | "private";
  columnName: string | null;
  text: string;
  ranges: Array<{
    start: number;
    end: number;
  }>;
}

export interface Column {
  name: string;
  type: "STRING" | "BOOLEAN" | "integer" | "decimal" | "TIMESTAMP_SECONDS" | "TIMESTAMP_MILLS";
  description: string;
  combined: {
    type: "COORDINATES" | "FILESET";
    fields: string[];
    joinedBy: string;
  } | null;
  unit?: string;
  day?: boolean;
}

export interface ColumnDistributions {
  rows: number;
  countedRows: number;
  columns: ProfiledColumn[];
}

export interface ColumnDistributionsRequest {
  paging?: {
    offset: number;
    max: number;
  };
  timeRange?: {
    start?: string;
    end?: string;
  };
  geospatial?: {
    polygons: string[];
    antimeridianPolygons: boolean;
  };
  filters?: Array<{
    name: string;
    value: string | number | boolean | null;
    operator: "=" | "<>" | "<" | "<=" | ">" | ">=";
  }>;
  columns: string[];
  sort?: Array<{
    column: string;
    direction: "asc" | "desc";
  }>;
}

export interface ColumnProfile {
  rows: number;
  empty: number;
  distinct: number;
  min: string | number | boolean | null;
  max: string | number | boolean | null;
  top: Array<{
    value: string | number | boolean | null;
    rows: number;
  }>;
  histogram: Array<{
    from: number;
    to: number;
    rows: number;
  }>;
}

export interface DatasetCategory {
  id: string;
  description: string;
  datasets: Array<{
    datasetCategory: string;
    datasetId: string;
    description: string;
    supportsMapResults: boolean;
  }>;
}

export interface DatasetDescription {
  category: {
    id: string;
    description: string;
  };
  datasetId: string;
  description: string;
  schema: {
    columns: Column[];
  };
  features: Array<"SAMPLE" | "PAGINATION" | "COUNT">;
  assists: Array<"SORTING" | "SUGGESTIONS" | "PROFILE" | "EXPORT">;
  filterSupport: {
    supportsTimeRange: boolean;
    supportsGeospatial: boolean;
    supportsAdvancedFiltering: boolean;
    requiredOrFields: string[] | null;
    staticFilters: FieldFilter[];
    preFilledFilters: FieldFilter[];
    additionalFilters: FieldFilter[];
  };
  linkedDatasets: Array<{
    datasetCategory: string;
    datasetId: string;
    display: string;
    filters: Array<{
      name: string;
      operator: "=" | "<>" | "<" | "<=" | ">" | ">=";
      value?: string | number | boolean;
      fromColumn?: string;
    }>;
  }>;
  faMapIcon: string | null;
  mapSupport: {
    groupItemField: string;
    itemLocationField: string;
    itemTemporalField: string;
    colorField?: string | null;
    sizeField?: string | null;
  } | null;
  titleField: string | null;
  subtitleField: string | null;
  temporalField: string | null;
  timeExtent: {
    startMs: number;
    endMs: number;
  } | null;
}

export interface DatasetRef {
  datasetCategory: string;
  datasetId: string;
}

export interface DatasetSchema {
  dataset: DatasetRef;
  description: string;
  communityDescription: string;
  userDescription: string;
  containsLocationData: boolean;
  supportsMapResults: boolean;
  columns: Array<{
    id: string;
    name: string;
    type: number;
    unit?: string;
    day?: boolean;
    description: string;
    communityDescription: string;
    userDescription: string;
  }>;
}

export interface DescriptionLayer {
  description: string;
  columns: Array<{
    name: string;
    description: string;
  }>;
}

export interface DescriptionRevision {
  description: string;
  columns: Array<{
    name: string;
    description: string;
  }>;
  version: number;
  username: string;
  suggestedBy: string | null;
  savedMs: number;
}

export interface DescriptionsDraft {
  description: string;
  columnDescriptions: Array<{
    columnName: string;
    description: string;
  }>;
}

export interface Errors {
  errors: Array<{
    code: "invalid-request" | "malformed-json" | "unknown-column" | "unknown-operator" | "unknown-aggregation" | "invalid-value" | "reversed-range" | "not-supported" | "missing-filter" | "not-signed-in" | "wrong-credentials" | "invalid-refresh-token" | "sign-in-again" | "provider-ended" | "forbidden" | "second-factor-required" | "not-found" | "method-not-allowed" | "name-taken" | "stale-version" | "in-use" | "conflict" | "too-large" | "unsupported-media-type" | "range-not-satisfiable" | "host-not-allowed" | "infected" | "too-many-requests" | "abandoned" | "internal" | "upstream-failed" | "engine-busy" | "not-ready" | "timed-out" | "no-room";
    message: string;
    path?: string;
  }>;
  current?: unknown;
}

export interface ExportDraft {
  format: "csv" | "json" | "parquet" | "arrow";
  search: SearchData;
  columns?: string[];
}

export interface ExportManifest {
  exportId: string;
  dataset: DatasetRef;
  format: "csv" | "json" | "parquet" | "arrow";
  columns: string[];
  query: ExportedSearch;
  preFilledFilters: Array<{
    name: string;
    operator: "=" | "<>" | "<" | "<=" | ">" | ">=";
    value: string | number | boolean | null;
  }>;
  user: string;
  startedAt: string;
  finishedAt: string;
  runMs: number;
  rows: number;
  totalRows: number | null;
  cut: boolean;
  maxRows: number;
  file: {
    name: string;
    bytes: number;
  };
}

export interface ExportState {
  exportId: string;
  status: "running" | "done" | "failed" | "cancelled";
  rows: number;
  totalRows: number | null;
  cut: boolean;
  failure: string | null;
  file: {
    name: string;
    bytes: number;
  } | null;
}

export interface ExportedSearch {
  paging?: {
    offset: number;
    max: number;
  };
  timeRange?: {
    start: string;
    end: string;
  };
  geospatial?: {
    polygons: string[];
    antimeridianPolygons: boolean;
  };
  filters: Array<{
    name: string;
    value: string | number | boolean | null;
    operator: "=" | "<>" | "<" | "<=" | ">" | ">=";
  }>;
  columns?: string[];
  sort?: Array<{
    column: string;
    direction: "asc" | "desc";
  }>;
}

export interface FieldFilter {
  id: string;
  name: string;
  display: string;
  description: string;
  required: boolean;
  type: "STRING" | "BOOLEAN" | "integer" | "decimal" | "TIMESTAMP_SECONDS" | "TIMESTAMP_MILLS" | "number";
  value: string | number | boolean | null;
  operator: "=" | "<>" | "<" | "<=" | ">" | ">=";
  operators?: Array<"=" | "<>" | "<" | "<=" | ">" | ">=">;
  preFilled: boolean;
  day?: boolean;
}

export interface FilesetEntry {
  id: string;
  description: string;
  allowsUploads: boolean;
}

export interface FilesetFile {
  filename: string;
  size: number;
  lastModified: string;
}

export interface FilesetListing {
  files: FilesetFile[];
  commonPrefixes: string[];
  nextContinuationToken: string | null;
  leftOut?: string[];
}

export interface PanelPlace {
  x: number;
  y: number;
  w: number;
  h: number;
}

export interface PathCount {
  totalResults: number;
}

export interface PathData {
  paging?: {
    offset: number;
    max: number;
  };
  timeRange?: {
    start?: string;
    end?: string;
  };
  geospatial?: {
    polygons: string[];
    antimeridianPolygons: boolean;
  };
  filters?: Array<{
    name: string;
    value: string | number | boolean | null;
    operator: "=" | "<>" | "<" | "<=" | ">" | ">=";
  }>;
  columns?: string[];
  sort?: Array<{
    column: string;
    direction: "asc" | "desc";
  }>;
  minimumIntervalMs?: number;
}

export interface PreviewReading {
  encoding: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | "windows-1250" | "windows-1251" | "windows-1253" | "windows-1254" | "windows-1255" | "windows-1256" | "windows-1257" | "windows-1258" | "windows-874" | "iso-8859-2" | "iso-8859-3" | "iso-8859-4" | "iso-8859-5" | "iso-8859-6" | "iso-8859-7" | "iso-8859-8" | "iso-8859-10" | "iso-8859-13" | "iso-8859-14" | "iso-8859-15" | "koi8-r" | "koi8-u" | "macintosh" | "x-mac-cyrillic" | "ibm866" | "ibm437" | "ibm850" | "ibm852" | "gb18030" | "gbk" | "big5" | "shift_jis" | "euc-jp" | "iso-2022-jp" | "euc-kr";
  encodingState: "sure" | "assumed" | "mixed";
  sentence: string | null;
  delimiter: string | null;
  quote: string | null;
  headerLine: number | null;
  skipLines: number;
}

export interface ProfiledColumn {
  empty: number;
  distinct: number;
  min: string | number | boolean | null;
  max: string | number | boolean | null;
  top: Array<{
    value: string | number | boolean | null;
    rows: number;
  }>;
  histogram: Array<{
    from: number;
    to: number;
    rows: number;
  }>;
  name: string;
  type: "STRING" | "BOOLEAN" | "integer" | "decimal" | "TIMESTAMP_SECONDS" | "TIMESTAMP_MILLS";
  isApproximate: boolean;
}

export interface RowCount {
  rows: number | null;
  outOfRange?: number;
}

export interface SearchAnswer {
  results: Array<Record<string, string | number | boolean | null>>;
  truncated?: boolean;
}

export interface SearchData {
  paging?: {
    offset: number;
    max: number;
  };
  timeRange?: {
    start?: string;
    end?: string;
  };
  geospatial?: {
    polygons: string[];
    antimeridianPolygons: boolean;
  };
  filters?: Array<{
    name: string;
    value: string | number | boolean | null;
    operator: "=" | "<>" | "<" | "<=" | ">" | ">=";
  }>;
  columns?: string[];
  sort?: Array<{
    column: string;
    direction: "asc" | "desc";
  }>;
}

export interface Suggestions {
  values: Array<{
    value: string | number | boolean | null;
    rows: number;
  }>;
  complete: boolean;
}

export interface TimeDistribution {
  unit: "minute" | "hour" | "day" | "week" | "month" | "year";
  size: number;
  buckets: Array<{
    startMs: number;
    endMs: number;
    rows: number;
  }>;
  newestMs: number | null;
}

export interface TimeDistributionRequest {
  paging?: {
    offset: number;
    max: number;
  };
  timeRange?: {
    start?: string;
    end?: string;
  };
  geospatial?: {
    polygons: string[];
    antimeridianPolygons: boolean;
  };
  filters?: Array<{
    name: string;
    value: string | number | boolean | null;
    operator: "=" | "<>" | "<" | "<=" | ">" | ">=";
  }>;
  columns?: string[];
  sort?: Array<{
    column: string;
    direction: "asc" | "desc";
  }>;
  byDay?: boolean;
}

/** The calls of the API by the id of their operation. */
export interface Operations {
  /** The checks of the user's own alert, newest first, 50 at a time. */
  "alerts.history": {
    params: { id: string };
    query: { before?: string; changes?: "true" | "false" };
    body: undefined;
    answer: AlertHistory;
  };
  /** The user's own alerts, by name. */
  "alerts.list": {
    params: undefined;
    query: undefined;
    body: undefined;
    answer: AlertList;
  };
  /** The user's own boards, and those that others share with a role of the user, by name. */
  "boards.list": {
    params: undefined;
    query: undefined;
    body: undefined;
    answer: BoardSummary[];
  };
  /** A board with its panels; panels of datasets that the user may not read are hidden. */
  "boards.read": {
    params: { id: string };
    query: undefined;
    body: undefined;
    answer: Board;
  };
  /** The datasets that the user may reach, by name. Every parameter narrows them. */
  "catalog.entries": {
    params: undefined;
    query: { columnName?: string; containsLocationData?: "true" | "false"; supportsMapResults?: "true" | "false" };
    body: undefined;
    answer: CatalogEntry[];
  };
  /** Search the names, categories, tags, columns and descriptions of the datasets that the user may reach. */
  "catalog.find": {
    params: undefined;
    query: { text: string; datasetName?: string; columnName?: string; containsLocationData?: "true" | "false"; supportsMapResults?: "true" | "false"; sort?: "match" | "name"; offset?: number; limit?: number };
    body: undefined;
    answer: CatalogHits;
  };
  /** A column in the rows of a search: its most frequent values, its range and the distribution of its values. */
  "columnValues.profile": {
    params: { category: string; datasetId: string; column: string };
    query: undefined;
    body: SearchData;
    answer: ColumnProfile;
  };
  /** Values of a column to choose from, found within about two seconds; counted over all rows where that is quick enough. */
  "columnValues.suggest": {
    params: { category: string; datasetId: string; column: string };
    query: undefined;
    body: {
      contains: string;
      timeRange?: {
        start?: string;
        end?: string;
      };
      geospatial?: {
        polygons: string[];
        antimeridianPolygons: boolean;
      };
      filters?: Array<{
        name: string;
        value: string | number | boolean | null;
        operator: "=" | "<>" | "<" | "<=" | ">" | ">=";
      }>;
    };
    answer: Suggestions;
  };
  /** Columns, features, filters, links and map support of a dataset. */
  "datasets.describe": {
    params: { category: string; datasetId: string };
    query: undefined;
    body: undefined;
    answer: DatasetDescription;
  };
  /** The access list: each category with the datasets this user may reach. */
  "datasets.list": {
    params: undefined;
    query: undefined;
    body: undefined;
    answer: DatasetCategory[];
  };
  /** The community's descriptions of a dataset and its columns. */
  "descriptions.community": {
    params: { category: string; datasetId: string };
    query: undefined;
    body: undefined;
    answer: DescriptionLayer;
  };
  /** The latest saved states of the community's descriptions, newest first, 20 at a time. */
  "descriptions.communityRevisions": {
    params: { category: string; datasetId: string };
    query: { before?: number };
    body: undefined;
    answer: DescriptionRevision[];
  };
  /** All descriptions of a dataset as text/csv with the columns column, type, system, community and private. The first row, without a column's name, describes the dataset. A leading apostrophe keeps text from being run as a formula. */
  "descriptions.csv": {
    params: { category: string; datasetId: string };
    query: { bom?: "true" | "false" };
    body: undefined;
    answer: Response;
  };
  /** Save the community's descriptions, which every user of the dataset sees. */
  "descriptions.saveCommunity": {
    params: { category: string; datasetId: string };
    query: undefined;
    body: DescriptionsDraft;
    answer: DescriptionLayer;
  };
  /** Save the user's private descriptions, which nobody else sees. */
  "descriptions.saveUser": {
    params: { category: string; datasetId: string };
    query: undefined;
    body: DescriptionsDraft;
    answer: DescriptionLayer;
  };
  /** The dataset's schema with its descriptions. */
  "descriptions.schema": {
    params: { category: string; datasetId: string };
    query: undefined;
    body: undefined;
    answer: DatasetSchema;
  };
  /** The user's private descriptions of a dataset and its columns. */
  "descriptions.user": {
    params: { category: string; datasetId: string };
    query: undefined;
    body: undefined;
    answer: DescriptionLayer;
  };
  /** Several columns in the rows of a search: their range, frequent values and the distribution of their values. */
  "distributions.ofColumns": {
    params: { category: string; datasetId: string };
    query: undefined;
    body: ColumnDistributionsRequest;
    answer: ColumnDistributions;
  };
  /** How many rows of a search fall into each bucket of time. Bucket size depends on the span of the rows, unless days are asked for. */
  "distributions.overTime": {
    params: { category: string; datasetId: string };
    query: undefined;
    body: TimeDistributionRequest;
    answer: TimeDistribution;
  };
  /** The finished export: text/csv, application/json, Parquet or an Arrow IPC stream. */
  "exports.file": {
    params: { exportId: string };
    query: undefined;
    body: undefined;
    answer: Response;
  };
  /** The details of a finished export: dataset, query, user, run time, rows, and whether it was cut. */
  "exports.manifest": {
    params: { exportId: string };
    query: undefined;
    body: undefined;
    answer: ExportManifest;
  };
  /** Cancels a running export, or removes a finished one. */
  "exports.remove": {
    params: { exportId: string };
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  /** Starts to write everything that matches a search into a file. */
  "exports.start": {
    params: { category: string; datasetId: string };
    query: undefined;
    body: ExportDraft;
    answer: {
      exportId: string;
    };
  };
  /** How far an export is. */
  "exports.state": {
    params: { exportId: string };
    query: undefined;
    body: undefined;
    answer: ExportState;
  };
  /** The content of a file, or a range of it. */
  "filesets.download": {
    params: { id: string };
    query: { file: string };
    body: undefined;
    answer: Response;
  };
  /** Name, size and time of a file. */
  "filesets.file": {
    params: { id: string };
    query: { file: string };
    body: undefined;
    answer: FilesetFile;
  };
  /** The filesets that the caller may read, without the one that holds the help. */
  "filesets.list": {
    params: undefined;
    query: undefined;
    body: undefined;
    answer: FilesetEntry[];
  };
  /** Files and folders one level below a prefix, sorted by name, in pages of 1,000. */
  "filesets.listing": {
    params: { id: string };
    query: { listPrefix?: string; continuationToken?: string };
    body: undefined;
    answer: FilesetListing;
  };
  /** How the text of a CSV or JSON file is decoded and split, as for a dataset of it. */
  "filesets.reading": {
    params: { id: string };
    query: { file: string };
    body: undefined;
    answer: PreviewReading;
  };
  /** Deletes a file. */
  "filesets.remove": {
    params: { id: string };
    query: { file: string };
    body: undefined;
    answer: undefined;
  };
  /** An address, relative to the gateway, from which several files and folders can be downloaded as one zip for a short time. */
  "filesets.requestZip": {
    params: { id: string };
    query: undefined;
    body: {
      paths: string[];
    };
    answer: {
      zipUrl: string;
    };
  };
  /** The tags of a file. */
  "filesets.tags": {
    params: { id: string };
    query: { file: string };
    body: undefined;
    answer: {
      tags: Record<string, string>;
    };
  };
  /** Stores the content of a file, whole or not at all. Its address comes from the call with GET. */
  "filesets.upload": {
    params: { id: string };
    query: { file: string; signature: string };
    body: undefined;
    answer: FilesetFile;
  };
  /** An address for one file, valid for a short time: PUT the content there. Relative to the origin of this call unless it is absolute. An existing file is replaced. */
  "filesets.uploadUrl": {
    params: { id: string };
    query: { file: string };
    body: undefined;
    answer: {
      uploadUrl: string;
    };
  };
  /** The requested files as one zip. Its MANIFEST.txt names what was left out, and why. */
  "filesets.zip": {
    params: { id: string; zipId: string };
    query: undefined;
    body: undefined;
    answer: Response;
  };
  /** Several aggregates over several parts of one search, with the values and errors of the single calls. */
  "graphs.batch": {
    params: { category: string; datasetId: string };
    query: undefined;
    body: AggregateBatch;
    answer: AggregateBatchAnswer;
  };
  /** How many points the path has on all its pages. */
  "mapResults.countPath": {
    params: { category: string; datasetId: string };
    query: undefined;
    body: PathData;
    answer: PathCount;
  };
  /** The newest row of each item that a search finds, newest first, with every plain column. Takes no paging; `truncated` when there are more items than the operator's limit for one response. Rows without an item or a time are left out. */
  "mapResults.last": {
    params: { category: string; datasetId: string };
    query: undefined;
    body: SearchData;
    answer: SearchAnswer;
  };
  /** A page of one item's points in time order, at most one per interval. Without paging the first page, `truncated` when there are more. */
  "mapResults.path": {
    params: { category: string; datasetId: string };
    query: undefined;
    body: PathData;
    answer: SearchAnswer;
  };
  /** The paths of all items that a search finds, thinned: for each item the first point of equal parts of its time, and its last point. Rows hold item, time, latitude and longitude, in any order. The fewer items, the more points each has (20 to 500); with very many, only those seen last are included. Takes no paging, columns or sort. */
  "mapResults.tracks": {
    params: { category: string; datasetId: string };
    query: undefined;
    body: SearchData;
    answer: SearchAnswer;
  };
  /** One aggregate over the rows of a search; count over * gives the total. */
  "search.aggregate": {
    params: { category: string; datasetId: string; aggregationType: string; column: string };
    query: undefined;
    body: SearchData;
    answer: AggregateAnswer;
  };
  /** How many rows a search would find, and how many an area leaves out because their coordinates are not a valid position. Null if the dataset cannot count rows. */
  "search.rowCount": {
    params: { category: string; datasetId: string };
    query: undefined;
    body: SearchData;
    answer: RowCount;
  };
  /** One page of the rows that satisfy time range, area and every filter, as JSON or as an Arrow IPC stream. */
  "search.run": {
    params: { category: string; datasetId: string };
    query: undefined;
    body: SearchData;
    answer: SearchAnswer;
  };
  /** A few rows, quickly, without a full scan. */
  "search.sample": {
    params: { category: string; datasetId: string };
    query: undefined;
    body: undefined;
    answer: SearchAnswer;
  };
}

/** Method and path of every operation. */
export const operations: Readonly<Record<keyof Operations, readonly [method: string, path: string]>> = {
  "alerts.history": ["GET", "/alerts/{id}/history"],
  "alerts.list": ["GET", "/alerts"],
  "boards.list": ["GET", "/boards"],
  "boards.read": ["GET", "/boards/{id}"],
  "catalog.entries": ["GET", "/datasets/schema"],
  "catalog.find": ["GET", "/datasets/find"],
  "columnValues.profile": ["POST", "/datasets/{category}/{datasetId}/columns/{column}/profile"],
  "columnValues.suggest": ["POST", "/datasets/{category}/{datasetId}/columns/{column}/suggest"],
  "datasets.describe": ["GET", "/datasets/{category}/{datasetId}/describe"],
  "datasets.list": ["GET", "/datasets"],
  "descriptions.community": ["GET", "/datasets/{category}/{datasetId}/description/community"],
  "descriptions.communityRevisions": ["GET", "/datasets/{category}/{datasetId}/description/community/revisions"],
  "descriptions.csv": ["GET", "/datasets/{category}/{datasetId}/descriptions.csv"],
  "descriptions.saveCommunity": ["PUT", "/datasets/{category}/{datasetId}/description/community"],
  "descriptions.saveUser": ["PUT", "/datasets/{category}/{datasetId}/description/user"],
  "descriptions.schema": ["GET", "/datasets/{category}/{datasetId}/schema"],
  "descriptions.user": ["GET", "/datasets/{category}/{datasetId}/description/user"],
  "distributions.ofColumns": ["POST", "/datasets/{category}/{datasetId}/distribution/columns"],
  "distributions.overTime": ["POST", "/datasets/{category}/{datasetId}/distribution/time"],
  "exports.file": ["GET", "/exports/{exportId}/file"],
  "exports.manifest": ["GET", "/exports/{exportId}/manifest"],
  "exports.remove": ["DELETE", "/exports/{exportId}"],
  "exports.start": ["POST", "/datasets/{category}/{datasetId}/export"],
  "exports.state": ["GET", "/exports/{exportId}"],
  "filesets.download": ["GET", "/filesets/{id}/download"],
  "filesets.file": ["GET", "/filesets/{id}/file"],
  "filesets.list": ["GET", "/filesets"],
  "filesets.listing": ["GET", "/filesets/{id}/list"],
  "filesets.reading": ["GET", "/filesets/{id}/reading"],
  "filesets.remove": ["DELETE", "/filesets/{id}/file"],
  "filesets.requestZip": ["POST", "/filesets/{id}/zip"],
  "filesets.tags": ["GET", "/filesets/{id}/tags"],
  "filesets.upload": ["PUT", "/filesets/{id}/upload"],
  "filesets.uploadUrl": ["GET", "/filesets/{id}/upload"],
  "filesets.zip": ["GET", "/filesets/{id}/zip/{zipId}"],
  "graphs.batch": ["POST", "/datasets/{category}/{datasetId}/aggregate"],
  "mapResults.countPath": ["POST", "/datasets/{category}/{datasetId}/count/path"],
  "mapResults.last": ["POST", "/datasets/{category}/{datasetId}/search/last"],
  "mapResults.path": ["POST", "/datasets/{category}/{datasetId}/search/path"],
  "mapResults.tracks": ["POST", "/datasets/{category}/{datasetId}/search/tracks"],
  "search.aggregate": ["POST", "/datasets/{category}/{datasetId}/aggregate/{aggregationType}/{column}"],
  "search.rowCount": ["POST", "/datasets/{category}/{datasetId}/rowCount"],
  "search.run": ["POST", "/datasets/{category}/{datasetId}/search"],
  "search.sample": ["GET", "/datasets/{category}/{datasetId}/sample"],
};
