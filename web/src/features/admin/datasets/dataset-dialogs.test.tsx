import { datasetAdministration } from "@fairway/contract/dataset-administration";
import { joltTrial } from "@fairway/contract/jolt";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectText, expectTexts } from "#testing/assertions.ts";
import { chooseInRow, dialog, dialogButton, openAdmin, saveButton, serveEntities } from "#testing/entities.ts";
import { gateway } from "#testing/open-screen.tsx";
import { airports, openDatasets } from "#testing/dataset-dialogs.ts";
import { setField } from "#testing/quick-fields.ts";

it("[ENTITY-17] descriptions of a dataset and its columns can be edited; a failed save shows why and can be retried", async () => {
  await openDatasets();
  gateway.refuse(datasetAdministration.describe, "internal", "The disk is full.", { times: 1 });
  await chooseInRow("airports", "Edit Descriptions");
  await setField(dialog().getByRole("textbox", { name: "Dataset", exact: true }), "Where planes land");
  await setField(dialog().getByRole("textbox", { name: "iata", exact: true }), "Three letters");
  await saveButton().click();
  await expectText(dialog().getByRole("alert"), "Save FailedThe disk is full.");
  gateway.answer(datasetAdministration.describe, { version: 2 });
  await saveButton().click();
  await expect.element(dialog()).not.toBeInTheDocument();
  expect(gateway.received(datasetAdministration.describe).at(-1)?.body).toEqual({
    datasetId: "airports",
    description: "Where planes land",
    columnDescriptions: [
      { columnName: "iata", description: "Three letters" },
      { columnName: "city", description: "" },
    ],
  });
});

it("[ENTITY-18][ENTITY-19] a failed schema update shows why and can be run again", async () => {
  await openDatasets();
  gateway.refuse(datasetAdministration.updateSchema, "internal", "The engine rests.", { times: 1 });
  await chooseInRow("airports", "Update Schema");
  await expect.element(dialog().getByRole("alert")).toHaveTextContent("Schema Update Job Failed");
  await expect.element(dialog().getByRole("alert")).toHaveTextContent("The engine rests.");
  const job = { jobId: "1", startedMs: 0, problem: null, result: null, finishedMs: null };
  gateway.answer(datasetAdministration.updateSchema, { ...job, status: "running", progress: { done: 1, total: 2, step: "Reading" } });
  const release = gateway.hold(datasetAdministration.schemaUpdate);
  gateway.answer(datasetAdministration.schemaUpdate, {
    ...job,
    status: "done",
    progress: { done: 2, total: 2, step: "Done" },
    finishedMs: 1,
    result: { added: ["wages"], removed: [], changed: [], unchanged: 2, open: ["wages"] },
  });
  const releaseNext = gateway.hold(datasetAdministration.schemaUpdate);
  await dialogButton("Run again").click();
  await expect.element(dialog().getByRole("status")).toHaveTextContent("Reading");
  release();
  releaseNext();
  await expect.element(dialog().getByText("No access rule names them, so all readers see them: wages")).toBeVisible();
});

it("[ENTITY-15] a dataset is created from a folder: its sample is shown, and the editor starts with the proposal", async () => {
  await openDatasets();
  const folder = (name: string, path: string) => ({ name, path, kind: "folder" as const, bytes: null });
  gateway.answer(datasetAdministration.dataFolder, ({ query: { path } }) =>
    path === "" ? [folder("aviation", "aviation")] : path === "aviation" ? [folder("airports", "aviation/airports")] : [],
  );
  gateway.answer(datasetAdministration.inspect, {
    dataset: { ...airports, id: "made" },
    files: 1,
    sample: [{ iata: "FRA", city: "Frankfurt" }],
    notes: [],
    problems: ["1 of 4 lines could not be read.", "1 value of column 'city' is not a number."],
  });
  await page.getByRole("button", { name: "New from data" }).click();
  await dialog().getByRole("button", { name: "aviation" }).click();
  await dialog().getByRole("button", { name: "airports" }).click();
  await dialog().getByRole("button", { name: "This whole folder" }).click();
  const sample = dialog().getByRole("region", { name: "Sample" });
  await expectTexts(sample.getByRole("columnheader"), ["iata STRING", "city STRING"]);
  await expectTexts(dialog().getByRole("list", { name: "What can't be read" }).getByRole("listitem"), [
    "1 of 4 lines could not be read.",
    "1 value of column 'city' is not a number.",
  ]);
  expect(gateway.received(datasetAdministration.inspect).map(({ body }) => body.path)).toEqual(["aviation/airports"]);
  await expectAccessible({ within: ["[role=dialog]"] });
  await dialogButton("Continue").click();
  await expect.element(dialog().getByRole("heading", { name: "New internal dataset" })).toBeVisible();
  await expect.element(dialog().getByRole("textbox", { name: "JSON", exact: true })).toHaveTextContent('"glob": "aviation/airports');
});

