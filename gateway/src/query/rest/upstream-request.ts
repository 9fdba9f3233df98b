import { type ExternalApi, externalMethod, externalPlacement } from "@fairway/contract/external-datasets";
import { endsOf } from "#query/conditions.ts";
import { type ComparisonCondition, type Condition, EngineFailed, type ListCondition, type PlainCondition } from "#query/engine.ts";

/** One call of an upstream, without its credentials. */
export interface UpstreamRequest {
  readonly method: "GET" | "PUT" | "POST";
  readonly url: URL;
  /** JSON. */
  readonly body: string | undefined;
}

/** At most `max` rows, starting at `offset`. */
export interface UpstreamPage {
  readonly offset: number;
  readonly max: number;
}

type Value = ComparisonCondition["value"];

/** Places every condition as the API declares it. Throws EngineFailed as `unsupported` for anything that is not declared. */
export function upstreamRequest(
  { baseRoute, api }: { readonly baseRoute: string; readonly api: ExternalApi },
  conditions: readonly Condition[],
  page: UpstreamPage | undefined,
): UpstreamRequest {
  const placed = [...conditions.flatMap((condition) => placedCondition(api, condition)), ...placedPage(api, page)];
  const repeated = placed.find(({ name }, index) => placed.findIndex((one) => one.name === name) < index);
  if (repeated !== undefined) throw unsupported(`The service accepts '${repeated.name}' only once.`);
  const at = (placement: number) => placed.filter((one) => one.placement === placement);
  const method = (["GET", "PUT", "POST"] as const).find((name) => externalMethod[name] === api.method) ?? "GET";
  return {
    method,
    url: urlOf(baseRoute, api, at(externalPlacement.URL), at(externalPlacement.Query)),
    body: method === "GET" ? undefined : bodyOf(at(externalPlacement.Body)),
  };
}

interface Placed {
  readonly name: string;
  readonly placement: number;
  readonly value: Value | readonly Value[];
}

/** Most conditions are one parameter; a range is its two ends. */
function placedCondition(api: ExternalApi, condition: Condition): Placed[] {
  if (condition.operator === "any") throw unsupported("The service combines all filters.");
  if (condition.operator === "within") throw unsupported("The service knows no boxes.");
  if (condition.operator === "between") return endsOf(condition).map((end) => placedValue(api, end, end.value));
  if ("values" in condition) return [placedValue(api, condition, listOf(api, condition))];
  if ("value" in condition) return [placedValue(api, condition, condition.value)];
  throw unsupported(`The service cannot filter '${condition.column}' by '${condition.operator}'.`);
}

function placedValue(
  { filters, operators }: ExternalApi,
  { column, operator }: Pick<PlainCondition, "column" | "operator">,
  value: Placed["value"],
): Placed {
  const filter = filters.find(({ name }) => name === column);
  if (filter === undefined) throw unsupported(`The service has no filter '${column}'.`);
  const declared: Readonly<Record<string, string | undefined>> = operators;
  const name = filter.placement === externalPlacement.URL && operator === "=" ? "{name}" : declared[operator];
  if (name === undefined || (filter.placement === externalPlacement.URL && operator !== "=")) {
    throw unsupported(`The service cannot filter '${column}' by '${operator}'.`);
  }
  return { name: name.replace("{name}", () => column), placement: filter.placement, value };
}

/** The values of a list as the API takes them, each once. */
function listOf({ lists }: ExternalApi, { column, values, empty }: ListCondition): Placed["value"] {
  if (empty) throw unsupported(`The service cannot find rows without a value in '${column}'.`);
  const all = [...new Set(values.map(({ value }) => value))];
  if (lists !== "comma") return all;
  const texts = all.map(String);
  const split = texts.find((text) => text.includes(","));
  if (split !== undefined) throw unsupported(`The service takes no comma in the values of '${column}'.`);
  return texts.join(",");
}

function placedPage({ paging }: ExternalApi, page: UpstreamPage | undefined): Placed[] {
  if (page === undefined) return [];
  if (paging === null) throw unsupported("The service does not support paging.");
  return [
    { name: paging.offset, placement: paging.placement, value: page.offset },
    { name: paging.max, placement: paging.placement, value: page.max },
  ];
}

function urlOf(baseRoute: string, api: ExternalApi, inPath: readonly Placed[], inQuery: readonly Placed[]): URL {
  const base = new URL(baseRoute);
  const [template = "", fixedQuery = ""] = api.path.split("?", 2);
  const filled = template.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => pathText(name, inPath));
  // Two adjacent filters may combine to a dot segment.
  if (filled.split("/").some((segment) => segment === "." || segment === "..")) throw unsupported("These values do not form a valid path.");
  const query = [
    ...(fixedQuery === "" ? [] : [fixedQuery]),
    ...inQuery.flatMap(({ name, value }) => queryTexts(api, value).map((text) => `${encoded(name)}=${encoded(text)}`)),
  ];
  const url = new URL(`${base.origin}${base.pathname.replace(/\/$/, "")}${filled}${query.length === 0 ? "" : `?${query.join("&")}`}`);
  if (url.origin !== base.origin) throw unsupported("These values do not form a valid path.");
  return url;
}

function pathText(name: string, inPath: readonly Placed[]): string {
  const value = String(inPath.find((one) => one.name === name)?.value ?? "");
  if (value === "" || value === "." || value === "..") throw unsupported(`'${value}' cannot be used in the path as '${name}'.`);
  return encoded(value);
}

/** Lone surrogates cannot be encoded as UTF-8. */
const encoded = (text: string): string => encodeURIComponent(text.replaceAll(/\p{Cs}/gu, "\ufffd"));

const queryTexts = ({ lists }: ExternalApi, value: Placed["value"]): string[] => {
  if (!isList(value)) return [String(value)];
  return lists === "json" ? [jsonOf(value)] : value.map(String);
};

const isList = (value: Placed["value"]): value is readonly Value[] => Array.isArray(value);

const bodyOf = (fields: readonly Placed[]): string =>
  `{${fields.map(({ name, value }) => `${JSON.stringify(name)}:${jsonOf(value)}`).join(",")}}`;

/** Serialized without JSON.stringify to preserve numbers of any size, and in the body names such as `__proto__`. */
function jsonOf(value: Placed["value"]): string {
  if (isList(value)) return `[${value.map(jsonOf).join(",")}]`;
  return typeof value === "bigint" ? String(value) : JSON.stringify(value);
}

const unsupported = (message: string): EngineFailed => new EngineFailed("unsupported", message);
