import {
  chooseInRow,
  createEntity,
  deleteEntity,
  entitiesOf,
  jsonText,
  openAdmin,
  ownName,
  rowOf,
  writeJson,
} from "../support/administration.ts";
import { axeViolations } from "../support/accessibility.ts";
import { breakAnswer } from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";

test("[ENTITY-03][ENTITY-15][ENTITY-17][ENTITY-18][ENTITY-19] a dataset made of files is saved, described and read again", async ({
  page,
  request,
  signIn,
}) => {
  const id = ownName("made");
  await signIn("admin");
  await openAdmin(page, "/internal-dataset-settings", "Internal Datasets");
  await page.getByRole("button", { name: "New from data" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "aviation" }).click();
  await dialog.getByRole("button", { name: "airports" }).click();
  await dialog.getByRole("button", { name: "This whole folder" }).click();
  await expect(dialog.getByRole("region", { name: "Sample" }).getByRole("columnheader", { name: "iata" })).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog.getByRole("heading", { name: "New internal dataset" })).toBeVisible();
  await expect(jsonText(dialog)).toContainText('"glob": "aviation/airports');
  const proposed = await request.post("/api/auth/login", { data: { username: "admin", password: "fairway-demo" } });
  const { token } = (await proposed.json()) as { token: { access_token: string } };
  const inspected = await request.post("/api/admin/datasets/internal/inspect", {
    headers: { authorization: `Bearer ${token.access_token}` },
    data: { path: "aviation/airports" },
  });
  const { dataset } = (await inspected.json()) as { dataset: object };
  await writeJson(page, dialog, { ...dataset, id, category: "Journeys" });
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect((await rowOf(page, id)).getByRole("gridcell", { name: "Journeys" })).toBeVisible();

  const mendSave = await breakAnswer(page, `/api/admin/datasets/internal/${id}/description`, "The disk is full.");
  await chooseInRow(page, id, "Edit Descriptions");
  await dialog.getByRole("textbox", { name: "Dataset", exact: true }).fill("Where planes land");
  await dialog.getByRole("textbox", { name: "iata", exact: true }).fill("Three letters");
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect(dialog.getByRole("alert")).toHaveText("Save FailedThe disk is full.");
  await mendSave();
  const saved = page.waitForRequest((call) => call.method() === "PUT" && call.url().endsWith(`/${id}/description`));
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  expect((await saved).postDataJSON()).toMatchObject({ datasetId: id, description: "Where planes land" });
  await expect(dialog).toHaveCount(0);
  const schema = await request.get(`/api/datasets/Journeys/${id}/schema`, { headers: { authorization: `Bearer ${token.access_token}` } });
  expect(JSON.stringify(await schema.json())).toContain("Three letters");

  const mendUpdate = await breakAnswer(page, `/api/admin/datasets/internal/${id}/schema/update`, "The engine rests.");
  await chooseInRow(page, id, "Update Schema");
  await expect(dialog.getByRole("alert")).toContainText("Schema Update Job Failed");
  await mendUpdate();
  await dialog.getByRole("button", { name: "Run again" }).click();
  await expect(dialog.getByText("The columns are as they were.")).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).last().click();
  const kept = (await entitiesOf(request, "datasets/internal")).find((one) => one["id"] === id);
  expect(JSON.stringify(kept)).toContain("Three letters");
  await deleteEntity(request, "datasets/internal", id);
});

test("[ENTITY-14] a Jolt specification is tried on an input, which changes nothing", async ({ page, request, signIn }) => {
  const name = ownName("jolt");
  const joltSpec = [{ operation: "shift", spec: { id: "customer.id" } }];
  await createEntity(request, "joltSpecifications", { name, sourceType: "order", targetType: "customer", joltSpec });
  await signIn("admin");
  await openAdmin(page, "/jolt-settings", "Jolt Specifications");
  await expect((await rowOf(page, name)).getByRole("gridcell")).toHaveText(["", name, "order", "customer", "enabled", ""]);
  await chooseInRow(page, name, "Edit");
  // What looks like an id of ours stays where it is somebody else's.
  await expect(jsonText(page.getByRole("dialog"))).toContainText('"id": "customer.id"');
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await chooseInRow(page, name, "Try");
  const dialog = page.getByRole("dialog", { name: `Try ${name}` });
  await dialog.getByRole("textbox", { name: "Input" }).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText('{"id": 7, "other": true}');
  await dialog.getByRole("button", { name: "Transform" }).click();
  await expect(dialog.getByRole("textbox", { name: "Output" })).toContainText('"customer"');
  await expect(dialog.getByRole("textbox", { name: "Output" })).not.toContainText("other");
  expect(await axeViolations(page)).toEqual([]);
  await deleteEntity(request, "joltSpecifications", name);
});
