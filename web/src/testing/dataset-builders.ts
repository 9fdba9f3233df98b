import type { Column } from "@fairway/contract/columns";
import { type DatasetDescription, datasetDescription, type FieldFilter, fieldFilter, type FilterSupport } from "@fairway/contract/datasets";

/** A column, by default of type STRING. */
export const buildColumn = (name: string, overrides: Partial<Column> = {}): Column => ({
  name,
  type: "STRING",
  description: "",
  combined: null,
  ...overrides,
});

/** A filter on the column `name`, by default empty. */
export const buildFilter = (name: string, overrides: Partial<FieldFilter> = {}): FieldFilter =>
  fieldFilter.parse({
    id: name,
    name,
    display: name,
    description: "",
    required: false,
    type: "STRING",
    value: "",
    operator: "=",
    preFilled: false,
    ...overrides,
  });

type Overrides = Partial<Omit<DatasetDescription, "filterSupport" | "schema">> & {
  filterSupport?: Partial<FilterSupport>;
  columns?: Column[];
};

/** A description with every feature and no required filter. Parsed by the contract, so that an outdated one fails. */
export const buildDescription = ({ filterSupport = {}, columns, ...overrides }: Overrides = {}): DatasetDescription =>
  datasetDescription.parse({
    category: { id: "weather", description: "Tropical weather" },
    datasetId: "storm-tracks",
    description: "Positions of storms.",
    schema: {
      columns: columns ?? [
        buildColumn("storm_id"),
        buildColumn("time", { type: "TIMESTAMP_SECONDS" }),
        buildColumn("wind", { type: "integer", unit: "kt" }),
      ],
    },
    features: ["SAMPLE", "PAGINATION", "COUNT"],
    assists: ["SORTING"],
    filterSupport: {
      supportsTimeRange: true,
      supportsGeospatial: false,
      supportsAdvancedFiltering: false,
      requiredOrFields: null,
      staticFilters: [],
      preFilledFilters: [],
      additionalFilters: [],
      ...filterSupport,
    },
    linkedDatasets: [],
    faMapIcon: null,
    mapSupport: null,
    titleField: null,
    subtitleField: null,
    temporalField: "time",
    timeExtent: null,
    ...overrides,
  });
