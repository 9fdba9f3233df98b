import type { AdministeredType } from "@fairway/contract/entity-types";
import { torchServiceChecks } from "@fairway/contract/torch-services";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectTexts } from "#testing/assertions.ts";
import { chooseInRow, dialogButton, jsonText, openAdmin, rowOf, serveEntities } from "#testing/entities.ts";
import { press } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";

interface Kind {
  id: string;
  type: AdministeredType;
  path: string;
  title: string;
  fields: Record<string, unknown>;
  cells: readonly string[];
  idField?: "id";
}

const configuration = {
  prestoURL: "https://presto.example.org",
  prestoSource: "portal",
  s3URL: "https://s3.example.org",
  s3Region: "eu-1",
  graphiteEnabled: false,
  graphiteUrl: "graphite.example.org:2003",
  appTitle: "Harbor",
  appSubtitle: "Data",
  dateOrder: "day-first",
};

const kinds: readonly Kind[] = [
  {
    id: "ENTITY-01",
    type: "torch-service",
    path: "/torch-service-settings",
    title: "Torch Services",
    fields: { baseUrl: "https://torch.example.org" },
    // Only enabled ones are called.
    cells: ["https://torch.example.org", ""],
  },
  {
    id: "ENTITY-02",
    type: "ecosystems",
    path: "/ecosysystem-settings",
    title: "Ecosystems",
    fields: { roles: [{ roleName: "viewer" }] },
    cells: ["viewer"],
  },
  {
    id: "ENTITY-09",
    type: "filesets",
    path: "/fileset-settings",
    title: "Filesets",
    fields: { description: "Maps", s3Bucket: "maps", s3Prefix: "old/", allowedRoles: [{ roleName: "viewer" }], allowsUploads: true },
    cells: ["Maps", "maps", "old/", "viewer", "true"],
    idField: "id",
  },
  {
    id: "ENTITY-10",
    type: "config",
    path: "/configuration-settings",
    title: "Configuration",
    fields: configuration,
    cells: ["Harbor", "Data", configuration.prestoURL, configuration.s3URL, "false", configuration.graphiteUrl],
  },
  {
    id: "ENTITY-11",
    type: "docs",
    path: "/doc-settings",
    title: "Docs",
    fields: { name: "A film", category: "video/mp4", description: "How to" },
    cells: ["A film", "video/mp4", "How to"],
    idField: "id",
  },
];

for (const { id, type, path, title, fields, cells, idField = "name" } of kinds) {
  it(`[${id}] ${title} shows and edits the fields of type ${type}`, async () => {
    serveEntities(type, [{ ...fields, [idField]: "one", enabled: false }]);
    gateway.answer(torchServiceChecks.reachability, []);
    await openAdmin(path, title);
    const row = page.getByRole("grid").getByRole("row").nth(1);
    await expectTexts(row.getByRole("gridcell"), ["", "one", ...cells, "disabled", ""]);
    await press("Enter", row);
    for (const name of Object.keys(fields)) await expect.element(jsonText()).toHaveTextContent(`"${name}"`);
  });
}

it("[ENTITY-04] External Datasets shows base route, APIs and roles", async () => {
  serveEntities("datasets/external", [
    { name: "live", baseRoute: "https://api.example.org", apis: [{ name: "rows", path: "/rows", method: 0, filters: [] }] },
  ]);
  await openAdmin("/external-dataset-settings", "External Datasets");
  await expectTexts(rowOf("live").getByRole("gridcell"), ["", "live", "", "https://api.example.org", "rows", "everyone", "enabled", ""]);
});

it("[ENTITY-14] Jolt Specifications shows the types, and keeps ids within a specification", async () => {
  const joltSpec = [{ operation: "shift", spec: { id: "customer.id" } }];
  serveEntities("joltSpecifications", [{ name: "orders", sourceType: "order", targetType: "customer", joltSpec }]);
  await openAdmin("/jolt-settings", "Jolt Specifications");
  await expectTexts(rowOf("orders").getByRole("gridcell"), ["", "orders", "order", "customer", "enabled", ""]);
  await chooseInRow("orders", "Edit");
  await expect.element(jsonText()).toHaveTextContent('"id": "customer.id"');
  await dialogButton("Cancel").click();
  await expect.element(jsonText()).not.toBeInTheDocument();
});

it("an enabled torch service shows whether it is reachable, or that this is unknown", async () => {
  serveEntities("torch-service", [{ name: "torch", baseUrl: "http://127.0.0.1:9" }]);
  const unreachable = { name: "torch", reachable: false, status: null, answeredMs: null, problem: "connection refused" };
  gateway.answer(torchServiceChecks.reachability, [unreachable]);
  const reachable = (): ReturnType<typeof rowOf> => rowOf("torch").getByRole("gridcell").nth(3);
  await openAdmin("/torch-service-settings", "Torch Services");
  await expect.element(reachable()).toHaveTextContent("no: connection refused");
  gateway.answer(torchServiceChecks.reachability, [{ ...unreachable, reachable: true, status: 200, answeredMs: 12.4, problem: null }]);
  await openAdmin("/torch-service-settings", "Torch Services");
  await expect.element(reachable()).toHaveTextContent("yes, in 12 ms");
  gateway.refuse(torchServiceChecks.reachability, "internal", "It broke.");
  await openAdmin("/torch-service-settings", "Torch Services");
  await expect.element(reachable()).toHaveTextContent("not known: It broke.");
});
