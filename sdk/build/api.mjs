// @ts-check
import { alerts } from "@fairway/contract/alerts";
import { boards } from "@fairway/contract/boards";
import { breakdowns } from "@fairway/contract/breakdowns";
import { catalog } from "@fairway/contract/catalog";
import { columnValues } from "@fairway/contract/column-values";
import { datasets } from "@fairway/contract/datasets";
import { descriptions } from "@fairway/contract/descriptions";
import { distributions } from "@fairway/contract/distributions";
import { exports } from "@fairway/contract/exports";
import { filesets } from "@fairway/contract/filesets";
import { graphs } from "@fairway/contract/graphs";
import { lookups } from "@fairway/contract/lookups";
import { mapResults } from "@fairway/contract/map-results";
import { search } from "@fairway/contract/search";
import { openApiDocument } from "@fairway/gateway/http/openapi";

/** @typedef {import("@fairway/gateway/http/openapi").OpenApiDocument} OpenApiDocument */
/** @typedef {import("@fairway/gateway/http/openapi").OpenApiOperation} OpenApiOperation */
/** @typedef {import("@fairway/gateway/http/openapi").JsonSchema} JsonSchema */

/** The capabilities that programs call, as in the document that the gateway serves. */
export const apiDocument = () =>
  openApiDocument(
    {
      datasets,
      catalog,
      descriptions,
      columnValues,
      search,
      breakdowns: { run: breakdowns.run },
      distributions,
      graphs,
      lookups,
      mapResults,
      exports,
      filesets,
      // The calls of these that API keys may make: the rest is for people.
      boards: { list: boards.list, read: boards.read },
      alerts: { list: alerts.list, history: alerts.history },
    },
    { title: "Fairway", version: "" },
  );

/** Sorted by id. @param {OpenApiDocument} document */
export function operationsOf({ paths }) {
  return Object.entries(paths)
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })))
    .sort((one, other) => (one.operation.operationId < other.operation.operationId ? -1 : 1));
}

/** Sorted by name. @param {OpenApiDocument} document @returns {[name: string, schema: JsonSchema][]} */
export const schemasOf = ({ components }) => Object.entries(components.schemas).sort(([one], [other]) => (one < other ? -1 : 1));

/** @param {OpenApiOperation} operation @returns {{ schema: JsonSchema | undefined, isJson: boolean }} */
export function successOf({ responses }) {
  const [status] = Object.keys(responses);
  const content = responses[status ?? ""]?.content ?? {};
  const types = Object.keys(content);
  // A file may be JSON of any shape. Callers get other types only if they ask for them.
  const isJson = types.length === 0 || String(types) === "application/json" || "$ref" in (content["application/json"]?.schema ?? {});
  return { schema: isJson ? content["application/json"]?.schema : undefined, isJson };
}
