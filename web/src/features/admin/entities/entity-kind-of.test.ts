import { expect, it } from "vitest";
import { entityKindOf } from "./entity-kind-of.ts";

it("derives columns and template from the schema when a type has no view", () => {
  expect(entityKindOf("docs")).toEqual({
    type: "docs",
    title: "Docs",
    noun: "doc",
    plural: "docs",
    idField: "id",
    purpose: "Docs are the PDF files, videos and pages of the Docs menu.",
    columns: [{ name: "name" }, { name: "category" }, { name: "description" }],
    extras: ["doc-files"],
    template: { id: "", name: "", category: "", description: "", enabled: true },
  });
  expect(entityKindOf("flowGroups")).toMatchObject({
    columns: [{ name: "displayName" }, { name: "description" }],
    template: { name: "", displayName: "", description: "", enabled: true },
  });
});

it("uses the view of a type together with its registration", () => {
  expect(entityKindOf("torch-service")).toEqual({
    type: "torch-service",
    title: "Torch Services",
    noun: "torch service",
    plural: "torch services",
    idField: "name",
    purpose: "Torch services are other services of your organization that the portal lists.",
    columns: [
      { name: "baseUrl", mono: true },
      { name: "reachable", isSeparate: true },
    ],
    template: { name: "", baseUrl: "https://", enabled: true },
  });
});
