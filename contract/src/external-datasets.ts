import { z } from "zod";
import { column, operator } from "./columns.ts";
import { entityId } from "./entities.ts";
import { moreOperator } from "./filters.ts";
import { prose, requiredLine } from "./text.ts";

/** Numeric codes of the specification. */
export const externalMethod = { GET: 0, PUT: 1, POST: 2 } as const;
export const externalFilterType = { Numeric: 0, String: 1 } as const;
export const externalPlacement = { URL: 0, Query: 1, Body: 2 } as const;

const code = <const Codes extends Readonly<Record<string, number>>>(codes: Codes) =>
  z.literal(Object.values(codes) as Codes[keyof Codes][]);

const externalFilter = z.object({
  /** Parameter name of the upstream. */
  name: requiredLine(200),
  description: prose(2_000).default(""),
  displayName: prose(200).default(""),
  type: code(externalFilterType),
  /** URL: `{name}` in the path; Query: a query parameter; Body: a field of the JSON body. */
  placement: code(externalPlacement),
  required: z.boolean().default(false),
});

/** Operators that an upstream may take besides those that compare with one value. A range is sent as `>=` and `<=`. */
const declaredOperator = moreOperator.extract(["in", "not in", "contains", "not contains", "starts with", "not starts with"]);

/** Parameter name for each operator that the upstream supports, such as `{">=": "min{name}", "contains": "{name}_like"}`. */
const operatorNames = z.partialRecord(
  z.enum([...operator.options, ...declaredOperator.options]),
  requiredLine(200).refine((name) => name.split("{name}").length === 2, "must contain {name} once"),
);

const externalPaging = z.object({
  /** Parameters for the zero-based row offset of a page and for its maximum number of rows. */
  offset: requiredLine(200),
  max: requiredLine(200),
  /** Location of the total number of rows in the response, in the form of `rowsPath`; null = not reported. */
  total: requiredLine(500).nullable().default(null),
  placement: z.literal([externalPlacement.Query, externalPlacement.Body]).default(externalPlacement.Query),
});

const externalApi = z.object({
  /** The dataset's id. */
  name: entityId,
  description: prose(5_000).default(""),
  /** Relative to `baseRoute`. `{name}` stands for a filter placed in the URL; a fixed query may follow. */
  path: requiredLine(2_000),
  method: code(externalMethod),
  filters: z.array(externalFilter).max(100).default([]),
  /** Null = inferred from the returned rows. A name may be a path into the row, such as `properties.mag`. */
  columns: z.array(column).min(1).max(1_000).nullable().default(null),
  operators: operatorNames.default({ "=": "{name}" }),
  /**
   * How the upstream takes the values of `in` and `not in`: `repeat` sends the parameter once for each, `comma` one text that joins
   * them, `json` a JSON array. In a body `repeat` is an array, too. Default: repeat.
   */
  lists: z.enum(["repeat", "comma", "json"]).optional(),
  /** Null = one response holds all rows. */
  paging: externalPaging.nullable().default(null),
  /** Location of the rows in the response: names joined by dots, or a JSON pointer. Empty = the response itself. Null = `results`, or the response if it is a list. */
  rowsPath: z.string().max(500).nullable().default(null),
});
export type ExternalApi = z.infer<typeof externalApi>;

const keystoreCredential = z.object({
  /** Relative to the operator's keystore folder. */
  path: requiredLine(500).refine(
    (path) => !path.startsWith("/") && !path.includes("\\") && !path.split("/").includes(".."),
    "is not a path below the keystore folder",
  ),
  type: z.enum(["PEM", "PKCS12"]),
  /** Empty = the keystore has none. */
  password: z.string().max(1_000).default(""),
});

/** Headers that the portal sets itself. */
const reservedHeaders = new Set(
  "host connection content-length content-type transfer-encoding upgrade te trailer expect accept accept-encoding proxy-authorization".split(
    " ",
  ),
);

