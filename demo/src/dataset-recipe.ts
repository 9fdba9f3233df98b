import type { Column, Operator } from "@fairway/contract/columns";
import type { DatasetAbout } from "@fairway/contract/dataset-about";
import type { FieldFilter, FilterSupport, FilterValue } from "@fairway/contract/datasets";
import type { InternalDataset } from "@fairway/contract/internal-datasets";
import type { DatasetRecipe } from "@fairway/contract/recipes";

/** The license of the US government's works. */
export const publicDomain = { text: "public domain (work of the US government)", link: "https://www.usa.gov/government-works" };

export interface DemoCategory {
  readonly id: string;
  readonly description: string;
  /** Below the datasets folder. */
  readonly folder: string;
}

interface FilterDraft {
  readonly name: string;
  readonly display: string;
  readonly description: string;
  /** Default `=`. */
  readonly operator?: Operator;
  /** Default blank, for users to fill in. */
  readonly value?: FilterValue;
  readonly required?: boolean;
}

type FilterListName = "staticFilters" | "preFilledFilters" | "additionalFilters";

interface DatasetDraft
  extends
    Pick<InternalDataset, "id" | "description" | "titleField" | "subtitleField">,
    Partial<
      Pick<
        InternalDataset,
        "temporalField" | "locationField" | "orderBy" | "features" | "mapSupport" | "mapView" | "linkedDatasets" | "faMapIcon"
      >
    >,
    DatasetAbout,
    Pick<DatasetRecipe, "sources" | "select"> {
  readonly columns: Column[];
  readonly filters: Partial<Pick<FilterSupport, "supportsAdvancedFiltering" | "requiredOrFields">> &
    Partial<Record<FilterListName, readonly FilterDraft[]>>;
}

/** Derives the rest of the dataset: the file's path, the types and ids of filters, and whether there is a time range. */
export function datasetRecipe(category: DemoCategory, draft: DatasetDraft): DatasetRecipe {
  const { columns, filters, sources, select, temporalField = null, ...described } = draft;
  const filterList = (list: FilterListName) =>
    (filters[list] ?? []).map((filter) => fieldFilter(columns, filter, list === "preFilledFilters"));
  const entity: InternalDataset = {
    category: category.id,
    roles: [],
    source: { kind: "files", glob: `${category.folder}/${draft.id}/*.parquet`, format: "parquet" },
    schema: { columns },
    temporalField,
    locationField: null,
    orderBy: null,
    features: ["SAMPLE", "PAGINATION", "COUNT"],
    filterSupport: {
      supportsTimeRange: temporalField !== null,
      supportsGeospatial: (described.locationField ?? null) !== null,
      supportsAdvancedFiltering: filters.supportsAdvancedFiltering ?? false,
      requiredOrFields: filters.requiredOrFields ?? null,
      staticFilters: filterList("staticFilters"),
      preFilledFilters: filterList("preFilledFilters"),
      additionalFilters: filterList("additionalFilters"),
    },
    mapSupport: null,
    linkedDatasets: [],
    faMapIcon: null,
    ...described,
  };
  return { entity, sources, select };
}

const idPrefix: Readonly<Record<Operator, string>> = { "=": "", "<>": "not-", "<": "below-", "<=": "max-", ">": "above-", ">=": "min-" };

function fieldFilter(columns: readonly Column[], draft: FilterDraft, preFilled: boolean): FieldFilter {
  const { name, operator = "=", value = "", required = false, ...texts } = draft;
  const column = columns.find((column) => column.name === name);
  if (column === undefined) throw new Error(`the filter '${name}' names no column`);
  return { id: `${idPrefix[operator]}${name}`, name, ...texts, required, type: column.type, value, operator, preFilled };
}
