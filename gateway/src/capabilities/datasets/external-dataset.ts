import { type Operator, operator } from "@fairway/contract/columns";
import type { Feature, FieldFilter } from "@fairway/contract/datasets";
import { type ExternalApi, type ExternalDataset, externalFilterType, externalPlacement } from "@fairway/contract/external-datasets";
import { type MoreOperator, moreOperator, moreOperatorsOf } from "@fairway/contract/filters";
import type { Stored } from "#entities/store.ts";
import { type Dataset, revisionOf } from "./dataset.ts";

/** Converts each API of an external dataset to a dataset; the external dataset is their category. */
export function externalDatasets({ body, reveal, ...saved }: Omit<Stored<ExternalDataset>, "enabled">): Dataset[] {
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
      revision: revisionOf(saved),
      own: null,
    };
  });
}

/** Samples have no filters, so APIs with required filters cannot serve them. */
function featuresOf({ filters, paging }: ExternalApi): Feature[] {
  return [
    ...(filters.some(({ required }) => required) ? [] : (["SAMPLE"] as const)),
    ...(paging === null ? [] : (["PAGINATION"] as const)),
    ...(paging === null || paging.total === null ? [] : (["COUNT"] as const)),
  ];
}

function parameterOf(api: ExternalApi, filter: ExternalApi["filters"][number]): FieldFilter {
  const operators = operatorsOf(api, filter.placement);
  const type = filter.type === externalFilterType.Numeric ? "number" : "STRING";
  const further = furtherOperatorsOf(api, filter.placement).filter((candidate) => moreOperatorsOf(type).includes(candidate));
  return {
    id: filter.name,
    name: filter.name,
    display: filter.displayName === "" ? filter.name : filter.displayName,
    description: filter.description,
    required: filter.required,
    type,
    value: "",
    operator: operators[0] ?? "=",
    operators,
    ...(further.length === 0 ? {} : { moreOperators: further }),
    preFilled: false,
  };
}

/** A value in the path can only be compared with `=`. */
const operatorsOf = ({ operators }: ExternalApi, placement: number): Operator[] =>
  placement === externalPlacement.URL ? ["="] : operator.options.filter((candidate) => operators[candidate] !== undefined);

/** Those that are declared, and ranges where both of their ends are. */
function furtherOperatorsOf({ operators }: ExternalApi, placement: number): MoreOperator[] {
  if (placement === externalPlacement.URL) return [];
  const declared: Readonly<Record<string, string | undefined>> = operators;
  const takesRanges = operators[">="] !== undefined && operators["<="] !== undefined;
  return moreOperator.options.filter((candidate) => (candidate === "between" ? takesRanges : declared[candidate] !== undefined));
}