const apiKeyCredential = z.object({
  headerName: z
    .string()
    .regex(/^[\w!#$%&'*+.^`|~-]{1,100}$/, "is not the name of a header")
    .refine((name) => !reservedHeaders.has(name.toLowerCase()), "is a header that the portal sets itself"),
  key: z.string().regex(/^[\x21-\x7e](?:[\x20-\x7e]{0,7998}[\x21-\x7e])?$/, "cannot be sent in a header"),
});

const fields = z.object({
  /** The entity's id and the category of its datasets. */
  name: entityId,
  description: prose(5_000).default(""),
  baseRoute: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .refine((route) => !/[?#@\\\s]/.test(route), "must not contain a query, a fragment or a user"),
  keystoreCredential: keystoreCredential.nullable().default(null),
  apiKeyCredential: apiKeyCredential.nullable().default(null),
  apis: z.array(externalApi).max(200).default([]),
  /** Empty = every signed-in user; otherwise holders of any of the roles. */
  roles: z.array(z.object({ roleName: z.string().min(1) })).default([]),
});

/** An upstream service as administrators configure it; entity type `datasets/external`. `enabled` is stored separately. */
export const externalDataset = fields.superRefine((dataset, context) => {
  for (const { path, message } of problemsOf(dataset)) context.addIssue({ code: "custom", path: [...path], message });
});
export type ExternalDataset = z.infer<typeof fields>;

/** The names in braces of a path, in order. */
export const namesInPath = (path: string): string[] => Array.from(path.matchAll(/\{([^{}]*)\}/g), ([, name = ""]) => name);

interface Problem {
  path: (string | number)[];
  message: string;
}

function problemsOf(dataset: ExternalDataset): Problem[] {
  return [
    ...(dataset.keystoreCredential !== null && !/^https:/i.test(dataset.baseRoute)
      ? [{ path: ["keystoreCredential"], message: "needs a baseRoute with https" }]
      : []),
    ...duplicateIndexes(dataset.apis).map((index): Problem => ({
      path: ["apis", index, "name"],
      message: "is the name of another api, too",
    })),
    ...dataset.apis.flatMap((api, index) =>
      apiProblems(api).map(({ path, message }): Problem => ({ path: ["apis", index, ...path], message })),
    ),
  ];
}

function apiProblems(api: ExternalApi): Problem[] {
  return [
    ...pathProblems(api),
    ...duplicateIndexes(api.filters).map((index): Problem => ({
      path: ["filters", index, "name"],
      message: "is the name of another filter, too",
    })),
    ...duplicateIndexes(api.columns ?? []).map((index): Problem => ({
      path: ["columns", index, "name"],
      message: "is the name of another column, too",
    })),
    ...combinationProblems(api),
    ...bodyProblems(api),
    ...(Object.keys(api.operators).length === 0 ? [{ path: ["operators"], message: "names no operator" }] : []),
  ];
}

function pathProblems({ path, filters }: ExternalApi): Problem[] {
  const [pathname = "", query = ""] = path.split("?", 2);
  const names = new Set(namesInPath(pathname));
  const isInvalid =
    !pathname.startsWith("/") ||
    pathname.startsWith("//") ||
    /[\\#\s]/.test(path) ||
    /[{}]/.test(pathname.replaceAll(/\{[^{}]+\}/g, "") + query) ||
    pathname.split("/").some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
  const inUrl = filters.filter(({ placement }) => placement === externalPlacement.URL);
  return [
    ...(isInvalid
      ? [{ path: ["path"], message: "is not a path below the baseRoute, with {name} for filters in its part before '?'" }]
      : []),
    ...[...names]
      .filter((name) => !inUrl.some((filter) => filter.name === name))
      .map((name): Problem => ({ path: ["path"], message: `there is no filter '${name}' with placement 0 (URL)` })),
    ...filters.flatMap((filter, index): Problem[] => {
      if (filter.placement !== externalPlacement.URL) return [];
      if (!names.has(filter.name))
        return [{ path: ["filters", index, "placement"], message: `the path does not contain {${filter.name}}` }];
      return filter.required ? [] : [{ path: ["filters", index, "required"], message: "a filter in the path must be required" }];
    }),
  ];
}

function bodyProblems({ method, filters, paging }: ExternalApi): Problem[] {
  if (method !== externalMethod.GET) return [];
  const message = "a GET has no body";
  return [
    ...filters.flatMap(({ placement }, index): Problem[] =>
      placement === externalPlacement.Body ? [{ path: ["filters", index, "placement"], message }] : [],
    ),
    ...(paging?.placement === externalPlacement.Body ? [{ path: ["paging", "placement"], message }] : []),
  ];
}

function combinationProblems({ columns }: ExternalApi): Problem[] {
  const plain = new Set((columns ?? []).filter(({ combined }) => combined === null).map(({ name }) => name));
  return (columns ?? []).flatMap(({ combined }, index): Problem[] => {
    if (combined === null || (combined.fields.length === 2 && combined.fields.every((field) => plain.has(field)))) return [];
    return [{ path: ["columns", index, "combined", "fields"], message: "has to name two other columns" }];
  });
}

/** Indexes of entries whose name occurs earlier in the list. */
function duplicateIndexes(entries: readonly { readonly name: string }[]): number[] {
  return entries.flatMap(({ name }, index) => (entries.findIndex((entry) => entry.name === name) < index ? [index] : []));
}
