// @ts-check
/** Builders of dataset descriptions for commands that seed a portal. */

/** @typedef {import("@fairway/contract/columns").Column} Column */
/** @typedef {import("@fairway/gateway/seed/seed").Platform["datasets"][number]["entity"]} DatasetEntity */

/** @type {(name: string, type: Column["type"], description?: string) => Column} */
export const describeColumn = (name, type, description = "") => ({ name, type, description, combined: null });

/**
 * A dataset over Parquet files with minimal defaults.
 * @param {Pick<DatasetEntity, "id" | "category" | "description" | "schema"> & { glob: string } & Partial<Omit<DatasetEntity, "source" | "filterSupport">>
 *   & { filterSupport?: Partial<DatasetEntity["filterSupport"]> }} overrides
 * @returns {DatasetEntity}
 */
export const describeDataset = ({ glob, filterSupport = {}, ...overrides }) => ({
  roles: [],
  source: { kind: "files", glob, format: "parquet" },
  temporalField: null,
  locationField: null,
  orderBy: null,
  features: ["SAMPLE", "PAGINATION", "COUNT"],
  mapSupport: null,
  linkedDatasets: [],
  faMapIcon: null,
  titleField: null,
  subtitleField: null,
  ...overrides,
  filterSupport: {
    supportsTimeRange: false,
    supportsGeospatial: false,
    supportsAdvancedFiltering: true,
    requiredOrFields: null,
    staticFilters: [],
    preFilledFilters: [],
    additionalFilters: [],
    ...filterSupport,
  },
});
