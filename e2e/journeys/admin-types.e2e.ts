import { createEntity, deleteEntity, jsonText, openAdmin, ownName, rowOf } from "../support/administration.ts";
import { breakAnswer } from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";

const types = [
  [
    "ENTITY-01",
    "torch-service",
    "/torch-service-settings",
    "Torch Services",
    { baseUrl: "https://torch.example.org" },
    // Only enabled ones are called.
    ["https://torch.example.org", ""],
  ],
  ["ENTITY-02", "ecosystems", "/ecosysystem-settings", "Ecosystems", { roles: [{ roleName: "viewer" }] }, ["viewer"]],
  [
    "ENTITY-09",
    "filesets",
    "/fileset-settings",
    "Filesets",
    { description: "Maps", s3Bucket: "maps", s3Prefix: "old/", allowedRoles: [{ roleName: "viewer" }], allowsUploads: true },
    ["Maps", "maps", "old/", "viewer", "true"],
  ],
  [
    "ENTITY-11",
    "docs",
    "/doc-settings",
    "Docs",
    { name: "A film", category: "video/mp4", description: "How to" },
    ["A film", "video/mp4", "How to"],
  ],
] as const;

for (const [row, type, path, title, fields, cells] of types) {
  test(`[${row}] ${title} shows and edits what the type ${type} holds`, async ({ page, request, signIn }) => {
    const id = ownName("one");
    const idField = type === "filesets" || type === "docs" ? "id" : "name";
    await createEntity(request, type, { ...fields, [idField]: id, enabled: false });
    await signIn("admin");
    await openAdmin(page, path, title);
    await expect((await rowOf(page, id)).getByRole("gridcell")).toHaveText(["", id, ...cells, "disabled", ""]);
    await page.getByRole("grid").getByRole("row").nth(1).focus();
    await page.keyboard.press("Enter");
    for (const name of Object.keys(fields)) await expect(jsonText(page.getByRole("dialog"))).toContainText(`"${name}"`);
    await deleteEntity(request, type, id);
  });
}

test("[ENTITY-10] Configuration shows and edits what the type config holds", async ({ page, request, signIn }) => {
  const name = ownName("settings");
  const fields = {
    prestoURL: "https://presto.example.org",
    prestoSource: "portal",
    s3URL: "https://s3.example.org",
    s3Region: "eu-1",
    graphiteEnabled: false,
    graphiteUrl: "graphite.example.org:2003",
    appTitle: "Harbour",
    appSubtitle: "Data",
  };
  // Disabled: an enabled one would change what every other journey sees.
  await createEntity(request, "config", { name, ...fields, enabled: false });
  await signIn("admin");
  await openAdmin(page, "/configuration-settings", "Configuration");
  const row = await rowOf(page, name);
  await expect(row.getByRole("gridcell")).toHaveText([
    "",
    name,
    "Harbour",
    "Data",
    fields.prestoURL,
    fields.s3URL,
    "false",
    fields.graphiteUrl,
    "disabled",
    "",
  ]);
  await row.focus();
  await page.keyboard.press("Enter");
  for (const field of Object.keys(fields)) await expect(jsonText(page.getByRole("dialog"))).toContainText(`"${field}"`);
  await deleteEntity(request, "config", name);
});

test("an enabled torch service that does not answer says so", async ({ page, request, signIn }) => {
  const name = ownName("torch");
  await createEntity(request, "torch-service", { name, baseUrl: "http://127.0.0.1:9", enabled: true });
  await signIn("admin");
  await openAdmin(page, "/torch-service-settings", "Torch Services");
  await expect((await rowOf(page, name)).getByRole("gridcell").nth(3)).toHaveText(/^no: ./);
  await breakAnswer(page, "/api/admin/torch-service/reachability", "It broke.");
  await page.reload();
  await expect((await rowOf(page, name)).getByRole("gridcell").nth(3)).toHaveText("not known: It broke.");
  await deleteEntity(request, "torch-service", name);
});