it("[ENTITY-15] a dataset is created from a table: catalogs, schemas and tables are walked through and found by a part of their names", async () => {
  await openDatasets();
  gateway.answer(datasetAdministration.dataFolder, []);
  const level = (kind: "catalog" | "schema" | "table", path: string, names: string[], isCut = false) => ({
    kind,
    entries: names.map((name) => ({ name, path: path === "" ? name : `${path}.${name}` })),
    isCut,
  });
  gateway.answer(datasetAdministration.tables, ({ query: { within, contains } }) =>
    within === ""
      ? level("catalog", "", ["hive", "memory"])
      : within === "hive"
        ? level("schema", "hive", ["sea"])
        : contains === "port"
          ? level("table", "hive.sea", ["ports"])
          : level("table", "hive.sea", ["ships", "storms"], true),
  );
  gateway.refuse(datasetAdministration.inspectTable, "upstream-failed", "The query server rests (query q1).", { times: 1 });
  await page.getByRole("button", { name: "New from data" }).click();
  await dialog().getByText("Tables", { exact: true }).click();
  await expect.element(dialog().getByText("Choose a catalog, a schema and a table.")).toBeVisible();
  await dialog().getByRole("button", { name: "hive" }).click();
  await dialog().getByRole("button", { name: "sea" }).click();
  await expect.element(dialog().getByText("These are the first 2 tables. Type part of a name to find others.")).toBeVisible();
  await setField(dialog().getByRole("textbox", { name: "Find tables" }), "port");
  await dialog().getByRole("button", { name: "ports" }).click();
  await expectText(dialog().getByRole("alert"), "No dataset could be created from it.The query server rests (query q1).Retry");
  const notes = ["The table is partitioned by 'day'."];
  const dataset = { ...airports, id: "ports", source: { kind: "table", name: "hive.sea.ports" } };
  gateway.answer(datasetAdministration.inspectTable, { dataset, sample: [{ iata: "HAM", city: "Hamburg" }], notes, problems: [] });
  await dialogButton("Retry").click();
  await expect.element(dialog().getByText("The table is partitioned by 'day'.")).toBeVisible();
  await expect.element(dialog().getByRole("button", { name: "ports" })).toHaveAttribute("aria-pressed", "true");
  expect(gateway.received(datasetAdministration.inspectTable).map(({ body }) => body)).toEqual([
    { table: "hive.sea.ports" },
    { table: "hive.sea.ports" },
  ]);
  await dialogButton("Continue").click();
  await expect.element(dialog().getByRole("textbox", { name: "JSON", exact: true })).toHaveTextContent('"name": "hive.sea.ports"');
});

it("[ENTITY-14] a Jolt specification can be tried on an input", async () => {
  const joltSpec = [{ operation: "shift", spec: { id: "customer.id" } }];
  const { routes } = serveEntities("joltSpecifications", [{ name: "orders", sourceType: "order", targetType: "customer", joltSpec }]);
  gateway.answer(joltTrial.run, ({ body: { input } }) => ({ output: { customer: { id: (input as { id: number }).id } } }));
  await openAdmin("/jolt-settings", "Jolt Specifications");
  await chooseInRow("orders", "Try");
  const trial = page.getByRole("dialog", { name: "Try orders" });
  await trial.getByRole("textbox", { name: "Input" }).fill('{"id": 7, "other": true}');
  await trial.getByRole("button", { name: "Transform" }).click();
  const output = trial.getByRole("textbox", { name: "Output" });
  await expect.element(output).toHaveTextContent('"customer"');
  await expect.element(output).not.toHaveTextContent("other");
  expect(gateway.received(joltTrial.run).map(({ body }) => body)).toEqual([{ joltSpec, input: { id: 7, other: true } }]);
  expect(gateway.received(routes.edit)).toEqual([]);
});

it("a source that does not fit is cut at its start", async () => {
  const glob = `archive/${"deep/".repeat(30)}quakes.parquet`;
  serveEntities("datasets/internal", [{ ...airports, source: { kind: "files", glob, format: "parquet" } }]);
  await openAdmin("/internal-dataset-settings", "Internal Datasets");
  const cell = page.getByRole("gridcell", { name: glob, exact: true });
  await expect.element(cell).toHaveAttribute("title", glob);
  const text = cell.element().querySelector("bdi")?.firstChild;
  if (!text) throw new Error("The cell has no text.");
  const end = new Range();
  end.setStart(text, glob.length - "quakes.parquet".length);
  end.setEnd(text, glob.length);
  const [shown, room] = [end.getBoundingClientRect(), cell.element().getBoundingClientRect()];
  expect(shown.left).toBeGreaterThan(room.left);
  expect(shown.right).toBeLessThan(room.right);
});
