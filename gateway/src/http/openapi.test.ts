import { Validator } from "@seriousme/openapi-schema-validator";
import { auditing } from "@fairway/contract/audit";
import { auth } from "@fairway/contract/auth";
import { datasets } from "@fairway/contract/datasets";
import { exports } from "@fairway/contract/exports";
import { favoriteDatasets } from "@fairway/contract/favorites";
import { feedbackAdministration } from "@fairway/contract/feedback";
import { health } from "@fairway/contract/health";
import { search } from "@fairway/contract/search";
import { settings } from "@fairway/contract/settings";
import { describe, expect, it } from "vitest";
import { openApiDocument } from "./openapi.ts";
import { referencePage } from "./reference-page.ts";

const document = openApiDocument({ auth, settings, datasets, search, favoriteDatasets, health }, { title: "Fairway", version: "1.0.0" });
const everything = openApiDocument({ auditing, exports, feedbackAdministration, health, search }, { title: "Fairway", version: "1.0.0" });

describe("the OpenAPI document", () => {
  it("is valid OpenAPI 3.1", async () => {
    const { valid, errors } = await new Validator().validate({ ...structuredClone(document) });
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  });

  it("converts path parameters to OpenAPI syntax and requires them", () => {
    const operation = document.paths["/datasets/{category}/{datasetId}/search"]?.["post"];
    expect(operation?.parameters.map(({ name, required }) => [name, required])).toEqual([
      ["category", true],
      ["datasetId", true],
    ]);
  });

  it("requires a bearer token or an API key exactly where the contract does", () => {
    expect(document.paths["/auth/login"]?.["post"]?.security).toEqual([]);
    expect(document.paths["/datasets"]?.["get"]?.security).toEqual([{ bearer: [] }, { apiKey: [] }]);
    expect(document.paths["/favorite/datasets"]?.["get"]?.security).toEqual([{ bearer: [] }]);
  });

  it("lists the media types of every response that is not only JSON", () => {
    const others = Object.entries(everything.paths).flatMap(([path, methods]) =>
      Object.values(methods).flatMap(({ responses }) => {
        const types = Object.keys(responses["200"]?.content ?? {});
        return types.length === 0 || String(types) === "application/json" ? [] : [[path, types]];
      }),
    );
    expect(Object.fromEntries(others)).toEqual({
      "/metrics": ["text/plain"],
      "/datasets/{category}/{datasetId}/search": ["application/json", "application/vnd.apache.arrow.stream"],
      "/exports/{exportId}/file": [
        "text/csv",
        "application/json",
        "application/vnd.apache.parquet",
        "application/vnd.apache.arrow.stream",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      ],
      "/auditing/export": ["text/csv", "application/json"],
      "/admin/feedback/attachments/{id}": ["application/octet-stream"],
    });
  });

  it("references only existing schemas", () => {
    const targets = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map((match) => match[1] ?? "");
    expect(targets.length).toBeGreaterThan(5);
    expect(targets.filter((name) => !(name in document.components.schemas))).toEqual([]);
  });
});

describe("the reference page", () => {
  const html = referencePage(document, "NONCE");

  it("contains every operation and no script", () => {
    for (const path of Object.keys(document.paths)) expect(html).toContain(`<code>${path}</code>`);
    expect(html).not.toMatch(/<script|\son\w+=|style="/);
  });

  it("escapes texts of the contract", () => {
    const hostile = structuredClone(document);
    const operation = hostile.paths["/datasets"]?.["get"];
    if (operation) operation.summary = '<img src=x onerror="alert(1)">';
    expect(referencePage(hostile, "NONCE")).toContain("&lt;img src=x onerror=&quot;alert(1)&quot;&gt;");
  });
});
