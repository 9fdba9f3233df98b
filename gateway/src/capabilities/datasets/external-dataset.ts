import { type Operator, operator } from "@fairway/contract/columns";
import type { Feature, FieldFilter } from "@fairway/contract/datasets";
import { type ExternalApi, type ExternalDataset, externalFilterType, externalPlacement } from "@fairway/contract/external-datasets";
import type { Dataset } from "./dataset.ts";

/** Each api of an external dataset as a dataset of the category that it is. */
export function externalDatasets({ body, reveal }: { readonly body: ExternalDataset; readonly reveal: () => ExternalDataset }): Dataset[] {
  return body.apis.map((api) => {
    const parameters = api.filters.map((filter) => parameterOf(api, filter));
    return {
      id: api.name,
      category: body.name,
      description: api.description,
      roles: body.roles.map(({ roleName }) => roleName),
      source: {
        kind: "rest",
        baseRoute: body.baseRoute,
        api,
        keystore: body.keystoreCredential,
        apiKeyHeader: body.apiKeyCredential?.headerName ?? null,
        secrets: reveal,
      },
      schema: { columns: api.columns ?? [] },
      temporalField: null,
      locationField: null,
      orderBy: null,
      features: featuresOf(api),
      filterSupport: {
        supportsTimeRange: false,
        supportsGeospatial: false,
        supportsAdvancedFiltering: false,
        requiredOrFields: null,
        staticFilters: parameters,
        preFilledFilters: [],
        additionalFilters: [],
      },
      mapSupport: null,
      linkedDatasets: [],
      faMapIcon: null,
      titleField: null,
      subtitleField: null,
      parameters,
    };
  });
}

/** A sample asks without filters, which an api with required ones does not answer. */
function featuresOf({ filters, paging }: ExternalApi): Feature[] {
  return [
    ...(filters.some(({ required }) => required) ? [] : (["SAMPLE"] as const)),
    ...(paging === null ? [] : (["PAGINATION"] as const)),
    ...(paging === null || paging.total === null ? [] : (["COUNT"] as const)),
  ];
}

function parameterOf(api: ExternalApi, filter: ExternalApi["filters"][number]): FieldFilter {
  const operators = operatorsOf(api, filter.placement);
  return {
    id: filter.name,
    name: filter.name,
    display: filter.displayName === "" ? filter.name : filter.displayName,
    description: filter.description,
    required: filter.required,
    type: filter.type === externalFilterType.Numeric ? "number" : "STRING",
    value: "",
    operator: operators[0] ?? "=",
    operators,
    preFilled: false,
  };
}

/** A value in the path can be nothing but equal. */
const operatorsOf = ({ operators }: ExternalApi, placement: number): Operator[] =>
  placement === externalPlacement.URL ? ["="] : operator.options.filter((one) => operators[one] !== undefined);
